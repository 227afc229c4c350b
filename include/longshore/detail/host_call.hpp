// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_HOST_CALL_HPP
#define LONGSHORE_DETAIL_HOST_CALL_HPP

#include <longshore/config.hpp>
#include <longshore/detail/child_process.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/identity_sweep.hpp>
#include <longshore/detail/launch_plan.hpp>
#include <longshore/detail/pipe_growth.hpp>
#include <longshore/detail/pipe_write.hpp>
#include <longshore/detail/undisturbed.hpp>
#include <longshore/launch/call_machine.hpp>

#if !LONGSHORE_WINDOWS

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// One started call: the process, its machine, and the steps of I/O that every driver shares. A driver waits
// until a step can be taken and takes it; it decides nothing. Streams that have ended are closed with the
// call, not before, so that no number is given to anybody else while a driver still waits on it. Not thread
// safe.
class HostCall {
public:
    // Throws std::system_error when nothing was started, ValueError for a request that cannot be one.
    HostCall(LaunchRequest const& request, CallSecrets secrets, Instant now, SystemFeatures const& features)
        : features_{features}, on_host_{request.transport.arguments.empty()},
          machine_{request, std::move(secrets), now}, child_{start(request, machine_, features)} {
        machine_.written(child_.input_written, now);
        if (machine_.wants().close_input) child_.input.reset();
    }
    HostCall(HostCall const&) = delete;
    HostCall& operator=(HostCall const&) = delete;

    // A call that is given up in the middle, by an exception, a cancelled thread or a context that goes,
    // takes its command with it. Behind a transport the guard sees the end of stdin; here killing the group
    // may have killed the guard before it could act.
    ~HostCall() {
        if (machine_.wants().done) return;
        child_.input.reset();
        child_.kill_group();
        if (on_host_) end_command();
    }

    CallMachine& machine() noexcept { return machine_; }
    CallMachine const& machine() const noexcept { return machine_; }
    ChildProcess& child() noexcept { return child_; }

    // Offers stdin once what the machine wants written. A source may be slower than its reader, so a loop
    // here might have no end.
    void write(Instant now) {
        auto const bytes = machine_.wants().write;
        if (bytes.empty() || !child_.input.valid()) return;
        if (bytes.size() > large_block && !input_growth_.grown())
            input_growth_ = PipeGrowth{child_.input.get()};
        auto const result = write_without_signal(child_.input.get(), bytes, features_);
        if (result.would_block()) return;
        if (result.error != 0) return machine_.input_refused(now);
        machine_.written(result.bytes, now);
    }

    // Reads once. A pipe that is full is read in larger pieces from then on.
    void read(Stream stream, Instant now) {
        auto& from = stream == Stream::output ? child_.output : child_.error;
        auto const size = output_growth_.grown() ? large_block : small_block;
        auto const count = ::read(from.get(), buffer(), size);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (count <= 0) return machine_.ended(stream, now);
        machine_.received(stream, {buffer_.get(), static_cast<std::size_t>(count)}, now);
        if (static_cast<std::size_t>(count) == small_block && stream == Stream::output &&
            !output_growth_.grown())
            output_growth_ = PipeGrowth{from.get()};
    }

    // Asks whether the process has ended, and tells the machine once.
    void reap(Instant now) {
        if (reaped_) return;
        auto const status = child_.try_reap();
        if (!status) return;
        reaped_ = true;
        machine_.exited(status->status, now);
    }

    bool is_reaped() const noexcept { return reaped_; }

    // Makes true what needs no waiting.
    void obey(Wants const& wants, Instant now) {
        if (wants.close_input) child_.input.reset();
        if (!wants.kill) return;
        child_.kill_group();
        machine_.killed(now);
    }

private:
    static constexpr std::size_t small_block = std::size_t{64} << 10;
    static constexpr std::size_t large_block = std::size_t{256} << 10;

    static ChildProcess start(LaunchRequest const& request, CallMachine const& machine,
                              SystemFeatures const& features) {
        LaunchPlan const plan{request, machine.secrets()};
        return ChildProcess::start({plan.arguments, plan.environment, plan.working_directory,
                                    request.merge_error && !request.guarded, request.limits,
                                    machine.wants().write},
                                   features);
    }

    void end_command() noexcept {
        NoCancellation const no_cancellation;
        try {
            kill_by_identity(machine_.secrets().identity, features_);
        } catch (...) { // no memory even for a list of processes: the group is dead, more cannot be done
        }
    }

    // Uninitialised, so that only what is read into it is ever touched.
    char* buffer() {
        if (!buffer_) buffer_.reset(new char[large_block]);
        return buffer_.get();
    }

    SystemFeatures features_;
    bool on_host_;
    CallMachine machine_;
    ChildProcess child_;
    PipeGrowth input_growth_{};
    PipeGrowth output_growth_{};
    std::unique_ptr<char[]> buffer_{};
    bool reaped_ = false;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
