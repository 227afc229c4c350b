// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/shown_text.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using longshore::detail::holds_control;
using longshore::detail::holds_null;
using longshore::detail::shown_text;
using namespace std::string_view_literals;

TEST_CASE("a shown text stands in quotes with its control characters escaped") {
    CHECK(shown_text("plain") == "'plain'");
    CHECK(shown_text("") == "''");
    CHECK(shown_text("a\0b\n\x1b[31m\x7f"sv) == "'a\\x00b\\x0a\\x1b[31m\\x7f'");
    CHECK(shown_text("\xC3\xA9") == "'\xC3\xA9'");
}

TEST_CASE("a shown text is bounded") {
    CHECK(shown_text(std::string(200, 'x')) == "'" + std::string(200, 'x') + "'");
    CHECK(shown_text(std::string(201, 'x')) == "'" + std::string(200, 'x') + "...'");
}

TEST_CASE("control characters and null bytes are found anywhere in a text") {
    CHECK(holds_control("a\t"));
    CHECK(holds_control("\0"sv));
    CHECK_FALSE(holds_control("a \xC3\xA9~"));
    CHECK(holds_null("a\0b"sv));
    CHECK_FALSE(holds_null("a\nb"));
}

TEST_CASE("a shown text is UTF-8 whatever the value is, and is not cut inside a character") {
    CHECK(shown_text("a\xff\xc3z") == "'a\xEF\xBF\xBD\xEF\xBF\xBDz'");
    CHECK(shown_text(std::string(199, 'x') + "\xC3\xA9") == "'" + std::string(199, 'x') + "...'");
}
