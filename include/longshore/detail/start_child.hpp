// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_START_CHILD_HPP
#define LONGSHORE_DETAIL_START_CHILD_HPP

#include <longshore/config.hpp>
#include <longshore/detail/become_program.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/pipe.hpp>
#include <longshore/detail/prepared_child.hpp>
#include <longshore/detail/start_shared_memory.hpp>
#include <longshore/detail/start_spawn.hpp>
#include <longshore/detail/undisturbed.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

struct StartedChild {
    ::pid_t process = -1;
    FileDescriptor exit{}; // readable once it has ended; empty where the system has no such thing
};

// The child of a failed start has nothing left to do but exit, so the wait is short.
inline void reap_failed_child(::pid_t process) noexcept {
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

// The slowest way, for where the others cannot do it: it copies the page tables of the host.
inline StartAttempt start_by_fork(PreparedChild& child) {
    auto report = make_pipe(); // closes itself when the program starts
    NoSignals const no_signals;
    auto const process = ::fork();
    if (process < 0) return {.error = errno};
    if (process == 0) {
        auto const failure = become_program(child);
        [[maybe_unused]] auto const sent = ::write(report.writer.get(), &failure, sizeof failure);
        ::_exit(127);
    }
    report.writer.reset();
    ::ssize_t got = 0;
    do {
        got = ::read(report.reader.get(), &child.failure, sizeof child.failure);
    } while (got < 0 && errno == EINTR);
    return {.process = process};
}

// A refusal that another way of starting may not meet: an old kernel, or a filter of system calls.
inline bool is_refusal(int error) noexcept { return error == ENOSYS || error == EPERM || error == EINVAL; }

// On Linux the C library starts a child that shares memory, too, and hears of its failure through that.
inline bool spawn_can_report() noexcept {
#if LONGSHORE_LINUX && !LONGSHORE_SANITIZED
    return child_shares_memory();
#else
    return true;
#endif
}

inline bool may_spawn(PreparedChild const& child) noexcept {
    return child.features.spawn_start && spawn_can_start(child) && spawn_can_report();
}

inline StartAttempt start_by_best_way(PreparedChild& child) {
    StartAttempt attempt{.error = ENOSYS};
    if (child.features.shared_memory_start) attempt = start_sharing_memory(child);
    if (is_refusal(attempt.error) && may_spawn(child)) attempt = start_by_spawn(child);
    if (is_refusal(attempt.error)) attempt = start_by_fork(child);
    return attempt;
}

// A child that somebody else reaped may have lost its number to a stranger. It had not, if it is still a
// child of ours after its descriptor was opened.
inline FileDescriptor open_exit_descriptor(::pid_t process) noexcept {
    FileDescriptor exit{pidfd_open(process)};
    ::siginfo_t info{};
    if (::waitid(P_PID, static_cast<::id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0) exit.reset();
    return exit;
}

// Throws std::system_error whose text names the program; then nothing is left of the child. It must not be
// cancelled.
inline StartedChild start_child(PreparedChild& child) {
    auto const attempt = start_by_best_way(child);
    if (attempt.process < 0) throw_start_error(child, {StartStage::none, attempt.error});
    StartedChild started{attempt.process, FileDescriptor{attempt.exit_descriptor}};
    if (child.failure.stage != StartStage::none) {
        reap_failed_child(started.process);
        throw_start_error(child, child.failure);
    }
    if (!started.exit.valid() && child.features.pidfd) started.exit = open_exit_descriptor(started.process);
    started.exit = above_standard_streams(std::move(started.exit));
    return started;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
