// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_ERROR_HPP
#define LONGSHORE_ERROR_HPP

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// A value that a function cannot accept. The text names the value and what was expected.
/// Source: container_tool_exec.feature, "a ValueError should be raised".
class ValueError : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A value of the wrong kind, such as a JSON array where an object is expected.
/// Source: container_tool_exec.feature, "execute_tool rejects non-dict inputs".
class TypeError : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// Why a call failed. It is decided by how far the call came, never by guessing from a number or a text.
enum class FailureKind : std::uint8_t {
    none,                       ///< it did not fail
    tool_failed,                ///< the tool ran and exited with another status than 0
    tool_not_found,             ///< the place was reached, but it has no such executable
    container_unavailable,      ///< the container is unknown, stopped, or lacks the workspace folder
    container_gone,             ///< the container went away while the tool ran
    cli_failed,                 ///< the container CLI failed before the tool was reached
    engine_hang,                ///< the deadline passed and the tool had never been reached
    timed_out,                  ///< the deadline passed while the tool ran
    no_output,                  ///< the tool wrote nothing for as long as `no_output_timeout`
    cancelled,                  ///< the caller asked to stop
    output_incomplete,          ///< the end of the output is missing, so the result cannot be trusted
    exit_status_unknown,        ///< another part of the program reaped the process
    killed_maybe_out_of_memory, ///< killed by SIGKILL, and not by longshore
    invalid_input,              ///< the inputs cannot be sent as JSON
    os_error                    ///< a system, here or there, refused to start the call or to take its input
};

/// The enumerator's name, such as `"tool_failed"`.
constexpr std::string_view to_string(FailureKind kind) noexcept {
    switch (kind) {
    case FailureKind::none:
        return "none";
    case FailureKind::tool_failed:
        return "tool_failed";
    case FailureKind::tool_not_found:
        return "tool_not_found";
    case FailureKind::container_unavailable:
        return "container_unavailable";
    case FailureKind::container_gone:
        return "container_gone";
    case FailureKind::cli_failed:
        return "cli_failed";
    case FailureKind::engine_hang:
        return "engine_hang";
    case FailureKind::timed_out:
        return "timed_out";
    case FailureKind::no_output:
        return "no_output";
    case FailureKind::cancelled:
        return "cancelled";
    case FailureKind::output_incomplete:
        return "output_incomplete";
    case FailureKind::exit_status_unknown:
        return "exit_status_unknown";
    case FailureKind::killed_maybe_out_of_memory:
        return "killed_maybe_out_of_memory";
    case FailureKind::invalid_input:
        return "invalid_input";
    case FailureKind::os_error:
        return "os_error";
    }
    return "unknown";
}

/// What went wrong, in the specification's words, and what to do next.
struct Failure {
    FailureKind kind = FailureKind::none;
    std::string text{};
    std::string hint{};

    friend bool operator==(Failure const&, Failure const&) = default;
};

/// A call that could not be carried out, from functions that throw instead of returning a `ToolResult`.
/// Source: container_tool_exec.feature, "ContainerExecutionError carries exit_code and stderr".
class ContainerExecutionError : public std::runtime_error {
public:
    /// @param text what went wrong.
    /// @param exit_code status of the command, -1 where there is none.
    /// @param standard_error what the command wrote to its standard error.
    explicit ContainerExecutionError(std::string const& text, int exit_code = -1,
                                     std::string standard_error = {})
        : std::runtime_error{text}, exit_code_{exit_code}, standard_error_{std::move(standard_error)} {}

    int exit_code() const noexcept { return exit_code_; }
    std::string const& standard_error() const noexcept { return standard_error_; }

private:
    int exit_code_;
    std::string standard_error_;
};

/// A call that outlived its deadline.
/// Source: container_tool_exec.feature, "ContainerTimeoutError carries timeout_seconds".
class ContainerTimeoutError : public ContainerExecutionError {
public:
    /// @param timeout_seconds the limit that was exceeded, in seconds.
    explicit ContainerTimeoutError(double timeout_seconds, std::string standard_error = {});

    double timeout_seconds() const noexcept { return timeout_seconds_; }
    bool timed_out() const noexcept { return true; }

private:
    double timeout_seconds_;
};

/// Seconds as the error texts write them: `30`, `1.5`, `0.25`. At most three decimals, no trailing zeros;
/// from 10^15 on, and for what is no number, as `printf` writes them: `1e+20`, `inf`.
inline std::string format_seconds(double seconds) {
    if (!(seconds > -1e15 && seconds < 1e15)) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", seconds);
        return text;
    }
    auto const sign = seconds < 0 ? std::string{"-"} : std::string{};
    auto const thousandths = static_cast<long long>((seconds < 0 ? -seconds : seconds) * 1000.0 + 0.5);
    auto text = sign + std::to_string(thousandths / 1000);
    if (auto const rest = thousandths % 1000; rest != 0) {
        auto decimals = std::to_string(1000 + rest).substr(1);
        while (decimals.back() == '0')
            decimals.pop_back();
        text += '.' + decimals;
    }
    return text;
}

inline ContainerTimeoutError::ContainerTimeoutError(double timeout_seconds, std::string standard_error)
    : ContainerExecutionError{"Container execution timed out after " + format_seconds(timeout_seconds) + "s",
                              -1, std::move(standard_error)},
      timeout_seconds_{timeout_seconds} {}

} // namespace longshore::inline v0

#endif
