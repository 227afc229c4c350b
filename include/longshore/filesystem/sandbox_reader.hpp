// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_FILESYSTEM_SANDBOX_READER_HPP
#define LONGSHORE_FILESYSTEM_SANDBOX_READER_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/sandbox_place.hpp>
#include <longshore/error.hpp>

#if !LONGSHORE_WINDOWS

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace longshore::inline v0 {

/// A regular file of a sandbox, read from its front to the size that it had when it was opened.
/// `SandboxDirectory::open_file` makes it.
///
/// Errors: `ContainerExecutionError` when the file has become shorter, `std::system_error` with the file in
/// its text. A file that grows is read to `size()`; one that is written to meanwhile may be read as a mix, as
/// by any reader.
/// Thread safety: none; it may move between threads. Lifetime: it outlives its `SandboxDirectory` if it must.
class SandboxReader {
public:
    /// Bytes in all, known from the start.
    std::uint64_t size() const noexcept { return size_; }
    std::uint64_t remaining() const noexcept { return remaining_; }

    /// As it was given to `open_file`.
    std::string const& path() const noexcept { return place_.path; }

    /// Fills the front of `into` and returns how much; 0 only after `size()` bytes, or for an empty span. So
    /// it can be the source of an `InputStream`.
    std::size_t read(std::span<char> into) {
        auto const wanted = static_cast<std::size_t>((std::min)(std::uint64_t{into.size()}, remaining_));
        if (wanted == 0) return 0;
        auto const count =
            detail::uninterrupted([&] { return calls_->read(file_.get(), into.data(), wanted); });
        if (count < 0) place_.fail(errno, "read");
        if (count == 0)
            throw ContainerExecutionError{place_.text() +
                                          " became shorter while it was read: " + std::to_string(remaining_) +
                                          " of " + std::to_string(size_) + " bytes are missing"};
        remaining_ -= static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
    }

private:
    friend class SandboxDirectory;

    SandboxReader(detail::FileCalls const& calls, detail::FileDescriptor file, std::uint64_t size,
                  detail::SandboxPlace place)
        : calls_{&calls}, file_{std::move(file)}, place_{std::move(place)}, size_{size}, remaining_{size} {}

    detail::FileCalls const* calls_;
    detail::FileDescriptor file_;
    detail::SandboxPlace place_;
    std::uint64_t size_;
    std::uint64_t remaining_;
};

} // namespace longshore::inline v0

#endif
#endif
