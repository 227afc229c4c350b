// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_LEXICAL_PATH_HPP
#define LONGSHORE_DETAIL_LEXICAL_PATH_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// Absolute POSIX paths as texts: nothing here asks a file system, because the path may belong to another one.

// The first component of `rest`, which is taken off it together with its slash.
constexpr std::string_view take_component(std::string_view& rest) noexcept {
    auto const slash = rest.find('/');
    auto const component = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    return component;
}

// Whether an absolute path has nothing to resolve; a slash at its end is fine.
constexpr bool is_lexically_plain(std::string_view path) noexcept {
    for (auto rest = path.substr(1); !rest.empty();) {
        auto const component = take_component(rest);
        if (component.empty() || component == "." || component == "..") return false;
    }
    return true;
}

// An absolute path without `.`, `..`, doubled slashes and the slash at its end; `..` above the top stays
// there.
inline std::string lexically_resolved(std::string_view path) {
    std::string resolved;
    resolved.reserve(path.size());
    for (auto rest = path.substr(1); !rest.empty();) {
        auto const component = take_component(rest);
        if (component.empty() || component == ".") continue;
        if (component == "..")
            resolved.resize(resolved.empty() ? 0 : resolved.rfind('/'));
        else
            resolved.append("/").append(component);
    }
    return resolved.empty() ? "/" : resolved;
}

// Whether a resolved path is `root` or below it, decided by component: `/ab` is not below `/a`.
constexpr bool is_lexically_within(std::string_view path, std::string_view root) noexcept {
    return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

} // namespace longshore::inline v0::detail

#endif
