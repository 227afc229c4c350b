// SPDX-License-Identifier: BSL-1.0
#include <longshore/tool/result.hpp>
#include <longshore/tool/result_json.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using longshore::BoostJson;
using longshore::FailureKind;
using longshore::from_json;
using longshore::to_json;
using longshore::ToolResult;
using longshore::ValueError;

namespace {

BoostJson::object parsed(char const* text) { return BoostJson::as_object(*BoostJson::parse(text)); }

std::string round_trip(ToolResult const& result) {
    return BoostJson::serialize(to_json(from_json<ToolResult>(to_json(result))));
}

} // namespace

TEST_CASE("a ToolResult as JSON begins with the specification's members") {
    std::vector<std::string> keys;
    auto const object = to_json(ToolResult::success({{"lines", 3}}, {.duration_ms = 1.5}));
    BoostJson::for_each_member(object, [&](std::string_view key, auto const&) { keys.emplace_back(key); });
    CHECK(keys == std::vector<std::string>{"success", "output", "error", "metadata", "duration_ms",
                                           "failure_kind", "hint", "output_incomplete", "standard_output",
                                           "standard_error"});
    CHECK(object.at("error").is_null());
    CHECK(object.at("failure_kind") == "none");
}

TEST_CASE("a ToolResult comes back from its JSON as it was") {
    auto const good = ToolResult::success({{"lines", 3}}, {.metadata = {{"container", {{"image", "i"}}}},
                                                           .duration_ms = 1.5,
                                                           .standard_output = {"abc", 9, true},
                                                           .output_incomplete = true});
    CHECK(round_trip(good) == BoostJson::serialize(to_json(good)));
    for (auto number = std::uint8_t{1}; number <= static_cast<std::uint8_t>(FailureKind::os_error);
         ++number) {
        auto const bad = ToolResult::failure({FailureKind{number}, "went wrong", "try this"},
                                             {.standard_error = {"oops", 4, false}}, {{"partial", 1}});
        CHECK(from_json<ToolResult>(to_json(bad)).failure_kind() == FailureKind{number});
        CHECK(round_trip(bad) == BoostJson::serialize(to_json(bad)));
    }
}

TEST_CASE("a ToolResult with bytes that are not UTF-8 is still strict JSON") {
    auto const result = ToolResult::success({}, {.standard_output = {"a\xFF", 2, false}});
    auto const object = to_json(result);
    CHECK(BoostJson::parse(BoostJson::serialize(object)).has_value());
    CHECK(object.at("standard_output").at("text") == "a\xEF\xBF\xBD");
}

TEST_CASE("a ToolResult is read from the specification's members alone") {
    auto const good = from_json<ToolResult>(parsed(R"({"success":true,"output":{"a":1}})"));
    CHECK(good);
    CHECK(good.output().at("a") == 1);
    auto const bad = from_json<ToolResult>(parsed(R"({"success":false,"error":"oops","metadata":{"k":2}})"));
    CHECK(bad.failure_kind() == FailureKind::tool_failed);
    CHECK(bad.error() == "oops");
    CHECK(bad.metadata().at("k") == 2);
}

TEST_CASE("a ToolResult is not read from a state that none can have") {
    for (auto const* text : {R"({"success":true,"error":"oops"})", R"({"success":false})",
                             R"({"success":false,"error":"oops","failure_kind":"unheard_of"})",
                             R"({"success":false,"error":"oops","failure_kind":"none"})",
                             R"({"success":"yes"})", R"({"success":true,"output":[1]})"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(from_json<ToolResult>(parsed(text)), ValueError);
    }
}
