// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_BECOME_PROGRAM_HPP
#define LONGSHORE_DETAIL_BECOME_PROGRAM_HPP

#include <longshore/config.hpp>
#include <longshore/detail/prepared_child.hpp>

#if !LONGSHORE_WINDOWS

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#if LONGSHORE_LINUX
#include <sys/syscall.h>
#endif

// What runs in the new process until its program does. Async-signal-safe calls only: the process may share
// the memory of a host whose other threads run on, or be the copy of one whose locks will never be released.

namespace longshore::inline v0 {
namespace detail {

// exec resets handlers by itself, but not what the host ignores; and a handler of the host must not run in
// here once signals are let through.
inline void reset_signal_dispositions() noexcept {
#if LONGSHORE_LINUX
    // Without the C library, which hides the two signals that it uses itself, and which a host may have been
    // started with as ignored. All zero is the default disposition in every layout of the structure.
    alignas(std::max_align_t) static constexpr std::array<unsigned char, 64> defaults{};
    for (int signal = 1; signal < _NSIG; ++signal)
        ::syscall(SYS_rt_sigaction, signal, defaults.data(), nullptr, static_cast<std::size_t>(_NSIG / 8));
#else
    struct ::sigaction defaults {};
    defaults.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal)
        ::sigaction(signal, &defaults, nullptr);
#endif
}

// The sources are never 0, 1 or 2 themselves (make_pipe sees to that), so the order does not matter and each
// copy loses close-on-exec.
inline bool take_streams(std::array<int, 3> const& streams) noexcept {
    for (int target = 0; target < 3; ++target)
        if (::dup2(streams[static_cast<std::size_t>(target)], target) < 0) return false;
    return true;
}

inline void close_on_exec(int descriptor) noexcept { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

inline int parse_descriptor(char const* name) noexcept {
    int number = 0;
    for (; *name >= '0' && *name <= '9'; ++name)
        number = number * 10 + (*name - '0');
    return *name == '\0' ? number : -1; // "." and ".." are not numbers
}

#if LONGSHORE_LINUX
inline bool hide_listed_descriptors() noexcept {
    constexpr std::size_t length_at = 16; // struct linux_dirent64: inode, offset, length, type, name
    constexpr std::size_t name_at = 19;
    int const directory = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return false;
    alignas(8) std::array<char, 2048> entries;
    for (;;) {
        auto const got = ::syscall(SYS_getdents64, directory, entries.data(), entries.size());
        if (got <= 0) {
            ::close(directory);
            return got == 0;
        }
        for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
            unsigned short length = 0;
            std::memcpy(&length, &entries[at + length_at], sizeof length);
            if (int const number = parse_descriptor(&entries[at + name_at]); number > STDERR_FILENO)
                close_on_exec(number);
            at += length;
        }
    }
}
#else
inline bool hide_listed_descriptors() noexcept { return false; }
#endif

// Whatever the host left inheritable is kept from the program.
inline void hide_other_descriptors(PreparedChild const& child) noexcept {
    if (child.features.close_range && close_range_on_exec(STDERR_FILENO + 1) == 0) return;
    for (int const source : child.streams)
        ::close(source); // so that there is a free one for the directory
    if (child.features.descriptor_directory && hide_listed_descriptors()) return;
    for (int number = STDERR_FILENO + 1; number < child.descriptor_bound; ++number)
        close_on_exec(number);
}

inline bool apply_limits(PreparedChild const& child) noexcept {
    for (auto const& limit : child.limits)
        if (::setrlimit(limit.resource, &limit.value) != 0) return false;
    return true;
}

inline void unblock_all_signals() noexcept {
    ::sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Returns only when it failed.
inline StartFailure become_program(PreparedChild const& child) noexcept {
    if (::setpgid(0, 0) != 0) return {StartStage::group, errno};
    reset_signal_dispositions();
    if (!take_streams(child.streams)) return {StartStage::streams, errno};
    if (child.directory != nullptr && ::chdir(child.directory) != 0) return {StartStage::directory, errno};
    hide_other_descriptors(child);
    if (!apply_limits(child)) return {StartStage::limits, errno};
    unblock_all_signals();
    ::execve(child.arguments.front(), child.arguments.data(), child.environment.data());
    return {StartStage::program, errno};
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
