// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/error_text.hpp>
#include <longshore/detail/utf8.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using longshore::error_tail;
using longshore::error_text_limit;
using longshore::Redactor;
using namespace std::chrono_literals;

TEST_CASE("error texts are the specification's, word for word") {
    CHECK(longshore::failed_text(1, "oops") == "Container execution failed (exit code 1): oops");
    CHECK(longshore::failed_text(-1, "No such file") ==
          "Container execution failed (exit code -1): No such file");
    CHECK(longshore::timed_out_text(30) == "Container execution timed out after 30s");
    CHECK(longshore::timed_out_text(1500ms) == "Container execution timed out after 1.5s");
}

TEST_CASE("an error text holds the last part of the standard error, without the white space at its end") {
    CHECK(error_tail("oops\n\n", false, {}) == "oops");
    CHECK(error_tail(" \n", false, {}) == "");
    auto const text = std::string(error_text_limit, 'a') + "the reason\n";
    auto const tail = error_tail(text, false, {});
    CHECK(tail.starts_with("...a"));
    CHECK(tail.ends_with("the reason"));
    CHECK(tail.size() == error_text_limit + 3);
}

TEST_CASE("an error text that is cut in front starts with a whole character, at each place of the cut") {
    for (std::size_t shift = 0; shift < 8; ++shift) {
        std::string text;
        while (text.size() < error_text_limit + 16)
            text += "\xF0\x9F\x9A\xA2";
        text += std::string(shift, 'x');
        auto const tail = error_tail(text, false, {});
        CAPTURE(shift);
        CHECK(longshore::detail::utf8_valid(tail));
        CHECK(tail.find("\xEF\xBF\xBD") == std::string::npos);
    }
}

TEST_CASE("bytes that are not UTF-8 stand in an error text as U+FFFD") {
    CHECK(error_tail("a\xFF", false, {}) == "a\xEF\xBF\xBD");
    CHECK(error_tail(std::string(error_text_limit * 2, '\x80'), false, {}).starts_with("...\xEF\xBF\xBD"));
}

TEST_CASE("secrets are gone from an error text before it is cut, at each place of the cut") {
    Redactor const redactor{{"hunter2"}};
    for (std::size_t shift = 0; shift < 12; ++shift) {
        auto const text = "x hunter2" + std::string(error_text_limit - shift, 'a');
        auto const tail = error_tail(text, false, redactor);
        CAPTURE(shift);
        for (auto const* part : {"hunter2", "unter2", "nter2", "ter2", "er2", "r2"})
            CHECK(tail.find(part) == std::string::npos);
    }
    CHECK(error_tail("password hunt", true, redactor) == "password");
}
