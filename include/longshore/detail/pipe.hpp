// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_PIPE_HPP
#define LONGSHORE_DETAIL_PIPE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_descriptor.hpp>

#if !LONGSHORE_WINDOWS

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// Both ends close-on-exec and blocking.
struct Pipe {
    FileDescriptor reader{};
    FileDescriptor writer{};
};

// Moves a descriptor away from 0, 1 and 2. A host that runs with one of them closed gets it from the next
// open: whatever that host prints would then go into a pipe of ours, and the order in which a child is given
// its streams would matter. The original is kept where there is no room for a second.
inline FileDescriptor above_standard_streams(FileDescriptor descriptor) noexcept {
    if (!descriptor.valid() || descriptor.get() > STDERR_FILENO) return descriptor;
    FileDescriptor raised{::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
    return raised.valid() ? std::move(raised) : std::move(descriptor);
}

// Throws std::system_error, EMFILE or ENFILE, when there are no descriptors left.
inline Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error{errno, std::generic_category(), "cannot create a pipe"};
    Pipe pipe{FileDescriptor{ends[0]}, FileDescriptor{ends[1]}};
    pipe.reader = above_standard_streams(std::move(pipe.reader));
    pipe.writer = above_standard_streams(std::move(pipe.writer));
    if (pipe.reader.get() <= STDERR_FILENO || pipe.writer.get() <= STDERR_FILENO)
        throw std::system_error{EMFILE, std::generic_category(), "cannot create a pipe"};
    return pipe;
}

// It touches one end alone: the other keeps its own mode.
inline void make_non_blocking(FileDescriptor const& descriptor) {
    if (::fcntl(descriptor.get(), F_SETFL, O_NONBLOCK | ::fcntl(descriptor.get(), F_GETFL)) != 0)
        throw std::system_error{errno, std::generic_category(), "cannot make a pipe non-blocking"};
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
