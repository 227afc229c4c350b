// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/boost_json.hpp>
#include <longshore/json/parse_output.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using longshore::BoostJson;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

std::string parsed(std::string_view text) {
    return BoostJson::serialize(longshore::parse_output<BoostJson>(text));
}

bool stays_raw(std::string_view text) {
    auto const output = longshore::parse_output<BoostJson>(text);
    auto const* const raw = BoostJson::find(output, "raw_output");
    return output.size() == 1 && raw != nullptr && BoostJson::as_string(*raw) == text;
}

} // namespace

SCENARIO("_parse_output returns result key for non-dict JSON") {
    CHECK(parsed("[1, 2, 3]") == R"({"result":[1,2,3]})");
}
SCENARIO("_parse_output returns empty dict for blank stdout") { CHECK(parsed("") == "{}"); }

TEST_CASE("blank output is an empty object") {
    for (auto const text : {""sv, " "sv, "\n"sv, "\r\n\t \v\f\n"sv, "\xEF\xBB\xBF"sv, "\xEF\xBB\xBF \n"sv}) {
        CAPTURE(text);
        CHECK(parsed(text) == "{}");
    }
}

TEST_CASE("a JSON object is the output itself") {
    CHECK(parsed(R"({"a": {"b": [1]}})") == R"({"a":{"b":[1]}})");
    CHECK(parsed("{}") == "{}");
    CHECK(parsed(R"({"result": 1})") == R"({"result":1})");
    CHECK(parsed(R"({"a":1,"a":2})") == R"({"a":2})");
}

TEST_CASE("any other JSON document is wrapped under result") {
    CHECK(parsed("null") == R"({"result":null})");
    CHECK(parsed("0") == R"({"result":0})");
    CHECK(parsed("\"x\"") == R"({"result":"x"})");
    CHECK(parsed("[]") == R"({"result":[]})");
    CHECK(parsed("true\n") == R"({"result":true})");
    CHECK(parsed("9223372036854775808") == R"({"result":9223372036854775808})");
}

TEST_CASE("a byte order mark before the document and white space around it are skipped") {
    CHECK(parsed("\xEF\xBB\xBF{\"a\":1}") == R"({"a":1})");
    CHECK(parsed("\xEF\xBB\xBF\r\n {\"a\":1}\r\n\r\n") == R"({"a":1})");
    CHECK(parsed("\n\n{\r\n\"a\":\t1}\f\n") == R"({"a":1})");
}

TEST_CASE("a line before or after the document, colours and second documents are never guessed away") {
    for (auto const text :
         {"WARN hello\n{\"a\":1}"sv, "{\"a\":1}\nbye"sv, "{\"a\":1}\n{\"a\":2}"sv, "{} {}"sv, "1 2"sv,
          "\x1b[32m{\"a\":1}\x1b[0m"sv, "{\"a\":1}\x1b[0m"sv, "{\"a\":1}\xEF\xBB\xBF"sv, "{\"a\":1}\0"sv,
          "\xEF\xBB\xBF\xEF\xBB\xBF{}"sv, "plain text"sv, "  indented text\n"sv, "{\"a\":1"sv, "{'a':1}"sv,
          "```json\n{\"a\":1}\n```"sv, "// note\n{}"sv}) {
        CAPTURE(text);
        CHECK(stays_raw(text));
    }
}

TEST_CASE("a document with a value that would be changed silently stays text") {
    for (auto const text :
         {"{\"a\":18446744073709551616}"sv, "{\"a\":-9223372036854775809}"sv,
          "{\"a\":123456789012345678901234567890}"sv, "{\"a\":1E400}"sv, "{\"a\":NaN}"sv, "NaN"sv,
          "Infinity"sv, "-Infinity"sv, "[Infinity]"sv, "{\"a\":\"\\ud99c\"}"sv, "\"\\udc00x\""sv}) {
        CAPTURE(text);
        CHECK(stays_raw(text));
    }
    CHECK(stays_raw(std::string(100000, '[')));
    CHECK(stays_raw(std::string(513, '[') + std::string(513, ']')));
    CHECK_FALSE(stays_raw(std::string(512, '[') + std::string(512, ']')));
}

TEST_CASE("bytes that are not UTF-8 are shown as U+FFFD, and the output can always be written again") {
    CHECK(parsed("caf\xe9") == "{\"raw_output\":\"caf\xEF\xBF\xBD\"}");
    CHECK(parsed("{\"a\":\"\xff\"}") == "{\"raw_output\":\"{\\\"a\\\":\\\"\xEF\xBF\xBD\\\"}\"}");
    CHECK(parsed("\xE2\x82") == "{\"raw_output\":\"\xEF\xBF\xBD\"}");
    CHECK(parsed("\x00\x01\xfe\xff"sv) == "{\"raw_output\":\"\\u0000\\u0001\xEF\xBF\xBD\xEF\xBF\xBD\"}");
}

TEST_CASE("an output that was cut short is never parsed, also where its beginning is a document") {
    for (auto const text : {"123"sv, "{\"a\":1}"sv, "[]"sv, ""sv, " \n"sv}) {
        CAPTURE(text);
        auto const output = longshore::unparsed_output<BoostJson>(text);
        CHECK(output.size() == 1);
        REQUIRE(BoostJson::find(output, "raw_output") != nullptr);
        CHECK(BoostJson::as_string(*BoostJson::find(output, "raw_output")) == text);
    }
    CHECK(BoostJson::serialize(longshore::unparsed_output<BoostJson>("a\xC3")) ==
          "{\"raw_output\":\"a\xEF\xBF\xBD\"}");
}
