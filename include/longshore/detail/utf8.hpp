// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_UTF8_HPP
#define LONGSHORE_DETAIL_UTF8_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// Well-formed UTF-8 is table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing beyond
// U+10FFFF. Everything here works on bytes and never throws but for memory.

constexpr std::uint8_t utf8_byte(std::string_view text, std::size_t at) noexcept {
    return static_cast<std::uint8_t>(text[at]);
}

// The bytes from `at` on that are ASCII, eight at a time: most text is ASCII from one end to the other.
inline std::size_t utf8_ascii_run(std::string_view text, std::size_t at) noexcept {
    auto position = at;
    for (std::uint64_t word = 0; text.size() - position >= sizeof word; position += sizeof word) {
        std::memcpy(&word, text.data() + position, sizeof word);
        if ((word & 0x8080808080808080U) != 0) break;
    }
    while (position < text.size() && utf8_byte(text, position) < 0x80)
        ++position;
    return position - at;
}

// How long the character is that starts with this byte; 0 when no character starts with it.
constexpr std::size_t utf8_expected_length(std::uint8_t first) noexcept {
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    if (first < 0xE0) return 2;
    return first < 0xF0 ? 3 : 4;
}

// Whether `second` may follow `first`: this is where overlong forms, surrogates and U+110000 are refused.
constexpr bool utf8_second_fits(std::uint8_t first, std::uint8_t second) noexcept {
    auto const low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    auto const high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
}

struct Utf8Character {
    std::size_t length; // bytes of the character, or of the longest beginning of one that stands there
    bool whole;         // false: the bytes are not a character
};

// Looks at the character at `at`, which must be inside the text. The length is never 0.
constexpr Utf8Character utf8_character(std::string_view text, std::size_t at) noexcept {
    auto const first = utf8_byte(text, at);
    auto const expected = utf8_expected_length(first);
    if (expected <= 1) return {1, expected == 1};
    std::size_t length = 1;
    while (length < expected && at + length < text.size()) {
        auto const next = utf8_byte(text, at + length);
        if (length == 1 ? !utf8_second_fits(first, next) : (next & 0xC0U) != 0x80) break;
        ++length;
    }
    return {length, length == expected};
}

// Where the first byte stands that is no part of a character; `npos` for well-formed text.
inline std::size_t utf8_error_offset(std::string_view text) noexcept {
    auto at = utf8_ascii_run(text, 0);
    while (at < text.size()) {
        auto const character = utf8_character(text, at);
        if (!character.whole) return at;
        at += character.length;
        if (at < text.size() && utf8_byte(text, at) < 0x80) at += utf8_ascii_run(text, at);
    }
    return std::string_view::npos;
}

inline bool utf8_valid(std::string_view text) noexcept {
    return utf8_error_offset(text) == std::string_view::npos;
}

// Where the last character starts that begins in the last four bytes before `end`; `end` when none does.
constexpr std::size_t utf8_last_start(std::string_view text, std::size_t end) noexcept {
    for (std::size_t back = 1; back <= 4 && back <= end; ++back)
        if ((utf8_byte(text, end - back) & 0xC0U) != 0x80) return end - back;
    return end;
}

// The longest prefix of at most `max` bytes that splits no character. Where the bytes around the cut are not
// UTF-8 there is no character to keep whole, and the cut is exact.
constexpr std::string_view utf8_cut(std::string_view text, std::size_t max) noexcept {
    if (text.size() <= max) return text;
    auto const start = utf8_last_start(text, max);
    if (start == max) return text.substr(0, max);
    auto const character = utf8_character(text, start);
    return text.substr(0, character.whole && start + character.length > max ? start : max);
}

// The text without the beginning of a character at its end: for bytes whose continuation was never kept.
constexpr std::string_view utf8_without_partial_end(std::string_view text) noexcept {
    auto const start = utf8_last_start(text, text.size());
    if (start == text.size()) return text;
    auto const character = utf8_character(text, start);
    auto const partial = !character.whole && start + character.length == text.size() &&
                         utf8_expected_length(utf8_byte(text, start)) > character.length;
    return partial ? text.substr(0, start) : text;
}

// The text with U+FFFD for each longest run of bytes that is the beginning of a character and no more, as
// the Unicode standard recommends and every browser does.
inline std::string utf8_replace(std::string_view text) {
    std::string replaced;
    replaced.reserve(text.size());
    while (!text.empty()) {
        auto const error = utf8_error_offset(text);
        replaced.append(text.substr(0, error));
        if (error == std::string_view::npos) break;
        replaced.append("\xEF\xBF\xBD");
        text.remove_prefix(error + utf8_character(text, error).length);
    }
    return replaced;
}

} // namespace longshore::inline v0::detail

#endif
