// SPDX-License-Identifier: BSL-1.0
// The UTF-8 tools agree with a decoder that calculates code points and knows no table.
//
// Input: one byte that chooses where to cut, then the text.
#include <longshore/detail/utf8.hpp>

#include <fuzz/input.hpp>
#include <fuzz/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace detail = longshore::detail;

std::string encoded(std::uint32_t point) {
    auto const tail = [&](unsigned shift) { return static_cast<char>(0x80U | ((point >> shift) & 0x3FU)); };
    if (point < 0x80) return {static_cast<char>(point)};
    if (point < 0x800) return {static_cast<char>(0xC0U | (point >> 6U)), tail(0)};
    if (point < 0x10000) return {static_cast<char>(0xE0U | (point >> 12U)), tail(6), tail(0)};
    return {static_cast<char>(0xF0U | (point >> 18U)), tail(12), tail(6), tail(0)};
}

// The code point that these bytes say, overlong or not; empty when lead and length do not fit.
std::optional<std::uint32_t> calculated(std::string_view bytes) {
    constexpr std::uint32_t lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    constexpr std::uint32_t lead_mark[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    auto const lead = static_cast<std::uint8_t>(bytes.front());
    if ((lead & ~lead_bits[bytes.size()] & 0xFFU) != lead_mark[bytes.size()]) return std::nullopt;
    std::uint32_t point = lead & lead_bits[bytes.size()];
    for (char const byte : bytes.substr(1)) {
        if ((static_cast<std::uint8_t>(byte) & 0xC0U) != 0x80) return std::nullopt;
        point = (point << 6U) | (static_cast<std::uint8_t>(byte) & 0x3FU);
    }
    return point;
}

bool is_character(std::string_view bytes) {
    auto const point = calculated(bytes);
    return point && *point <= 0x10FFFF && (*point < 0xD800 || *point > 0xDFFF) && encoded(*point) == bytes;
}

// The length of the character at the front; 0 when none stands there.
std::size_t character_length(std::string_view text) {
    for (std::size_t length = 1; length <= (std::min)(text.size(), std::size_t{4}); ++length)
        if (is_character(text.substr(0, length))) return length;
    return 0;
}

// The beginnings of all characters. Only the last byte differs among 64 code points in a row.
std::set<std::string, std::less<>> const& beginnings() {
    static auto const all = [] {
        std::set<std::string, std::less<>> found;
        for (std::uint32_t point = 0x80; point <= 0x10FFFF; point += 0x40)
            if (auto const text = encoded(point); is_character(text))
                for (std::size_t length = 1; length < text.size(); ++length)
                    found.insert(text.substr(0, length));
        return found;
    }();
    return all;
}

bool is_beginning(std::string_view bytes) { return beginnings().contains(bytes); }

// The bytes at the front that are no character: the longest beginning of one, or a single byte.
std::size_t broken_length(std::string_view text) {
    for (auto length = (std::min)(text.size(), std::size_t{3}); length > 1; --length)
        if (is_beginning(text.substr(0, length))) return length;
    return 1;
}

struct Expected {
    std::string replaced{};
    std::size_t error = std::string_view::npos;
    std::vector<bool> is_inside{}; // whether a cut before this byte splits a character
};

Expected expected_of(std::string_view text) {
    Expected expected;
    for (std::size_t at = 0; at < text.size();) {
        auto const length = character_length(text.substr(at));
        if (length == 0) expected.error = (std::min)(expected.error, at);
        expected.replaced += length == 0 ? "\xEF\xBF\xBD" : text.substr(at, length);
        auto const step = length == 0 ? broken_length(text.substr(at)) : length;
        for (std::size_t byte = 0; byte < step; ++byte)
            expected.is_inside.push_back(length != 0 && byte != 0);
        at += step;
    }
    expected.is_inside.push_back(false);
    return expected;
}

void check_cut(std::string_view text, Expected const& expected, std::size_t max) {
    auto length = (std::min)(max, text.size());
    while (expected.is_inside[length])
        --length;
    fuzz::require_equal(detail::utf8_cut(text, max), text.substr(0, length), "a cut splits no character");
}

void check_partial_end(std::string_view text) {
    auto length = text.size();
    for (std::size_t back = 1; back <= (std::min)(text.size(), std::size_t{3}); ++back)
        if (is_beginning(text.substr(text.size() - back))) length = text.size() - back;
    fuzz::require_equal(detail::utf8_without_partial_end(text), text.substr(0, length),
                        "the beginning of a character at the end is taken off, and nothing else");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    auto const max = input.choice(256);
    std::string const text{input.rest()};
    auto const expected = expected_of(text);
    fuzz::require(detail::utf8_error_offset(text) == expected.error, "the first error is where it stands");
    fuzz::require(detail::utf8_valid(text) == (expected.error == std::string_view::npos),
                  "valid is without error");
    fuzz::require_equal(detail::utf8_replace(text), expected.replaced,
                        "what is broken is replaced run by run");
    fuzz::require(detail::utf8_valid(detail::utf8_replace(text)), "what was replaced is valid");
    check_cut(text, expected, max);
    check_partial_end(text);
    for (std::size_t end = 0; end <= (std::min)(text.size(), std::size_t{16}); ++end)
        check_cut(text, expected, end);
    return 0;
}
