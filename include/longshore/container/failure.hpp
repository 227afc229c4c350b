// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_FAILURE_HPP
#define LONGSHORE_CONTAINER_FAILURE_HPP

#include <longshore/container/config.hpp>
#include <longshore/container/error_text.hpp>
#include <longshore/container/exit_report.hpp>
#include <longshore/container/redactor.hpp>
#include <longshore/container/transport_noise.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/error.hpp>
#include <longshore/launch/framed_stream.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/launch/request.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace longshore::inline v0 {

namespace detail {

inline constexpr int kill_signal = 9;
inline constexpr int killed_status = 128 + kill_signal;
// Podman's own when the container of an exec is no more.
inline constexpr int session_lost_status = 255;

// Decides what an outcome means, by how far the call came.
class FailureDecision {
public:
    FailureDecision(LaunchRequest const& request, LaunchOutcome const& outcome, ContainerConfig const& config,
                    std::optional<Failure> const& explanation)
        : request_{request}, outcome_{outcome}, config_{config},
          explanation_{explanation}, redactor_{config.redact.values()} {}

    Failure decide() const {
        if (outcome_.ended != Ended::exited) return stopped();
        if (outcome_.input_lost) return input_lost();
        switch (outcome_.reached) {
        case Reached::unknown:
            return request_.guarded ? not_reached() : unguarded();
        case Reached::transport:
            return no_directory();
        case Reached::directory:
            return no_program();
        case Reached::command:
            return end_not_seen();
        case Reached::end:
            break;
        }
        return ended(outcome_.exit_code());
    }

private:
    // What longshore itself did decides before any exit code: a tool that was killed at the deadline did not
    // run out of memory.
    Failure stopped() const {
        switch (outcome_.ended) {
        case Ended::timed_out:
            return timed_out();
        case Ended::no_output:
            return {FailureKind::no_output, silence_text(),
                    "The tool wrote nothing for as long as no_output_timeout. " + fate()};
        case Ended::limit:
            return {FailureKind::output_incomplete,
                    failed("the tool wrote more than the call accepts and was ended"), fate()};
        case Ended::exited:
        case Ended::cancelled:
        case Ended::stopped_by_sink:
            break;
        }
        return {FailureKind::cancelled, "Container execution was cancelled", fate()};
    }

    Failure timed_out() const {
        auto const text = timed_out_text(request_.timeout);
        if (request_.guarded && outcome_.reached == Reached::unknown)
            return {
                FailureKind::engine_hang, text,
                "The container was never reached. Check that the engine answers; the tool did not start."};
        if (ended_by_itself())
            return {FailureKind::engine_hang, text,
                    "The tool had ended with exit code " + std::to_string(*outcome_.command_exit) +
                        ", but the container CLI did not return. Check that the engine answers."};
        return {
            FailureKind::timed_out, text,
            "Raise timeout_seconds if the tool needs longer; standard_output holds what it wrote so far. " +
                fate()};
    }

    // At the deadline the guard kills the tool and tells that end as well, always as killed.
    bool ended_by_itself() const {
        return outcome_.reached == Reached::end && outcome_.command_exit &&
               *outcome_.command_exit != killed_status;
    }

    std::string silence_text() const {
        auto const limit = request_.no_output_timeout ? request_.no_output_timeout->seconds() : 0.0;
        return "Container execution wrote nothing for " + format_seconds(limit) + "s";
    }

    std::string fate() const {
        if (!outcome_.everything_killed) return "It is not known whether something of it is left running.";
        return *outcome_.everything_killed ? "Nothing of it is left running."
                                           : "Something of it may still be running in the container.";
    }

    Failure not_reached() const {
        if (died_on_host()) return host_signal(FailureKind::cli_failed);
        auto const said = spoken_noise(outcome_);
        if (!outcome_.transport_exit && (!explanation_ || said.empty())) return status_lost();
        if (explanation_)
            return {explanation_->kind, failed(tail(explanation_->text)), redactor_(explanation_->hint)};
        return {FailureKind::cli_failed,
                failed(said.empty() ? "the container CLI ended before the tool was reached" : tail(said)),
                "The tool did not start."};
    }

    Failure input_lost() const {
        return {FailureKind::os_error, failed("the container had no room to hand the tool all of its input"),
                "The tool saw the end of its input too early, so its output cannot be trusted. Give the "
                "container "
                "more memory or processes, or send less."};
    }

    // Nobody told how far the call came, so a failure of the CLI cannot be told from one of the tool.
    Failure unguarded() const {
        if (!outcome_.transport_exit) return status_lost();
        if (died_on_host()) return host_signal(FailureKind::output_incomplete);
        auto failure = ended(*outcome_.transport_exit);
        if (failure.kind == FailureKind::tool_failed)
            failure.hint = "Without the guard it is not known whether the tool failed or the container CLI.";
        return failure;
    }

    Failure no_directory() const {
        auto const& directory = request_.command.working_directory;
        auto const is_workspace = directory == config_.workspace_folder.string();
        auto const* const name = is_workspace ? "workspace_folder " : "working_directory ";
        return {FailureKind::container_unavailable,
                failed(name + shown_text(redactor_(directory)) + " does not exist in the container"),
                is_workspace ? "Set workspace_folder to a folder of the container that the tool's user may "
                               "enter."
                             : "Create it first, or start the tool in another folder."};
    }

