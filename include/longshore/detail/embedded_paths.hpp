// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_EMBEDDED_PATHS_HPP
#define LONGSHORE_DETAIL_EMBEDDED_PATHS_HPP

#include <longshore/looks_like_path.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// Paths inside longer texts. A path is found by what stands around it, never by its root: the mapper decides
// by component what belongs to a root. Only the beginning of a path matters to that, so a path that goes on
// behind a space is mapped as well as one that does not.

constexpr bool is_space_or_quote(char c) noexcept {
    return static_cast<unsigned char>(c) <= 0x20 || c == '"' || c == '\'' || c == '`';
}

constexpr bool precedes_path(char c) noexcept {
    return is_space_or_quote(c) || std::string_view{"=:,;|&<>([{@"}.find(c) != std::string_view::npos;
}

constexpr bool ends_path(char c) noexcept {
    return is_space_or_quote(c) || std::string_view{"=:,;|&<>()[]{}\\"}.find(c) != std::string_view::npos;
}

constexpr bool ends_url(char c) noexcept { return is_space_or_quote(c) || c == '<' || c == '>'; }

// The first place from `at` on for which `ends(character)` is true; the end of the text where there is none.
template <typename Ends>
constexpr std::size_t end_of_run(std::string_view text, std::size_t at, Ends ends) noexcept {
    while (at < text.size() && !ends(text[at]))
        ++at;
    return at;
}

// The text with each path in it mapped once by `map(std::string_view)`; empty when that changes nothing. It
// goes through the text once, so what was mapped is never looked at again.
template <typename Map>
std::optional<std::string> mapped_embedded_paths(std::string_view text, Map const& map) {
    std::string mapped;
    std::size_t copied = 0;
    bool changed = false;
    for (auto at = text.find('/'); at != std::string_view::npos; at = text.find('/', at)) {
        if (at != 0 && !precedes_path(text[at - 1])) {
            ++at;
            continue;
        }
        auto const is_url = text.substr(at).starts_with("//");
        auto const end = is_url ? end_of_run(text, at, ends_url) : end_of_run(text, at, ends_path);
        auto const path = text.substr(at, end - at);
        at = end;
        if (!looks_like_path(path)) continue;
        std::string const target = map(path);
        if (target == path) continue;
        mapped.append(text.substr(copied, end - path.size() - copied)).append(target);
        copied = end;
        changed = true;
    }
    if (!changed) return std::nullopt;
    return mapped.append(text.substr(copied));
}

} // namespace longshore::inline v0::detail

#endif
