// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_DIRECTORY_HANDLE_HPP
#define LONGSHORE_DETAIL_DIRECTORY_HANDLE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>

#include <fcntl.h>

namespace longshore::inline v0 {
namespace detail {

// How directories are opened to go through them: without following a link in the last place, and where the
// system can without leave to read them.
inline int directory_handle_flags(FileCalls const& calls) noexcept {
#if defined(O_PATH)
    if (calls.features.path_descriptors) return O_PATH | O_DIRECTORY | O_NOFOLLOW;
#endif
    return O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
}

// Invalid with errno on failure.
inline FileDescriptor open_directory_handle(FileCalls const& calls, int directory, char const* name,
                                            int flags) {
    return FileDescriptor{uninterrupted([&] { return calls.open_at(directory, name, flags, 0); })};
}

// A second descriptor of the same directory, that can be listed and synced and has a position of its own.
inline FileDescriptor open_readable(FileCalls const& calls, int directory) {
    return open_directory_handle(calls, directory, ".", O_RDONLY | O_DIRECTORY);
}

// Makes the names in a directory survive a power cut. Gives errno, or 0. A directory that we may write but
// not read cannot be synced, and some file systems sync no directories: there is nothing more to be done.
inline int synchronise_directory(FileCalls const& calls, int directory) {
    auto const readable = open_readable(calls, directory);
    if (!readable.valid()) return errno == EACCES ? 0 : errno;
    if (uninterrupted([&] { return calls.synchronise(readable.get()); }) == 0) return 0;
    return errno == EINVAL || errno == EOPNOTSUPP ? 0 : errno;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
