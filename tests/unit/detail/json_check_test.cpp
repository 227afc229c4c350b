// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/json_check.hpp>
#include <longshore/json/boost_json.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <utility>

using longshore::BoostJson;
using longshore::ValueError;
using namespace std::string_view_literals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

BoostJson::object object_of(std::string_view key, BoostJson::value member) {
    BoostJson::object members;
    BoostJson::insert(members, key, std::move(member));
    return members;
}

std::string refusal(auto const& document) {
    try {
        longshore::detail::JsonCheck<BoostJson>::require_serialisable(document);
    } catch (ValueError const& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("NaN and Infinity are refused with the JSON pointer of where they stand") {
    CHECK(refusal(BoostJson::make(not_a_number)) == "JSON document is NaN");
    CHECK(refusal(BoostJson::make(-infinity)) == "JSON document is -Infinity");
    auto const inner = object_of("c", BoostJson::make(infinity));
    auto const array = BoostJson::value{1, "x", inner};
    CHECK(refusal(object_of("a", array)) == "JSON value at '/a/2/c' is Infinity");
    CHECK(refusal(BoostJson::make(object_of("a", array))) == "JSON value at '/a/2/c' is Infinity");
}

TEST_CASE("the JSON pointer is escaped as RFC 6901 says") {
    CHECK(refusal(object_of("a/b~c", BoostJson::make(not_a_number))) == "JSON value at '/a~1b~0c' is NaN");
    CHECK(refusal(object_of("", BoostJson::make(not_a_number))) == "JSON value at '/' is NaN");
}

TEST_CASE("invalid UTF-8 in strings and in names is refused with its place") {
    for (auto const bytes : {"\xff"sv, "\xC0\x80"sv, "\xED\xA0\x80"sv, "\xE2\x82"sv, "\xF4\x90\x80\x80"sv}) {
        CAPTURE(bytes);
        auto const text = "ab" + std::string{bytes};
        CHECK(refusal(object_of("k", BoostJson::make(text))) ==
              "JSON value at '/k' holds invalid UTF-8 at byte 2");
        auto const named = refusal(object_of(text, BoostJson::make(1)));
        CHECK(named.starts_with("JSON value at '/ab\xEF\xBF\xBD"));
        CHECK(named.ends_with("' has a name with invalid UTF-8 at byte 2"));
        CHECK(longshore::detail::utf8_valid(named));
    }
}

TEST_CASE("the first offender in the order of the document is the one that is named") {
    auto members = object_of("fine", BoostJson::make(1));
    BoostJson::insert(members, "first", BoostJson::value{1, not_a_number, infinity});
    BoostJson::insert(members, "second", BoostJson::make(infinity));
    CHECK(refusal(members) == "JSON value at '/first/1' is NaN");
}

TEST_CASE("what JSON can say is accepted") {
    auto members = object_of("text", BoostJson::make("a\0\x1f\x7f\xF4\x8F\xBF\xBF"sv));
    BoostJson::insert(members, "numbers", BoostJson::value{-0.0, 1e308, 5e-324, 1, true, nullptr});
    CHECK(refusal(members).empty());
    CHECK(refusal(BoostJson::object{}).empty());
}
