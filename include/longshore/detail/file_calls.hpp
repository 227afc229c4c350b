// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FILE_CALLS_HPP
#define LONGSHORE_DETAIL_FILE_CALLS_HPP

#include <longshore/config.hpp>
#include <longshore/detail/system_calls.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// What may be used of the system. Everything that is allowed here is still tried at run time and replaced by
// a fallback where the kernel, or a filter in front of it, refuses; a test takes features away.
struct FileFeatures {
    bool openat2 = LONGSHORE_LINUX;          // Linux 5.6
    bool path_descriptors = LONGSHORE_LINUX; // O_PATH, and /proc/self/fd to open what one stands for
};

// Every system call by which a sandbox touches the file system, close() apart: one function each, with the
// call's own contract (-1 and errno). A test derives from it to make any of them fail.
class FileCalls {
public:
    constexpr explicit FileCalls(FileFeatures allowed = {}) noexcept : features{allowed} {}
    FileCalls(FileCalls const&) = delete;
    FileCalls& operator=(FileCalls const&) = delete;
    constexpr virtual ~FileCalls() {} // defaulted, g++ 12 does not take it for a constant

    FileFeatures features;

    virtual int open_at(int directory, char const* path, int flags, ::mode_t mode) const {
        return ::openat(directory, path, flags | O_CLOEXEC, mode);
    }

    // openat2 that resolves no link of any kind and never leaves `directory`.
    virtual int open_beneath([[maybe_unused]] int directory, [[maybe_unused]] char const* path,
                             [[maybe_unused]] int flags) const {
#if LONGSHORE_LINUX && !defined(__alpha__)
        constexpr long number = 437; // the same everywhere but on Alpha; older headers do not name it
        constexpr std::uint64_t no_magic_links = 0x02;
        constexpr std::uint64_t no_symbolic_links = 0x04;
        constexpr std::uint64_t beneath = 0x08;
        struct {
            std::uint64_t flags, mode, resolve;
        } const how{static_cast<std::uint64_t>(flags | O_CLOEXEC), 0,
                    beneath | no_symbolic_links | no_magic_links};
        return static_cast<int>(::syscall(number, directory, path, &how, sizeof how));
#else
        return refuse_unknown_call();
#endif
    }

    virtual int status(int file, struct ::stat& into) const { return ::fstat(file, &into); }

    // Of the name itself, never of what a link points to.
    virtual int status_at(int directory, char const* name, struct ::stat& into) const {
        return ::fstatat(directory, name, &into, AT_SYMLINK_NOFOLLOW);
    }

    virtual int make_directory(int directory, char const* name) const {
        return ::mkdirat(directory, name, 0700);
    }
    virtual int remove(int directory, char const* name) const { return ::unlinkat(directory, name, 0); }
    virtual int rename(int directory, char const* from, char const* to) const {
        return ::renameat(directory, from, directory, to);
    }
    virtual int lock(int file, int operation) const { return ::flock(file, operation); }
    virtual int synchronise(int file) const { return ::fsync(file); }
    virtual ::ssize_t write(int file, char const* bytes, std::size_t size) const {
        return ::write(file, bytes, size);
    }
    virtual ::ssize_t read(int file, char* bytes, std::size_t size) const {
        return ::read(file, bytes, size);
    }

    // Takes the descriptor over when it succeeds.
    virtual ::DIR* list(int directory) const { return ::fdopendir(directory); }

    // The next name, or null at the end, with errno 0 when nothing failed.
    virtual char const* next_name(::DIR* listing) const {
        errno = 0;
        auto const* const entry = ::readdir(listing);
        return entry == nullptr ? nullptr : entry->d_name;
    }
};

inline constexpr FileCalls system_file_calls{};

// The result of a call that is repeated for as long as a signal interrupts it.
template <typename Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR)
        result = call();
    return result;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
