// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/boost_json.hpp>

#include <boost/json/monotonic_resource.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

using longshore::BoostJson;
using longshore::JsonKind;
using longshore::ValueError;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

std::string nested(std::size_t depth, std::string_view open, std::string_view middle,
                   std::string_view close) {
    std::string text;
    for (std::size_t level = 0; level < depth; ++level)
        text += open;
    text += middle;
    for (std::size_t level = 0; level < depth; ++level)
        text += close;
    return text;
}

// What a text becomes when it is parsed and written again; empty when it is refused.
std::optional<std::string> through(std::string_view text) {
    auto const document = BoostJson::parse(text);
    if (!document) return std::nullopt;
    return BoostJson::serialize(*document);
}

} // namespace

TEST_CASE("integers of 64 bits come through exactly") {
    for (auto const text :
         {"0"sv, "-1"sv, "9007199254740993"sv, "-9007199254740993"sv, "9223372036854775807"sv,
          "9223372036854775808"sv, "18446744073709551615"sv, "-9223372036854775808"sv}) {
        CAPTURE(text);
        CHECK(through(text) == text);
        CHECK(through("{\"a\":[" + std::string{text} + ",1]}") == "{\"a\":[" + std::string{text} + ",1]}");
    }
}

TEST_CASE("an integer beyond 64 bits is refused, never changed into a double") {
    for (auto const text : {"18446744073709551616"sv, "-9223372036854775809"sv, "100000000000000000000"sv,
                            "123456789012345678901234567890"sv, "-123456789012345678901234567890"sv}) {
        CAPTURE(text);
        CHECK_FALSE(through(text));
        CHECK_FALSE(through("{\"a\":[" + std::string{text} + ",1]}"));
    }
}

TEST_CASE("a number that overflows a double is refused") {
    for (auto const text : {"1E400"sv, "-1E400"sv, "[1e309]"sv, "[1.8e308, 0]"sv}) {
        CAPTURE(text);
        CHECK_FALSE(through(text));
    }
    CHECK(through("1e-400") == through("0.0"));
}

TEST_CASE("a decimal becomes the double nearest to it and is written so that it is read back") {
    for (auto const text : {"0.1", "0.3", "1e5", "1e18", "5e-324", "1.7976931348623157e308",
                            "0.1234567890123456789", "2.2250738585072014e-308", "9007199254740993.5",
                            "123456789.123456789e-5", "179769313486231580793728971405.25"}) {
        CAPTURE(text);
        auto const document = BoostJson::parse(text);
        REQUIRE(document);
        REQUIRE(BoostJson::kind(*document) == JsonKind::number);
        CHECK(BoostJson::as_number(*document) == std::strtod(text, nullptr));
        CHECK(BoostJson::parse(BoostJson::serialize(*document)) == document);
    }
}

TEST_CASE("random doubles come through exactly") {
    std::mt19937_64 random{7};
    for (int round = 0; round < 20000; ++round) {
        auto const bits = random();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (!std::isfinite(number)) continue;
        auto const back = BoostJson::parse(BoostJson::serialize(BoostJson::make(number)));
        REQUIRE(back);
        REQUIRE(BoostJson::as_number(*back) == number);
    }
}

TEST_CASE("a negative zero keeps its sign") {
    for (auto const text : {"-0"sv, "-0.0"sv, "-0e1"sv, " -0 "sv}) {
        CAPTURE(text);
        auto const document = BoostJson::parse(text);
        REQUIRE(document);
        REQUIRE(BoostJson::kind(*document) == JsonKind::number);
        CHECK(std::signbit(BoostJson::as_number(*document)));
        CHECK(BoostJson::serialize(*document).starts_with('-'));
    }
    CHECK(BoostJson::kind(*BoostJson::parse("0")) == JsonKind::integer);
}

