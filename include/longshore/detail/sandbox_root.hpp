// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SANDBOX_ROOT_HPP
#define LONGSHORE_DETAIL_SANDBOX_ROOT_HPP

#include <longshore/config.hpp>
#include <longshore/detail/directory_handle.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/lexical_path.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_error.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// A slash or `/.` at the end makes the system follow a link that O_NOFOLLOW is there to refuse.
inline std::string sandbox_root_path(std::string_view path) {
    if (path.empty()) throw ValueError{"the root of a sandbox must not be empty"};
    if (holds_null(path))
        throw ValueError{"the root of a sandbox must not hold null bytes: " + shown_text(path)};
    auto rest = path;
    while (rest.size() > 1 && (rest.ends_with('/') || rest.ends_with("/.")))
        rest.remove_suffix(1);
    if (rest.front() == '/' && lexically_resolved(rest) == "/")
        throw ValueError{"the root of a sandbox must not be the file system's root: " + shown_text(path)};
    return std::string{rest};
}

[[noreturn]] inline void fail_at_root(int error, std::string_view doing, std::string const& path) {
    throw std::system_error{error, std::generic_category(),
                            "cannot " + std::string{doing} + " the sandbox " + shown_text(path)};
}

[[noreturn]] inline void distrust_root(std::string const& path, std::string const& why) {
    throw SandboxEscapeError{"the sandbox " + shown_text(path) + ' ' + why, SandboxEscape::untrusted_root};
}

inline std::string octal_mode(::mode_t mode) {
    std::string text = "0000";
    for (std::size_t digit = 4; digit-- > 1; mode >>= 3U)
        text[digit] = static_cast<char>('0' + (mode & 7U));
    return text;
}

inline void check_private_root(struct ::stat const& status, std::string const& path) {
    if (auto const user = ::geteuid(); status.st_uid != user)
        distrust_root(path, "belongs to user " + std::to_string(status.st_uid) + ", not to this one, " +
                                std::to_string(user));
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        distrust_root(path, "may be written by others, its mode is " + octal_mode(status.st_mode & 0777U));
}

// A handle of the root, created when asked to. `only_private`: neither a link, nor another user's, nor
// writable by others; decided on what was opened, so that an exchange changes nothing.
inline FileDescriptor open_sandbox_root(FileCalls const& calls, std::string const& path, bool created,
                                        bool only_private) {
    if (created && calls.make_directory(AT_FDCWD, path.c_str()) != 0 && errno != EEXIST)
        fail_at_root(errno, "create", path);
    auto const flags = directory_handle_flags(calls) & ~(only_private ? 0 : O_NOFOLLOW);
    auto root = open_directory_handle(calls, AT_FDCWD, path.c_str(), flags);
    struct ::stat status {};
    if (!root.valid()) {
        auto const error = errno;
        if (only_private && calls.status_at(AT_FDCWD, path.c_str(), status) == 0 && S_ISLNK(status.st_mode))
            distrust_root(path, "is a symbolic link");
        fail_at_root(error, "open", path);
    }
    if (!only_private) return root;
    if (calls.status(root.get(), status) != 0) fail_at_root(errno, "look at", path);
    check_private_root(status, path);
    return root;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
