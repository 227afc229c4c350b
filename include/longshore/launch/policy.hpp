// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_POLICY_HPP
#define LONGSHORE_LAUNCH_POLICY_HPP

#include <longshore/launch/outcome.hpp>
#include <longshore/launch/request.hpp>

#include <concepts>
#include <exception>
#include <utility>

namespace longshore::inline v0 {

/// Runs one command behind a transport and tells how it ended.
///
/// Requirements on a type `L` and an object `launcher` of it:
/// 1. `L` is movable.
/// 2. `launcher.run(request)`, with a `LaunchRequest const&`, returns a `LaunchOutcome`.
///
/// Guarantees asked of a model, which no syntax can show:
/// - exact argv and exact bytes, both ways; one deadline; nothing of the command left running; exactly one
/// start;
/// - it throws `std::system_error` only when nothing was started, or what a sink or an input source threw
/// once
///   nothing is left running;
/// - `run` may be called from several threads at once.
///
/// Not required: a process per call, a shell, framing, an absolute transport path.
template <typename L>
concept LaunchPolicy = std::movable<L> && requires(L& launcher, LaunchRequest const& request) {
    { launcher.run(request) } -> std::same_as<LaunchOutcome>;
};

/// The least that a completion handler of a launch is, for checking `AsyncLaunchPolicy` without any Asio
/// header.
struct LaunchHandlerArchetype {
    void operator()(std::exception_ptr, LaunchOutcome) const {}
};

/// A launcher that can also run without blocking.
///
/// Requirements, beside those of `LaunchPolicy`:
/// 1. `launcher.async_run(request, token)` starts the call and completes with
///    `void(std::exception_ptr, LaunchOutcome)` exactly once.
template <typename L>
concept AsyncLaunchPolicy = LaunchPolicy<L> &&
    requires(L& launcher, LaunchRequest request, LaunchHandlerArchetype handler) {
    launcher.async_run(std::move(request), std::move(handler));
};

} // namespace longshore::inline v0

#endif
