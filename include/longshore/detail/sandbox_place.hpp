// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SANDBOX_PLACE_HPP
#define LONGSHORE_DETAIL_SANDBOX_PLACE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/filesystem/sandbox_error.hpp>

#if !LONGSHORE_WINDOWS

#include <string>
#include <string_view>
#include <system_error>

#include <sys/stat.h>

namespace longshore::inline v0 {
namespace detail {

// One file or directory of a sandbox, as the error texts name it.
struct SandboxPlace {
    std::string root{};
    std::string path{};

    std::string text() const { return shown_text(path) + " in the sandbox " + shown_text(root); }

    // `doing`: "write", "open the directory 'a' of".
    [[noreturn]] void fail(int error, std::string_view doing) const {
        throw std::system_error{error, std::generic_category(),
                                "cannot " + std::string{doing} + ' ' + text()};
    }

    // `what` goes on after the place: "is a FIFO".
    [[noreturn]] void refuse(SandboxEscape reason, std::string_view what) const {
        throw SandboxEscapeError{text() + ' ' + std::string{what}, reason};
    }

    [[noreturn]] void refuse_kind(::mode_t mode) const;
};

inline std::string_view kind_of_file(::mode_t mode) noexcept {
    switch (mode & S_IFMT) {
    case S_IFLNK:
        return "a symbolic link";
    case S_IFDIR:
        return "a directory";
    case S_IFIFO:
        return "a FIFO";
    case S_IFSOCK:
        return "a socket";
    case S_IFBLK:
    case S_IFCHR:
        return "a device";
    default:
        return "a special file";
    }
}

// Refuses what has this mode where a regular file is expected.
inline void SandboxPlace::refuse_kind(::mode_t mode) const {
    refuse(S_ISLNK(mode) ? SandboxEscape::symbolic_link : SandboxEscape::not_a_regular_file,
           "is " + std::string{kind_of_file(mode)} + ", not a regular file");
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
