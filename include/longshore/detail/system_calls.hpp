// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SYSTEM_CALLS_HPP
#define LONGSHORE_DETAIL_SYSTEM_CALLS_HPP

#include <longshore/config.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>

#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#if LONGSHORE_LINUX
#include <sys/syscall.h>
#endif

namespace longshore::inline v0 {
namespace detail {

// What may be used of the system. Everything that is allowed here is still tried at run time and replaced
// by a fallback where the kernel, or a filter in front of it, refuses; a test takes features away.
struct SystemFeatures {
    // A sanitizer's runtime does not follow a child that shares its memory.
    bool shared_memory_start = LONGSHORE_LINUX && !LONGSHORE_SANITIZED; // clone with CLONE_VM and CLONE_VFORK
    bool spawn_start = true;                                            // posix_spawn; without it: fork
    bool pidfd_at_start = true;                                         // CLONE_PIDFD, Linux 5.2
    bool pidfd = true;                                                  // pidfd_open, Linux 5.3
    bool group_signal = true;         // pidfd_send_signal to the group, Linux 6.9
    bool close_range = true;          // close_range with CLOSE_RANGE_CLOEXEC, Linux 5.11
    bool descriptor_directory = true; // /proc/self/fd
    bool write_without_signal = true; // pwritev2 with RWF_NOSIGNAL, Linux 6.18
};

// System calls that the C library may be too old to know. Each is -1 with ENOSYS where the headers have no
// number for it, as it is where the kernel does not know it.
inline int refuse_unknown_call() noexcept {
    errno = ENOSYS;
    return -1;
}

// A descriptor that becomes readable when the process ends. Always close-on-exec.
inline int pidfd_open([[maybe_unused]] ::pid_t process) noexcept {
#if defined(SYS_pidfd_open)
    return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
#else
    return refuse_unknown_call();
#endif
}

// Flag of pidfd_send_signal: to the process group whose number is the process's, even when its leader is
// reaped, because the descriptor keeps the number from being given to anybody else's group.
inline constexpr unsigned pidfd_signal_process_group = 1U << 2;

inline int pidfd_send_signal([[maybe_unused]] int pidfd, [[maybe_unused]] int signal,
                             [[maybe_unused]] unsigned flags) noexcept {
#if defined(SYS_pidfd_send_signal)
    return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, flags));
#else
    return refuse_unknown_call();
#endif
}

// Marks every descriptor from `first` on as close-on-exec.
inline int close_range_on_exec([[maybe_unused]] unsigned first) noexcept {
#if defined(SYS_close_range)
    constexpr unsigned close_range_cloexec = 1U << 2;
    return static_cast<int>(::syscall(SYS_close_range, first, ~0U, close_range_cloexec));
#else
    return refuse_unknown_call();
#endif
}

// Writes to a pipe or socket without raising SIGPIPE; EOPNOTSUPP from kernels that do not know how.
inline ::ssize_t write_no_signal([[maybe_unused]] int descriptor, [[maybe_unused]] void const* data,
                                 [[maybe_unused]] std::size_t size) noexcept {
#if LONGSHORE_LINUX
    constexpr int rwf_nosignal = 0x100;
    ::iovec const part{const_cast<void*>(data), size};
    return ::pwritev2(descriptor, &part, 1, -1, rwf_nosignal);
#else
    return refuse_unknown_call();
#endif
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
