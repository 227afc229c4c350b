// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LOOKS_LIKE_PATH_HPP
#define LONGSHORE_LOOKS_LIKE_PATH_HPP

#include <string_view>

namespace longshore::inline v0 {

/// Whether a whole string is taken for an absolute POSIX path, and so is mapped where it stands in JSON.
///
/// It starts with one slash and holds no line feed, no NUL, no `?`, no `#` and no `://`; spaces are fine. So
/// a protocol-relative `//host/x`, a path with a query or a fragment, and a URL are not paths, and neither is
/// a relative path or a Windows form such as `C:\x`. Source: container_tool_exec.feature, "_looks_like_path
/// heuristic boundary checks".
constexpr bool looks_like_path(std::string_view text) noexcept {
    using namespace std::string_view_literals;
    return text.starts_with('/') && !text.starts_with("//"sv) &&
           text.find_first_of("\n\0?#"sv) == std::string_view::npos &&
           text.find("://"sv) == std::string_view::npos;
}

} // namespace longshore::inline v0

#endif
