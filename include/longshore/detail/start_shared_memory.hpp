// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_START_SHARED_MEMORY_HPP
#define LONGSHORE_DETAIL_START_SHARED_MEMORY_HPP

#include <longshore/config.hpp>
#include <longshore/detail/become_program.hpp>
#include <longshore/detail/prepared_child.hpp>
#include <longshore/detail/undisturbed.hpp>

#if !LONGSHORE_WINDOWS

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include <sys/wait.h>
#include <unistd.h>
#if LONGSHORE_LINUX
#include <sched.h>
#endif

namespace longshore::inline v0 {
namespace detail {

#if LONGSHORE_LINUX

// The child's own stack, in the frame of the thread that waits for it. Pages it does not touch cost nothing.
class ChildStack {
public:
    void* top() noexcept { return bytes_.data() + bytes_.size(); }

private:
    alignas(64) std::array<std::byte, 16384> bytes_;
};

// Runs `function` in a new process that shares the memory of this one, which waits until the other has a
// program of its own or is gone. So it costs the same from a small host and from one of many gigabytes.
inline ::pid_t clone_sharing_memory(int (*function)(void*), void* argument, int flags, int* pidfd) noexcept {
    ChildStack stack;
    NoSignals const no_signals;
    return ::clone(function, stack.top(), CLONE_VM | CLONE_VFORK | flags, argument, pidfd);
}

// Emulators and instrumenting tools run such a child as a copy, in which a report of failure would be lost.
// It is tried once; the child sends no SIGCHLD, so the host's handlers do not see it.
inline bool child_shares_memory() noexcept {
    static bool const shares = [] {
        int mark = 0;
        auto const set_mark = [](void* place) {
            *static_cast<int volatile*>(place) = 1;
            ::_exit(0);
            return 0;
        };
        auto const process = clone_sharing_memory(set_mark, &mark, 0, nullptr);
        while (process > 0 && ::waitpid(process, nullptr, __WALL) < 0 && errno == EINTR) {
        }
        return *static_cast<int volatile*>(&mark) == 1;
    }();
    return shares;
}

inline int run_prepared_child(void* argument) noexcept {
    auto& child = *static_cast<PreparedChild*>(argument);
    child.failure = become_program(child);
    ::_exit(127);
}

inline StartAttempt start_sharing_memory(PreparedChild& child) noexcept {
    constexpr int clone_pidfd = 0x1000;
    if (!child_shares_memory()) return {.error = ENOSYS};
    StartAttempt attempt;
    if (child.features.pidfd_at_start)
        attempt.process =
            clone_sharing_memory(run_prepared_child, &child, SIGCHLD | clone_pidfd, &attempt.exit_descriptor);
    if (attempt.process < 0 && (!child.features.pidfd_at_start || errno == EINVAL))
        attempt.process = clone_sharing_memory(run_prepared_child, &child, SIGCHLD, nullptr);
    if (attempt.process < 0) attempt.error = errno;
    return attempt;
}

#else

inline StartAttempt start_sharing_memory(PreparedChild&) noexcept { return {.error = ENOSYS}; }

#endif

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
