// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SANDBOX_PATH_HPP
#define LONGSHORE_DETAIL_SANDBOX_PATH_HPP

#include <longshore/config.hpp>
#include <longshore/detail/lexical_path.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/temporary_name.hpp>
#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_error.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace longshore::inline v0 {
namespace detail {

// Components of a path below the root of a sandbox, in order. None: the root itself.
using SandboxComponents = std::vector<std::string>;

// No file system of ours takes a longer name. Known beforehand, it makes no parents for nothing.
inline constexpr std::size_t longest_file_name = 255;

[[noreturn]] inline void refuse_sandbox_path(std::string_view path, std::string_view why) {
    throw ValueError{"a path in the sandbox " + std::string{why} + ": " + shown_text(path)};
}

inline void check_sandbox_component(std::string_view component, std::string_view path) {
    if (component == "..")
        throw SandboxEscapeError{"a path in the sandbox must not climb with '..': " + shown_text(path),
                                 SandboxEscape::traversal};
    if (component.size() > longest_file_name)
        throw std::system_error{ENAMETOOLONG, std::generic_category(),
                                "a name of " + std::to_string(component.size()) + " bytes in " +
                                    shown_text(path)};
}

// The components of a directory's path. Doubled slashes, `.` and a slash at the end mean nothing. Throws
// ValueError for a path that is empty, absolute or holds a NUL, SandboxEscapeError for `..`, and
// std::system_error for a name that is too long.
inline SandboxComponents sandbox_directory_path(std::string_view path) {
    if (path.empty()) throw ValueError{"a path in the sandbox must not be empty"};
    if (holds_null(path)) refuse_sandbox_path(path, "must not hold null bytes");
    if (path.front() == '/') refuse_sandbox_path(path, "must be relative to its root, not absolute");
    SandboxComponents components;
    for (auto rest = path; !rest.empty();) {
        auto const component = take_component(rest);
        if (component.empty() || component == ".") continue;
        check_sandbox_component(component, path);
        components.emplace_back(component);
    }
    return components;
}

// The place of a file: the components of its directory, and its name there.
struct SandboxFilePath {
    SandboxComponents directory{};
    std::string name{};
};

// As above, and throws ValueError for a path that can only name a directory, and for the name of a temporary,
// which the next sweep would remove.
inline SandboxFilePath sandbox_file_path(std::string_view path) {
    auto components = sandbox_directory_path(path);
    auto const last = path.substr(path.rfind('/') + 1); // npos + 1 is 0: the whole of it
    if (components.empty() || last.empty() || last == ".")
        refuse_sandbox_path(path, "must name a file, not a directory");
    if (is_temporary_name(last)) refuse_sandbox_path(path, "must not have the name of a temporary");
    auto name = std::move(components.back());
    components.pop_back();
    return {std::move(components), std::move(name)};
}

inline std::string joined(SandboxComponents const& components) {
    std::string path;
    for (auto const& component : components)
        path.append(path.empty() ? "" : "/").append(component);
    return path.empty() ? "." : path;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
