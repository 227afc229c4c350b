// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_OUTCOME_HPP
#define LONGSHORE_LAUNCH_OUTCOME_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace longshore::inline v0 {

/// The milestones that a call passed, told by its frame alone, so that nothing a tool prints can move it.
enum class Reached : std::uint8_t {
    unknown,   ///< no word from the other side: the transport failed, or the call was not guarded
    transport, ///< got in; the working directory could not be entered
    directory, ///< in the working directory; the command could not be started
    command,   ///< the command started; its end was not seen
    end        ///< the command ended, and its status is known
};

/// What ended the call.
enum class Ended : std::uint8_t {
    exited,          ///< by itself
    timed_out,       ///< `timeout` passed
    no_output,       ///< `no_output_timeout` passed
    cancelled,       ///< the stop token, or a cancellation slot
    stopped_by_sink, ///< a sink returned `Flow::stop` or threw
    limit            ///< more output than `OutputPlan::accept`
};

/// One stream of the command.
struct Captured {
    std::string bytes{};     ///< the first `OutputPlan::keep` bytes
    std::uint64_t total = 0; ///< bytes that the command wrote, kept or not
    bool cut = false;        ///< more was written than is kept
    bool complete = true;    ///< its end was seen; false: the tail may be missing

    friend bool operator==(Captured const&, Captured const&) = default;
};

/// What happened, as facts; what it means is a pure function of them (`container/failure.hpp`).
struct LaunchOutcome {
    Ended ended = Ended::exited;
    Reached reached = Reached::unknown;
    std::optional<int> command_exit{};   ///< 0..255, told by the frame; 128+n: signal n over there
    std::optional<int> transport_exit{}; ///< of the host process; negative: host signal; empty: status lost
    Captured output{};
    Captured error{};
    std::string transport_noise{};           ///< the first 16 KiB printed outside the frame, by CLI or engine
    bool input_lost = false;                 ///< the place had no room to hand all of the input over
    std::optional<bool> everything_killed{}; ///< nothing of the command is left running; empty: unknown
    std::chrono::nanoseconds elapsed{};      ///< from the start to the end
    std::chrono::nanoseconds queued{};       ///< waited before the start

    /// The status to report: the command's own, else the transport's, else -1.
    int exit_code() const noexcept { return command_exit ? *command_exit : transport_exit.value_or(-1); }

    friend bool operator==(LaunchOutcome const&, LaunchOutcome const&) = default;
};

} // namespace longshore::inline v0

#endif
