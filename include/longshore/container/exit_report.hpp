// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_EXIT_REPORT_HPP
#define LONGSHORE_CONTAINER_EXIT_REPORT_HPP

#include <longshore/launch/outcome.hpp>

#include <optional>

namespace longshore::inline v0 {

/// The exit code that a result reports: the command's own as it was given; else the transport's, which is
/// negative when a signal on the host ended it; else -1. A transport that longshore ended itself has none.
inline int reported_exit_code(LaunchOutcome const& outcome) noexcept {
    return outcome.ended == Ended::exited ? outcome.exit_code() : outcome.command_exit.value_or(-1);
}

/// The signal behind an exit code of a shell, `128 + n`; empty for other codes.
constexpr std::optional<int> signal_in(int exit_code) noexcept {
    constexpr auto base = 128;
    constexpr auto last_signal = 64;
    if (exit_code <= base || exit_code > base + last_signal) return std::nullopt;
    return exit_code - base;
}

/// The signal that ended the command, or the transport when the command's end was not seen. Empty when it was
/// none, and for a transport that longshore ended itself.
inline std::optional<int> reported_signal(LaunchOutcome const& outcome, bool guarded) noexcept {
    if (outcome.command_exit) return signal_in(*outcome.command_exit);
    if (outcome.ended != Ended::exited || !outcome.transport_exit) return std::nullopt;
    if (*outcome.transport_exit < 0) return -*outcome.transport_exit;
    return guarded ? std::nullopt : signal_in(*outcome.transport_exit);
}

} // namespace longshore::inline v0

#endif