TEST_CASE("what is not RFC 8259 is refused") {
    for (auto const text : {""sv,           " "sv,       "NaN"sv,     "Infinity"sv,
                            "-Infinity"sv,  "[NaN]"sv,   "01"sv,      "1."sv,
                            ".5"sv,         "+1"sv,      "0x10"sv,    "[1,]"sv,
                            "{\"a\":1,}"sv, "{a:1}"sv,   "{'a':1}"sv, "[1 2]"sv,
                            "[1]]"sv,       "{} {}"sv,   "1 2"sv,     "// c\n1"sv,
                            "/* c */1"sv,   "\"a"sv,     "\"\t\""sv,  "\"\\x41\""sv,
                            "nul"sv,        "{\"a\"}"sv, "[1]\0"sv,   "\xEF\xBB\xBF{}"sv,
                            "["sv,          "{"sv}) {
        CAPTURE(text);
        CHECK_FALSE(BoostJson::parse(text));
    }
}

TEST_CASE("invalid UTF-8 in a text is refused") {
    for (auto const bytes :
         {"\xff"sv, "\xC0\x80"sv, "\xED\xA0\x80"sv, "\xE2\x82"sv, "\xF4\x90\x80\x80"sv, "\x80"sv}) {
        CAPTURE(bytes);
        CHECK_FALSE(BoostJson::parse("\"" + std::string{bytes} + "\""));
        CHECK_FALSE(BoostJson::parse("{\"" + std::string{bytes} + "\":1}"));
    }
}

TEST_CASE("a lone surrogate escape is refused, and a pair is a character") {
    for (auto const text : {R"({"a":"\ud99c"})"sv, R"("\udc00x")"sv, R"("\ud83d\ud83d")"sv, R"("\ud83dx")"sv,
                            R"({"\ud83d":1})"sv, R"("\ud83d\n")"sv}) {
        CAPTURE(text);
        CHECK_FALSE(BoostJson::parse(text));
    }
    CHECK(BoostJson::as_string(*BoostJson::parse(R"("\ud83d\ude00")")) == "\xF0\x9F\x98\x80");
    CHECK(BoostJson::as_string(*BoostJson::parse(R"("a\u0000b")")) == "a\0b"sv);
}

TEST_CASE("512 levels of nesting are read and written, one more is refused") {
    for (auto const& [open, close] : {std::pair{"["sv, "]"sv}, {"{\"a\":"sv, "}"sv}}) {
        auto const deepest = nested(512, open, "1", close);
        CHECK(through(deepest) == deepest);
        CHECK_FALSE(BoostJson::parse(nested(513, open, "1", close)));
    }
    CHECK(through(nested(512, "[", "", "]")));
    CHECK_FALSE(BoostJson::parse(nested(513, "[", "", "]")));
}

TEST_CASE("a text of a hundred thousand levels is refused and harms nothing") {
    CHECK_FALSE(BoostJson::parse(nested(100000, "[", "", "]")));
    CHECK_FALSE(BoostJson::parse(nested(100000, "[", "", "")));
    CHECK_FALSE(BoostJson::parse(nested(100000, "{\"a\":", "1", "}")));
    CHECK_FALSE(BoostJson::parse(nested(100000, "{\"a\":[", "", "")));
}

TEST_CASE("a document of a hundred thousand levels that was built by hand is refused and harms nothing") {
    boost::json::monotonic_resource memory;
    boost::json::value document(boost::json::object_kind, &memory);
    for (int level = 0; level < 50000; ++level) {
        boost::json::array outer(&memory);
        outer.push_back(std::move(document));
        boost::json::object outermost(&memory);
        outermost.emplace("a", std::move(outer));
        document = std::move(outermost);
    }
    try {
        (void)BoostJson::serialize(document);
        FAIL("serialised");
    } catch (ValueError const& error) {
        CHECK(std::string_view{error.what()}.ends_with("/a/0' is nested deeper than 512 levels"));
    }
}

TEST_CASE("of members with one name the last one wins") {
    CHECK(through(R"({"a":1,"b":2,"a":{"c":3}})") == R"({"a":{"c":3},"b":2})");
    CHECK(through(R"({"a":1,"\u0061":2})") == R"({"a":2})");
}

