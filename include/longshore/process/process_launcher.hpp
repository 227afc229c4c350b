// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_PROCESS_PROCESS_LAUNCHER_HPP
#define LONGSHORE_PROCESS_PROCESS_LAUNCHER_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/config.hpp>
#include <longshore/detail/host_call.hpp>
#include <longshore/detail/identity_sweep.hpp>
#include <longshore/detail/system_calls.hpp>
#include <longshore/detail/undisturbed.hpp>
#include <longshore/detail/wake_up.hpp>
#include <longshore/launch/call_machine.hpp>
#include <longshore/launch/guard.hpp>
#include <longshore/launch/policy.hpp>
#include <longshore/launch/secrets.hpp>

#if LONGSHORE_WINDOWS
#error                                                                                                       \
    "longshore starts processes on POSIX systems only; path mapping and JSON work without <longshore/process/...>"
#else

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <poll.h>

namespace longshore::inline v0 {

/// Runs each call as a process of its own and blocks until it is over. The default launcher.
///
/// The process is the leader of a group of its own, with default signal dispositions, an empty mask and three
/// descriptors. The host's signal handlers, its reapers and its descriptors are left alone: no SIGPIPE, no
/// SIGCHLD handler, no zombie. When another part of the host reaps the process, its status is told as lost,
/// never invented.
///
/// Errors: `std::system_error` when nothing was started (its code is the system's), `ValueError` for a
/// request that cannot be one. What a sink or an input's source throws leaves `run` after everything was
/// ended. Cancellation: `LaunchRequest::stop_token`, from any thread; a thread that is cancelled while it
/// waits takes its call with it. Thread safety: `run` may be called from several threads at once. Lifetime:
/// nothing of a call outlives `run`.
///
/// @tparam Clock drives the deadlines. With a clock that tests move by hand the launcher looks at it every 10
/// ms.
template <ClockPolicy Clock = std::chrono::steady_clock>
class BasicProcessLauncher {
public:
    explicit BasicProcessLauncher(Clock clock = {}, detail::SystemFeatures features = {})
        : clock_{std::move(clock)}, features_{features} {}

    LaunchOutcome run(LaunchRequest const& request) {
        if (request.stop_token.stop_requested())
            return {.ended = Ended::cancelled, .everything_killed = true};
        detail::NoCancellation const no_cancellation;
        detail::WakeUp const wake_up{request.stop_token}; // first, because it may throw
        detail::HostCall call{request, CallSecrets::make(), now(), features_};
        drive(call, request, wake_up.descriptor(), no_cancellation);
        if (auto const failure = call.machine().failure()) std::rethrow_exception(failure);
        return std::move(call.machine()).finish(now());
    }

protected:
    Clock const& clock() const noexcept { return clock_; }
    detail::SystemFeatures const& features() const noexcept { return features_; }

private:
    enum Entry : std::size_t { input, output, error, exit, stop, entries };

    Instant now() const { return instant(clock_); }

    // The descriptor of the stop stays readable once it is, so it is watched until the machine has been told.
    void drive(detail::HostCall& call, LaunchRequest const& request, int stop_descriptor,
               detail::NoCancellation const& no_cancellation) {
        for (;;) {
            call.obey(call.machine().wants(), now());
            if (call.machine().wants().clean_up) clean_up(call, request);
            auto const wants = call.machine().wants();
            if (wants.done) return;
            wait_and_step(call, wants, stop_descriptor, no_cancellation);
            if (stop_descriptor >= 0 && request.stop_token.stop_requested()) {
                stop_descriptor = -1;
                call.machine().cancel(now());
            }
            call.machine().time(now());
        }
    }

    // One wait, then every step that has become possible.
    void wait_and_step(detail::HostCall& call, Wants const& wants, int stop_descriptor,
                       detail::NoCancellation const& no_cancellation) const {
        auto& child = call.child();
        std::array<::pollfd, entries> polled{};
        polled[input] = {wants.write.empty() ? -1 : child.input.get(), POLLOUT, 0};
        polled[output] = {wants.read_output ? child.output.get() : -1, POLLIN, 0};
        polled[error] = {wants.read_error ? child.error.get() : -1, POLLIN, 0};
        polled[exit] = {call.is_reaped() ? -1 : child.exit_descriptor(), POLLIN, 0};
        polled[stop] = {stop_descriptor, POLLIN, 0};
        auto const wait = milliseconds_to_wait(call, wants);
        no_cancellation.except_in([&] { ::poll(polled.data(), polled.size(), wait); });
        auto const at = now();
        if (polled[input].revents != 0) call.write(at);
        if (polled[output].revents != 0) read(call, Stream::output, polled[output].revents, at);
        if (polled[error].revents != 0) read(call, Stream::error, polled[error].revents, at);
        if (polled[exit].revents != 0 || child.exit_descriptor() < 0) call.reap(at);
    }

    // A hang-up with nothing to read is the end, and needs no read to be known.
    static void read(detail::HostCall& call, Stream stream, short events, Instant at) {
        if ((events & POLLIN) != 0)
            call.read(stream, at);
        else
            call.machine().ended(stream, at);
    }

    int milliseconds_to_wait(detail::HostCall& call, Wants const& wants) const {
        using std::chrono::milliseconds;
        constexpr milliseconds clock_slice{10};
        constexpr milliseconds reap_slice{2};
        auto longest = milliseconds{(std::numeric_limits<int>::max)()};
        if constexpr (!std::same_as<Clock, std::chrono::steady_clock>) longest = clock_slice;
        if (!call.is_reaped() && call.child().exit_descriptor() < 0)
            longest = (std::min)(longest, reap_slice);
        if (wants.wake == never)
            return longest.count() == (std::numeric_limits<int>::max)() ? -1 : int(longest.count());
        auto const remaining =
            std::chrono::ceil<milliseconds>((std::max)(wants.wake - now(), Instant::zero()));
        return static_cast<int>((std::min)(remaining, longest).count());
    }

    void clean_up(detail::HostCall& call, LaunchRequest const& request) {
        auto const& secrets = call.machine().secrets();
        auto const nothing_left = request.transport.arguments.empty()
                                      ? detail::kill_by_identity(secrets.identity, features_)
                                      : ask_guard(call, request);
        call.machine().cleaned_up(nothing_left, now());
    }

    std::optional<bool> ask_guard(detail::HostCall& call, LaunchRequest const& request) {
        auto const& secrets = call.machine().secrets();
        try {
            BasicProcessLauncher<> on_real_time{{}, features_};
            auto const answer =
                on_real_time.run(guard::clean_up_request(request, secrets, call.machine().session()));
            return guard::clean_up_answer(answer.output.bytes, secrets);
        } catch (std::system_error const&) {
            return std::nullopt;
        }
    }

    Clock clock_;
    detail::SystemFeatures features_;
};

/// The launcher on the steady clock.
using ProcessLauncher = BasicProcessLauncher<>;

static_assert(LaunchPolicy<ProcessLauncher>);

} // namespace longshore::inline v0

#endif
#endif
