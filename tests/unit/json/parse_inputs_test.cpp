// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/boost_json.hpp>
#include <longshore/json/parse_inputs.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <string>
#include <string_view>

using longshore::BoostJson;

namespace {

std::string fault(std::string_view text) {
    try {
        return "accepted: " + BoostJson::serialize(longshore::parse_inputs<BoostJson>(text));
    } catch (longshore::ValueError const& error) {
        return error.what();
    }
}

std::string nested(std::size_t depth) {
    std::string text;
    for (std::size_t level = 0; level < depth; ++level)
        text += "{\"a\":";
    return text + '1' + std::string(depth, '}');
}

} // namespace

TEST_CASE("inputs are read from JSON text without losing anything") {
    CHECK(fault(R"({"a": 9007199254740993, "b": [18446744073709551615, -9223372036854775808]})") ==
          R"(accepted: {"a":9007199254740993,"b":[18446744073709551615,-9223372036854775808]})");
    CHECK(fault("\xEF\xBB\xBF {\"a\":\"\\ud83d\\ude00\"}\r\n") == "accepted: {\"a\":\"\xF0\x9F\x98\x80\"}");
    CHECK(fault(R"({"a":1e-400,"b":-0.0})").starts_with("accepted: "));
}

TEST_CASE("numbers that would be changed silently are refused with their place") {
    CHECK(fault(R"({"a":[1,{"b":18446744073709551616}]})") ==
          "JSON value at '/a/1/b' is an integer beyond 64 bits");
    CHECK(fault(R"({"a":-9223372036854775809})") == "JSON value at '/a' is an integer beyond 64 bits");
    CHECK(fault(R"({"a":123456789012345678901234567890})") ==
          "JSON value at '/a' is an integer beyond 64 bits");
    CHECK(fault(R"({"a":1E400})") == "JSON value at '/a' is a number beyond what a double can hold");
    CHECK(fault(R"({"a":NaN})") == "JSON value at '/a' is NaN");
    CHECK(fault(R"({"a":[Infinity]})") == "JSON value at '/a/0' is Infinity");
    CHECK(fault(R"({"a":-Infinity})") == "JSON value at '/a' is -Infinity");
}

TEST_CASE("text that is no Unicode is refused with its place") {
    CHECK(fault("{\"a\":\"x\xff\"}") == "JSON value at '/a' holds invalid UTF-8 at byte 1");
    CHECK(fault("{\"a\":\"\xC0\x80\"}") == "JSON value at '/a' holds invalid UTF-8 at byte 0");
    CHECK(fault("{\"a\":\"\xED\xA0\x80\"}") == "JSON value at '/a' holds invalid UTF-8 at byte 0");
    CHECK(fault(R"({"a":"\ud99c"})") == "JSON value at '/a' holds an escape that is no character");
    CHECK(fault(R"({"a":["\udc00x"]})") == "JSON value at '/a/0' holds an escape that is no character");
    CHECK(fault(R"({"a":"\x"})") == "JSON value at '/a' holds an escape that is no character");
    CHECK(fault("{\"a\":{\"\xff\":1}}") ==
          "JSON value at '/a' has a name that holds invalid UTF-8 at byte 0");
}

TEST_CASE("names stand in a pointer as they are written in one") {
    CHECK(fault(R"({"a\/b~c":{"\u00e9":NaN}})") == "JSON value at '/a~1b~0c/\xC3\xA9' is NaN");
}

TEST_CASE("too deep a nesting is refused, and no text is so deep that it overflows the stack") {
    CHECK(fault(nested(512)).starts_with("accepted"));
    CHECK(fault(nested(513)).ends_with("is nested deeper than 512 levels"));
    CHECK(fault(nested(100000)).ends_with("is nested deeper than 512 levels"));
    CHECK(fault(std::string(100000, '[')).ends_with("is nested deeper than 512 levels"));
}

TEST_CASE("text that breaks off or is no JSON is refused with the byte and what is missing") {
    CHECK(fault("") == "JSON document is no JSON at byte 0: it ends too early");
    CHECK(fault(R"({"a":1)") == "JSON document is no JSON at byte 6: a ',' or a '}' is missing");
    CHECK(fault(R"({"a" 1})") == "JSON document is no JSON at byte 5: a ':' is missing");
    CHECK(fault(R"({a:1})") == "JSON document is no JSON at byte 1: a name in quotes is missing");
    CHECK(fault(R"({"a":[1 2]})") == "JSON value at '/a' is no JSON at byte 8: a ',' or a ']' is missing");
    CHECK(fault(R"({"a":[1,]})") == "JSON value at '/a/1' is no JSON at byte 8: no JSON value");
    CHECK(fault(R"({"a":01})") == "JSON value at '/a' is no JSON at byte 5: no number");
    CHECK(fault(R"({"a":+1})") == "JSON value at '/a' is no JSON at byte 5: no JSON value");
    CHECK(fault(R"({"a":"b)") == "JSON value at '/a' is no JSON at byte 7: a '\"' is missing");
    CHECK(fault(R"({"a":"b\)") == "JSON value at '/a' is no JSON at byte 8: a '\"' is missing");
    CHECK(fault("{\"a\":\"b\nc\"}") ==
          "JSON value at '/a' is no JSON at byte 7: a control character stands in a string");
    CHECK(fault(R"({"a":tru})") == "JSON value at '/a' is no JSON at byte 5: no JSON value");
    CHECK(fault(R"({} {})") == "JSON document is no JSON at byte 3: text after the document");
    CHECK(fault("{}\x01") == "JSON document is no JSON at byte 2: text after the document");
    CHECK(fault(std::string_view{"{\"a\":1\0}", 8}) ==
          "JSON document is no JSON at byte 6: a ',' or a '}' is missing");
}

TEST_CASE("a document that is no object is no inputs") {
    for (auto const text : {"[]", "1", "null", "\"text\""})
        CHECK_THROWS_AS(longshore::parse_inputs<BoostJson>(text), longshore::TypeError);
}
