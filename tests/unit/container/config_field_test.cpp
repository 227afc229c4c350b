// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/config_field.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace std::chrono_literals;
using longshore::ValueError;

namespace {

struct NoQuestionMark {
    static void validate(std::string_view text) {
        if (text.find('?') != std::string_view::npos) throw ValueError{"no question marks"};
    }
};
using Text = longshore::TextField<NoQuestionMark>;

struct NoEmptyElement {
    static void validate(std::vector<std::string> const& elements) {
        for (auto const& element : elements)
            if (element.empty()) throw ValueError{"no empty elements"};
    }
};
using List = longshore::ListField<std::string, NoEmptyElement>;

struct BelowTen {
    static constexpr std::string_view name = "digit";
    static constexpr void validate(std::size_t value) {
        if (value >= 10) throw ValueError{"too large"};
    }
};
using Digit = longshore::CountField<BelowTen>;

} // namespace

TEST_CASE("a text field checks itself at first and on every assignment, and keeps its value when refused") {
    CHECK_THROWS_AS(Text{"what?"}, ValueError);
    Text field{"so"};
    CHECK_THROWS_AS(field = "what?", ValueError);
    CHECK_THROWS_AS(field = std::string{"?"}, ValueError);
    CHECK(field == "so");
    field = std::string_view{"else"};
    CHECK(field == Text{"else"});
    CHECK(field != std::string{"so"});
}

TEST_CASE("a text field reads as a string") {
    Text const field{"so"};
    std::string const copy = field;
    std::string_view const view = field;
    CHECK(copy == "so");
    CHECK(view == "so");
    CHECK(field.string() == "so");
    CHECK_FALSE(field.empty());
    CHECK(Text{}.empty());
}

TEST_CASE("a list field checks each element at first and on every assignment") {
    CHECK_THROWS_AS((List{"a", ""}), ValueError);
    List field{"a", "b"};
    CHECK_THROWS_AS((field = {"a", "b", ""}), ValueError);
    CHECK(field == List{"a", "b"});
    field = std::vector<std::string>{"c"};
    CHECK(field.values() == std::vector<std::string>{"c"});
    CHECK(field.size() == 1);
    CHECK(*field.begin() == "c");
    CHECK(List{}.empty());
}

TEST_CASE("a count field refuses what is negative, whatever the integer's type, and what its rule refuses") {
    CHECK_THROWS_WITH_AS(Digit{-1}, "digit must not be negative: -1", ValueError);
    CHECK_THROWS_AS(Digit{(std::numeric_limits<long long>::min)()}, ValueError);
    CHECK_THROWS_AS(Digit{10U}, ValueError);
    Digit field{9};
    CHECK_THROWS_AS(field = -1, ValueError);
    CHECK(field == Digit{9});
    std::size_t const number = field;
    CHECK(number == 9);
}

TEST_CASE("a grace period may be zero, never negative, and takes any duration") {
    CHECK(longshore::Grace{0s}.value() == 0ns);
    CHECK(longshore::Grace{1500ms}.value() == 1500ms);
    CHECK(longshore::Grace{std::chrono::duration<double>{0.25}}.value() == 250ms);
    CHECK(longshore::Grace{std::chrono::hours{24 * 365 * 400}}.value() == (std::chrono::nanoseconds::max)());
    CHECK_THROWS_AS(longshore::Grace{-1ns}, ValueError);
    CHECK_THROWS_AS(longshore::Grace{std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}},
                    ValueError);
}
