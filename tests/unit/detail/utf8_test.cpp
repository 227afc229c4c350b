// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/utf8.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

using namespace longshore::detail;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

std::string encoded(std::uint32_t point) {
    auto const byte = [](std::uint32_t value) {
        return static_cast<char>(static_cast<unsigned char>(value));
    };
    if (point < 0x80) return {byte(point)};
    if (point < 0x800) return {byte(0xC0 | point >> 6U), byte(0x80 | (point & 0x3FU))};
    if (point < 0x10000)
        return {byte(0xE0 | point >> 12U), byte(0x80 | (point >> 6U & 0x3FU)), byte(0x80 | (point & 0x3FU))};
    return {byte(0xF0 | point >> 18U), byte(0x80 | (point >> 12U & 0x3FU)),
            byte(0x80 | (point >> 6U & 0x3FU)), byte(0x80 | (point & 0x3FU))};
}

std::string replacements(std::size_t count) {
    std::string text;
    while (text.size() < 3 * count)
        text += "\xEF\xBF\xBD";
    return text;
}

// Each way that bytes fail to be a character, and how many U+FFFD stand for them.
struct Broken {
    std::string_view bytes;
    std::size_t count;
};

constexpr Broken broken[] = {
    {"\xff"sv, 1},
    {"\x80"sv, 1},
    {"\xC0\x80"sv, 2},         // overlong NUL
    {"\xC1\xBF"sv, 2},         // overlong
    {"\xE0\x9F\xBF"sv, 3},     // overlong
    {"\xF0\x8F\xBF\xBF"sv, 4}, // overlong
    {"\xED\xA0\x80"sv, 3},     // surrogate
    {"\xED\xBF\xBF"sv, 3},     // surrogate
    {"\xF4\x90\x80\x80"sv, 4}, // above U+10FFFF
    {"\xF5\x80"sv, 2},
    {"\xE2\x82"sv, 1},     // the beginning of a character
    {"\xF0\x9F\x98"sv, 1}, // the beginning of a character
    {"\xC3"sv, 1},
};

} // namespace

TEST_CASE("each character from U+0000 to U+10FFFF is UTF-8, and no surrogate is") {
    for (std::uint32_t point = 0; point <= 0x110000; ++point) {
        auto const is_surrogate = point >= 0xD800 && point <= 0xDFFF;
        auto const expected = !is_surrogate && point <= 0x10FFFF;
        if (utf8_valid(encoded(point)) != expected) FAIL("U+" << point);
    }
}

TEST_CASE("broken UTF-8 is found where it stands and replaced by U+FFFD") {
    for (auto const row : broken)
        for (auto const length : {0, 1, 7, 8, 9, 31}) {
            CAPTURE(row.bytes);
            CAPTURE(length);
            auto const before = std::string(static_cast<std::size_t>(length), 'a');
            auto const text = before + std::string{row.bytes} + "z\xC3\xA9";
            CHECK_FALSE(utf8_valid(text));
            CHECK(utf8_error_offset(text) == before.size());
            CHECK(utf8_replace(text) == before + replacements(row.count) + "z\xC3\xA9");
            CHECK(utf8_replace(before + std::string{row.bytes}) == before + replacements(row.count));
            CHECK(utf8_valid(utf8_replace(text)));
        }
}

TEST_CASE("UTF-8 is not changed by replacing what is broken") {
    for (auto const& text : {""s, "plain"s, "a\0b"s, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"s,
                             "long enough for words of eight bytes \xE2\x82\xAC and more behind it"s}) {
        CHECK(utf8_valid(text));
        CHECK(utf8_replace(text) == text);
    }
}

TEST_CASE("a cut never splits a character and is as long as it may be") {
    auto const text = "ab\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"s; // characters end at 1 2 4 7 11 12
    std::size_t const lengths[] = {0, 1, 2, 2, 4, 4, 4, 7, 7, 7, 7, 11, 12, 12, 12};
    for (std::size_t max = 0; max < std::size(lengths); ++max) {
        CAPTURE(max);
        CHECK(utf8_cut(text, max) == text.substr(0, lengths[max]));
    }
}

TEST_CASE("a cut through bytes that are no character is exact") {
    for (auto const text : {"\x80\x80\x80\x80\x80\x80"sv, "\xff\xff\xff\xff"sv, "\xF0\x9F\x98 abc"sv,
                            "\xED\xA0\x80xyz"sv, "\xC0\x80\xC0\x80"sv}) {
        CAPTURE(text);
        for (std::size_t max = 0; max <= text.size(); ++max)
            CHECK(utf8_cut(text, max).size() == max);
    }
    CHECK(utf8_cut("\xE2\x82"sv, 1).size() == 1);
    CHECK(utf8_cut("ab\xE2\x82"sv, 9).size() == 4);
}

TEST_CASE("the beginning of a character at the end of a text can be taken off") {
    CHECK(utf8_without_partial_end("ab\xF0\x9F\x98"sv) == "ab");
    CHECK(utf8_without_partial_end("ab\xF0\x9F"sv) == "ab");
    CHECK(utf8_without_partial_end("ab\xF0"sv) == "ab");
    CHECK(utf8_without_partial_end("\xE2\x82"sv).empty());
    for (auto const text : {""sv, "ab"sv, "ab\xC3\xA9"sv, "\xF0\x9F\x98\x80"sv, "ab\xff"sv, "ab\x80"sv,
                            "\xED\xA0"sv, "\xE2\x82\xAC\x80"sv, "\x80\x80\x80\x80\x80"sv}) {
        CAPTURE(text);
        CHECK(utf8_without_partial_end(text) == text);
    }
}
