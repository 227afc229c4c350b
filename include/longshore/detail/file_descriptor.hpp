// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FILE_DESCRIPTOR_HPP
#define LONGSHORE_DETAIL_FILE_DESCRIPTOR_HPP

#include <longshore/config.hpp>

#if !LONGSHORE_WINDOWS

#include <utility>

#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// The only owner of one open descriptor; -1: of none.
class FileDescriptor {
public:
    FileDescriptor() noexcept = default;
    explicit FileDescriptor(int descriptor) noexcept : descriptor_{descriptor} {}
    FileDescriptor(FileDescriptor&& other) noexcept : descriptor_{other.release()} {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    FileDescriptor(FileDescriptor const&) = delete;
    FileDescriptor& operator=(FileDescriptor const&) = delete;
    ~FileDescriptor() { reset(); }

    int get() const noexcept { return descriptor_; }
    bool valid() const noexcept { return descriptor_ >= 0; }

    // Gives up ownership without closing.
    int release() noexcept { return std::exchange(descriptor_, -1); }

    // Closes what is held. close() is never repeated after EINTR: the number is free by then, and another
    // thread may already have it.
    void reset(int descriptor = -1) noexcept {
        auto const old = std::exchange(descriptor_, descriptor);
        if (old >= 0) ::close(old);
    }

private:
    int descriptor_ = -1;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