    Failure no_program() const {
        constexpr auto not_executable = 126;
        auto const program = request_.command.arguments.empty()
                                 ? std::string{}
                                 : redactor_(request_.command.arguments.front());
        if (outcome_.command_exit == not_executable)
            return {FailureKind::tool_not_found,
                    failed(shown_text(program) + " is not executable in the container"),
                    "Make it executable for the tool's user."};
        return {
            FailureKind::tool_not_found, failed(shown_text(program) + " was not found in the container"),
            program.starts_with('/')
                ? "tool_command takes paths of the container. Put the program there, and check that the "
                  "folder "
                  "is mounted."
                : "Install it in the container where its PATH finds it, or name it by an absolute path in "
                  "tool_command."};
    }

    Failure end_not_seen() const {
        if (died_on_host()) return host_signal(FailureKind::output_incomplete);
        auto const status = outcome_.transport_exit;
        auto const said = spoken_noise(outcome_);
        if (!status) return status_lost();
        if (status == killed_status || status == session_lost_status || (*status != 0 && !said.empty()))
            return {FailureKind::container_gone,
                    failed("the container went away while the tool ran" +
                           after_colon(said.empty() ? standard_error() : tail(said))),
                    "Check whether the container was stopped, removed, or ran out of memory."};
        return incomplete();
    }

    Failure ended(int exit_code) const {
        if (exit_code == killed_status)
            return {FailureKind::killed_maybe_out_of_memory, failed(standard_error()),
                    "The tool was killed by SIGKILL, and not by longshore; it may have run out of memory."};
        if (exit_code != 0) return {FailureKind::tool_failed, failed(standard_error()), hint_for(exit_code)};
        if (!outcome_.output.complete) return incomplete();
        return {};
    }

    // The program was there and was started, but what runs it may be missing.
    std::string hint_for(int exit_code) const {
        if (exit_code == 126 || exit_code == 127)
            return "Often the interpreter of the tool's first line (#!), its loader, or a program that it "
                   "starts is "
                   "missing in the container, or was built for another machine.";
        if (outcome_.error.bytes.empty())
            return "The tool ran, failed, and wrote nothing to its standard error.";
        return "The tool ran and failed; standard_output and standard_error hold what it wrote.";
    }

    Failure incomplete() const {
        return {
            FailureKind::output_incomplete,
            failed("the end of the output is missing" + after_colon(standard_error())),
            "What the tool did is not known. Its output was not parsed; standard_output holds what came."};
    }

    Failure status_lost() const {
        return {
            FailureKind::exit_status_unknown,
            failed("the exit status is unknown" + after_colon(standard_error())),
            "Another part of this program reaped the process: look for SIGCHLD set to be ignored, and for "
            "calls of waitpid(-1)."};
    }

    bool died_on_host() const { return outcome_.transport_exit.value_or(0) < 0; }

    // A signal that nobody of us sent ended the container CLI.
    Failure host_signal(FailureKind otherwise) const {
        auto const signal = -*outcome_.transport_exit;
        auto const kind = signal == kill_signal ? FailureKind::killed_maybe_out_of_memory : otherwise;
        return {kind, failed(standard_error()),
                "Signal " + std::to_string(signal) +
                    " ended the container CLI on this host, and longshore did "
                    "not send it."};
    }

    std::string failed(std::string_view reason) const {
        return failed_text(reported_exit_code(outcome_), utf8_replace(redactor_(reason)));
    }
    std::string tail(std::string_view text) const {
        auto const cut = outcome_.transport_noise.size() >= FramedStream::noise_limit;
        return error_tail(text, cut, redactor_);
    }
    std::string standard_error() const {
        return error_tail(outcome_.error.bytes, outcome_.error.cut, redactor_);
    }
    static std::string after_colon(std::string const& text) { return text.empty() ? text : ": " + text; }

    LaunchRequest const& request_;
    LaunchOutcome const& outcome_;
    ContainerConfig const& config_;
    std::optional<Failure> const& explanation_;
    Redactor redactor_;
};

} // namespace detail

/// What an outcome means: `FailureKind::none`, or what went wrong, in the specification's words, and what to
/// do next. A pure function.
///
/// - What longshore did itself (deadline, cancellation) decides first.
/// - Then how far the call came, as the guard told it. What a tool prints never moves that.
/// - Then the exit code: 137 is `killed_maybe_out_of_memory`, and a negative one stands only for a signal on
///   the host.
///
/// The text holds the last part of the standard error, without the secrets of `config.redact`.
/// @param explanation what `ContainerCli::explain` says; used only when the guard never spoke.
/// Source: execution-environment.md, "Error Reporting" and "Timeout Handling".
inline Failure failure_of(LaunchRequest const& request, LaunchOutcome const& outcome,
                          ContainerConfig const& config, std::optional<Failure> const& explanation = {}) {
    return detail::FailureDecision{request, outcome, config, explanation}.decide();
}

/// Whether a `ContainerCli` is to be asked why the tool was not reached.
inline bool needs_explanation(LaunchRequest const& request, LaunchOutcome const& outcome) noexcept {
    return request.guarded && outcome.ended == Ended::exited && outcome.reached == Reached::unknown;
}

} // namespace longshore::inline v0

#endif
