// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_RESOLVE_BINARY_HPP
#define LONGSHORE_DETAIL_RESOLVE_BINARY_HPP

#include <longshore/config.hpp>

#if !LONGSHORE_WINDOWS

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

inline bool is_executable_file(std::string const& path) noexcept {
    struct ::stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
}

// The absolute path of a program: the first executable regular file of that name in `search_path`, a list as
// the variable PATH holds. Empty and relative entries are skipped, because they mean another program in every
// working directory. A name with a slash is not searched for, and is taken only when it is absolute.
inline std::optional<std::string> resolve_binary(std::string_view name, std::string_view search_path) {
    if (name.empty() || name.find('\0') != std::string_view::npos) return std::nullopt;
    if (name.find('/') != std::string_view::npos) {
        auto path = std::string{name};
        if (path.front() != '/' || !is_executable_file(path)) return std::nullopt;
        return path;
    }
    while (!search_path.empty()) {
        auto const directory = search_path.substr(0, search_path.find(':'));
        search_path.remove_prefix(directory.size() + (directory.size() < search_path.size() ? 1 : 0));
        if (directory.empty() || directory.front() != '/') continue;
        auto path = std::string{directory};
        if (path.back() != '/') path += '/';
        path += name;
        if (path.find('\0') == std::string::npos && is_executable_file(path)) return path;
    }
    return std::nullopt;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
