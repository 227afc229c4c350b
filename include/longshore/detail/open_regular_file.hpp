// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_OPEN_REGULAR_FILE_HPP
#define LONGSHORE_DETAIL_OPEN_REGULAR_FILE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace longshore::inline v0 {
namespace detail {

// A file opened for reading; or invalid, and `error` is errno, or 0 when what stands there is not a regular
// file, of which `status` tells the kind.
struct OpenedFile {
    FileDescriptor file{};
    struct ::stat status {};
    int error = 0;
};

inline bool is_same_file(struct ::stat const& one, struct ::stat const& other) noexcept {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// Opens the very file that an O_PATH descriptor stands for: what was seen to be regular is what is opened.
inline FileDescriptor reopen(FileCalls const& calls, int file, int flags) {
    auto const path = "/proc/self/fd/" + std::to_string(file);
    return FileDescriptor{uninterrupted([&] { return calls.open_at(AT_FDCWD, path.c_str(), flags, 0); })};
}

// Looks, opens and looks again. A device that is put there in between would be opened, which O_NONBLOCK
// keeps from blocking, and closed; so this is for systems that know no better.
inline OpenedFile open_and_compare(FileCalls const& calls, int directory, char const* name, int flags) {
    OpenedFile result;
    if (calls.status_at(directory, name, result.status) != 0) return {{}, {}, errno};
    if (!S_ISREG(result.status.st_mode)) return result;
    FileDescriptor file{uninterrupted([&] { return calls.open_at(directory, name, flags | O_NOFOLLOW, 0); })};
    if (!file.valid()) return {{}, {}, errno};
    struct ::stat opened {};
    if (calls.status(file.get(), opened) != 0) return {{}, {}, errno};
    if (!is_same_file(opened, result.status)) return {{}, opened, S_ISREG(opened.st_mode) ? EAGAIN : 0};
    return {std::move(file), opened, 0};
}

// Opens a regular file for reading, without following a link and without blocking, and nothing else, ever:
// opening alone makes some devices act.
inline OpenedFile open_regular_file(FileCalls const& calls, int directory, char const* name) {
    constexpr int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
#if defined(O_PATH)
    if (calls.features.path_descriptors) {
        FileDescriptor const seen{
            uninterrupted([&] { return calls.open_at(directory, name, O_PATH | O_NOFOLLOW, 0); })};
        if (!seen.valid()) return {{}, {}, errno};
        OpenedFile result;
        if (calls.status(seen.get(), result.status) != 0) return {{}, {}, errno};
        if (!S_ISREG(result.status.st_mode)) return result;
        result.file = reopen(calls, seen.get(), flags);
        if (result.file.valid()) return result;
        if (errno != ENOENT) return {{}, {}, errno}; // ENOENT: no /proc
    }
#endif
    return open_and_compare(calls, directory, name, flags);
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