TEST_CASE("kinds and contents of values") {
    auto const document = BoostJson::parse(R"([null,true,-5,18446744073709551615,1.5,"x",[1],{"k":"v"}])");
    REQUIRE(document);
    JsonKind const kinds[] = {
        JsonKind::null,   JsonKind::boolean, JsonKind::integer, JsonKind::unsigned_integer,
        JsonKind::number, JsonKind::string,  JsonKind::array,   JsonKind::object};
    std::size_t index = 0;
    BoostJson::for_each_element(*document, [&](BoostJson::value const& element) {
        CHECK(BoostJson::kind(element) == kinds[index++]);
    });
    CHECK(index == std::size(kinds));
    auto const& array = document->get_array();
    CHECK(BoostJson::as_boolean(array[1]));
    CHECK(BoostJson::as_integer(array[2]) == -5);
    CHECK(BoostJson::as_unsigned(array[3]) == std::numeric_limits<std::uint64_t>::max());
    CHECK(BoostJson::as_number(array[4]) == 1.5);
    CHECK(BoostJson::as_string(array[5]) == "x");
    CHECK(BoostJson::as_string(*BoostJson::find(BoostJson::as_object(array[7]), "k")) == "v");
}

TEST_CASE("values are made of what they are made of") {
    CHECK(BoostJson::kind(BoostJson::make()) == JsonKind::null);
    CHECK(BoostJson::kind(BoostJson::make(true)) == JsonKind::boolean);
    CHECK(BoostJson::kind(BoostJson::make(1)) == JsonKind::integer);
    CHECK(BoostJson::kind(BoostJson::make(1U)) == JsonKind::unsigned_integer);
    CHECK(BoostJson::kind(BoostJson::make(1.0)) == JsonKind::number);
    CHECK(BoostJson::kind(BoostJson::make("text")) == JsonKind::string);
    CHECK(BoostJson::kind(BoostJson::make("text"s)) == JsonKind::string);
    CHECK(BoostJson::kind(BoostJson::make(BoostJson::object{})) == JsonKind::object);
    CHECK(BoostJson::as_string(BoostJson::make("a\0b"sv)) == "a\0b"sv);
}

TEST_CASE("members are set, found and visited in their order") {
    BoostJson::object members;
    BoostJson::insert(members, "b", BoostJson::make(1));
    BoostJson::insert(members, "a", BoostJson::make("x"));
    BoostJson::insert(members, "b", BoostJson::make(2));
    CHECK(BoostJson::serialize(members) == R"({"b":2,"a":"x"})");
    CHECK(BoostJson::find(members, "c") == nullptr);
    REQUIRE(BoostJson::find(members, "a") != nullptr);
    BoostJson::for_each_member(
        members, [](std::string_view, BoostJson::value& member) { BoostJson::assign(member, "changed"); });
    CHECK(BoostJson::serialize(members) == R"({"b":"changed","a":"changed"})");
}

TEST_CASE("members are renamed in their place, and the later one of a name stays") {
    auto document = BoostJson::parse(R"({"a":1,"b":{"x":1},"c":3})");
    auto& members = BoostJson::as_object(*document);
    BoostJson::rename_members(members, [](std::string_view) { return std::optional<std::string>{}; });
    CHECK(BoostJson::serialize(members) == R"({"a":1,"b":{"x":1},"c":3})");
    BoostJson::rename_members(
        members, [](std::string_view key) { return key == "b" ? std::optional{"B"s} : std::nullopt; });
    CHECK(BoostJson::serialize(members) == R"({"a":1,"B":{"x":1},"c":3})");
    BoostJson::rename_members(
        members, [](std::string_view key) { return key == "c" ? std::optional{"a"s} : std::nullopt; });
    CHECK(BoostJson::serialize(members) == R"({"a":3,"B":{"x":1}})");
}
