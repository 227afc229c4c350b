// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/json_reader.hpp>
#include <longshore/json/boost_json.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using longshore::BoostJson;
using longshore::ValueError;
using Reader = longshore::detail::JsonReader<BoostJson>;

TEST_CASE("JsonReader reads absent and null members as the default of their kind") {
    BoostJson::object const object{{"nothing", nullptr}};
    Reader const reader{object};
    for (auto const* key : {"nothing", "absent"}) {
        CAPTURE(key);
        CHECK_FALSE(reader.has(key));
        CHECK(reader.text(key).empty());
        CHECK_FALSE(reader.boolean(key));
        CHECK(reader.number(key) == 0);
        CHECK(reader.integer<int>(key) == 0);
        CHECK_FALSE(reader.object(key).has("more"));
        CHECK_THROWS_AS(static_cast<void>(reader.members(key)), ValueError);
    }
}

TEST_CASE("JsonReader takes whole numbers of either sign only within the range asked for") {
    BoostJson::object const object{{"largest", (std::numeric_limits<std::uint64_t>::max)()},
                                   {"smallest", (std::numeric_limits<std::int64_t>::min)()},
                                   {"half", 0.5}};
    Reader const reader{object};
    CHECK(reader.integer<std::uint64_t>("largest") == (std::numeric_limits<std::uint64_t>::max)());
    CHECK(reader.integer<std::int64_t>("smallest") == (std::numeric_limits<std::int64_t>::min)());
    CHECK_THROWS_AS(static_cast<void>(reader.integer<std::int64_t>("largest")), ValueError);
    CHECK_THROWS_AS(static_cast<void>(reader.integer<std::uint64_t>("smallest")), ValueError);
    CHECK_THROWS_AS(static_cast<void>(reader.integer<int>("half")), ValueError);
    CHECK(reader.number("largest") == 18446744073709551615.0);
    CHECK(reader.number("half") == 0.5);
}

TEST_CASE("JsonReader names the place of a member of another kind") {
    BoostJson::object const object{{"inner", BoostJson::object{{"text", 7}}}};
    Reader const reader{object};
    CHECK_THROWS_WITH_AS(static_cast<void>(reader.object("inner").text("text")),
                         "JSON value at '/inner/text' is not a string", ValueError);
    CHECK_THROWS_WITH_AS(static_cast<void>(reader.number("inner")), "JSON value at '/inner' is not a number",
                         ValueError);
}
