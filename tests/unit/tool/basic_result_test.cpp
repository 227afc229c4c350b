// SPDX-License-Identifier: BSL-1.0
#include <longshore/tool/result.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using longshore::Failure;
using longshore::FailureKind;
using longshore::ToolResult;
using longshore::ValueError;

static_assert(!std::is_convertible_v<ToolResult, bool>);
static_assert(std::is_same_v<ToolResult, longshore::BasicToolResult<longshore::BoostJson>>);

SCENARIO("ToolResult rejects success=True with error message") {
    CHECK_THROWS_AS((ToolResult{true, {}, "went wrong"}), ValueError);
}

SCENARIO("ToolResult rejects success=False without error message") {
    CHECK_THROWS_AS((ToolResult{false, {}}), ValueError);
    CHECK_THROWS_AS((ToolResult{false, {}, ""}), ValueError);
}

SCENARIO("extract_container_metadata returns container dict from ToolResult") {
    ToolResult const result{
        true, {}, "", {{"container", {{"container_id", "abc123"}, {"exit_code", 0}}}, {"other", 1}}};
    auto const container = longshore::extract_container_metadata(result);
    REQUIRE(container.has_value());
    CHECK(container->at("container_id") == "abc123");
    CHECK(container->size() == 2);
    CHECK(result.container()->container_id() == "abc123");
}

TEST_CASE("a ToolResult without a container object in its metadata has no container metadata") {
    for (auto const& result : {ToolResult{true, {}}, ToolResult{true, {}, "", {{"container", "abc123"}}},
                               ToolResult{true, {}, "", {{"container", nullptr}}}}) {
        CHECK_FALSE(longshore::extract_container_metadata(result).has_value());
        CHECK_FALSE(result.container().has_value());
    }
}

TEST_CASE("a ToolResult made by the specification's constructor holds what it was given") {
    ToolResult const good{true, {{"lines", 3}}, "", {{"origin", "host"}}, 12.5};
    CHECK(good);
    CHECK(good.success());
    CHECK(good.output().at("lines") == 3);
    CHECK(good.error().empty());
    CHECK(good.failure_kind() == FailureKind::none);
    CHECK(good.metadata().at("origin") == "host");
    CHECK(good.duration_ms() == 12.5);
    ToolResult const bad{false, {{"partial", true}}, "went wrong"};
    CHECK_FALSE(bad);
    CHECK(bad.error() == "went wrong");
    CHECK(bad.failure_kind() == FailureKind::tool_failed);
    CHECK(bad.output().at("partial") == true);
}

TEST_CASE("a ToolResult made as a success or as a failure carries its details") {
    auto const good = ToolResult::success({{"a", 1}}, {.metadata = {{"k", "v"}},
                                                       .duration_ms = 3,
                                                       .standard_output = {"abc", 5, true},
                                                       .output_incomplete = true});
    CHECK(good);
    CHECK(good.output().at("a") == 1);
    CHECK(good.metadata().at("k") == "v");
    CHECK(good.standard_output() == longshore::ToolStream{"abc", 5, true});
    CHECK(good.standard_error() == longshore::ToolStream{});
    CHECK(good.output_incomplete());
    auto const bad = ToolResult::failure({FailureKind::timed_out, "too slow", "be quick"});
    CHECK_FALSE(bad);
    CHECK(bad.failure_kind() == FailureKind::timed_out);
    CHECK(bad.hint() == "be quick");
    CHECK(bad.output().empty());
    CHECK_FALSE(bad.output_incomplete());
}

TEST_CASE("a ToolResult cannot be a failure without a kind or without a text") {
    CHECK_THROWS_AS(ToolResult::failure({FailureKind::none, "text"}), ValueError);
    CHECK_THROWS_AS(ToolResult::failure({FailureKind::tool_failed, ""}), ValueError);
}
