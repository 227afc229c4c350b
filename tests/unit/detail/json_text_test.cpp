// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/json_text.hpp>
#include <longshore/json/boost_json.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using longshore::detail::json_text;

TEST_CASE("text is written as a JSON string") {
    CHECK(json_text("") == R"("")");
    CHECK(json_text("a\"b\\c/d") == R"("a\"b\\c/d")");
    CHECK(json_text("\n\r\t\x01\x7f") == R"("\n\r\t\u0001\u007f")");
    CHECK(json_text("caf\xC3\xA9 \xF0\x9F\x98\x80") == "\"caf\xC3\xA9 \xF0\x9F\x98\x80\"");
}

TEST_CASE("bytes that are no UTF-8 are written as U+FFFD") {
    CHECK(json_text("a\xFF"
                    "b") == "\"a\xEF\xBF\xBD"
                            "b\"");
    CHECK(json_text("\xED\xA0\x80") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST_CASE("every byte between two others reads back as a strict JSON library reads it") {
    for (int byte = 0; byte < 0x80; ++byte) {
        std::string const text{'a', static_cast<char>(byte), 'b'};
        auto const read = longshore::BoostJson::parse(json_text(text));
        REQUIRE(read.has_value());
        CHECK(longshore::BoostJson::as_string(*read) == text);
    }
}
