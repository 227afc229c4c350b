// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/redactor.hpp>

#include <doctest/doctest.h>

#include <string>

using longshore::Redactor;

TEST_CASE("Redactor replaces each place of each secret and leaves the rest") {
    Redactor const redactor{{"hunter2", "token"}};
    CHECK(redactor("hunter2 and token, hunter2!") == "[redacted] and [redacted], [redacted]!");
    CHECK(redactor("nothing here") == "nothing here");
    CHECK(redactor("") == "");
}

TEST_CASE("Redactor without secrets changes nothing, and an empty secret is no secret") {
    CHECK(Redactor{}("text") == "text");
    CHECK(Redactor{{""}}("text") == "text");
}

TEST_CASE("Redactor leaves no part of secrets that overlap or hold one another") {
    CHECK(Redactor{{"abc", "bcd"}}("xabcdx") == "x[redacted]x");
    CHECK(Redactor{{"pass", "password"}}("password") == "[redacted]");
    CHECK(Redactor{{"aba"}}("ababa") == "[redacted]");
    CHECK(Redactor{{"ab"}}("abab") == "[redacted][redacted]");
}

TEST_CASE("Redactor drops the beginning of a secret at the end of a text that was cut off") {
    Redactor const redactor{{"hunter2", "hut"}};
    CHECK(redactor("password: hunt", true) == "password: ");
    CHECK(redactor("password: hunt", false) == "password: hunt");
    CHECK(redactor("hunter2 hu", true) == "[redacted] ");
    CHECK(redactor("h", true) == "");
    CHECK(redactor("nothing", true) == "nothing");
}
