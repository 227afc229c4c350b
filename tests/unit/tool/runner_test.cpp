// SPDX-License-Identifier: BSL-1.0
#include "runner_support.hpp"

#include <longshore/testing/manual_clock.hpp>
#include <longshore/tool/error.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

using longshore::ToolError;
using longshore::ToolRunner;
using namespace runner_support;

namespace {

constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();

// A runner of one tool on the host.
template <typename Handler>
ToolResult run(Handler handler, object const& inputs = {}, Options options = {}) {
    ToolRegistry registry;
    registry.add({.name = "tool", .handler = std::move(handler)});
    ToolRunner runner{registry, std::move(options)};
    return runner.execute("tool", inputs);
}

struct Populated {
    Populated() {
        registry.add({.name = "lint", .description = "finds faults", .handler = [](object const&) {}});
        registry.add({.name = "build", .handler = [](object const&) {}});
    }

    ToolRegistry registry{};
    ToolRunner<longshore::NoContainerExecutor<BoostJson>> runner{registry};
};

} // namespace

SCENARIO("ToolRunner discover returns tools from registry") {
    Populated const tools;
    auto const discovered = tools.runner.discover();
    REQUIRE(discovered.size() == 2);
    CHECK(discovered[0]->name == "build");
    CHECK(discovered[1]->name == "lint");
}

SCENARIO("ToolRunner activate marks a tool as ready") {
    Populated tools;
    auto const tool = tools.runner.activate("lint");
    REQUIRE(tool);
    CHECK(tool->description == "finds faults");
    CHECK(tools.runner.activate("lint") == tool);
}

SCENARIO("ToolRunner activate raises ToolError for unknown tool") {
    Populated tools;
    CHECK_THROWS_WITH_AS(tools.runner.activate("format"), "tool 'format': no such tool is registered",
                         ToolError);
    CHECK_FALSE(tools.runner.deactivate("format"));
}

SCENARIO("ToolRunner deactivate cleans up active tool") {
    Populated tools;
    tools.runner.activate("lint");
    CHECK(tools.runner.deactivate("lint"));
    CHECK_FALSE(tools.runner.deactivate("lint"));
}

SCENARIO("ToolRunner executes tool on host and returns success") {
    auto const result = run(
        [](object const& inputs) {
            return object{{"length", inputs.at("text").get_string().size()}};
        },
        {{"text", "four"}});
    CHECK(result.success());
    CHECK(BoostJson::serialize(result.output()) == R"({"length":4})");
    CHECK(result.error().empty());
    CHECK_FALSE(result.container().has_value());
}

SCENARIO("ToolRunner normalises non-dict handler output") {
    CHECK(BoostJson::serialize(run([](object const&) { return 42; }).output()) == R"({"result":42})");
    CHECK(BoostJson::serialize(run([](object const&) {}).output()) == "{}");
}

SCENARIO("ToolRunner catches handler exception and returns error") {
    auto const result = run([](object const&) { throw std::out_of_range{"line 9 of 3"}; });
    CHECK_FALSE(result.success());
    CHECK(result.error() == "Tool 'tool' failed: std::out_of_range: line 9 of 3");
    CHECK(result.failure_kind() == FailureKind::tool_failed);
    CHECK(run([](object const&) { throw 7; }).error() ==
          "Tool 'tool' failed: an exception that is no std::exception");
}

SCENARIO("ToolRunner returns error for non-JSON-serialisable host output") {
    auto const result = run([](object const&) { return object{{"values", {1, not_a_number}}}; });
    CHECK_FALSE(result.success());
    CHECK(result.error() ==
          "Tool 'tool' returned an output that is not JSON-serialisable: JSON value at '/values/1' is NaN");
    CHECK(result.output().empty());
}

SCENARIO("ToolRunner returns error for non-JSON-serialisable host inputs") {
    auto called = false;
    auto const result = run([&](object const&) { called = true; }, {{"a", {{"b", not_a_number}}}});
    CHECK_FALSE(result.success());
    CHECK(result.error() == "inputs are not JSON-serialisable: JSON value at '/a/b' is NaN");
    CHECK(result.failure_kind() == FailureKind::invalid_input);
    CHECK_FALSE(called);
}

SCENARIO("ToolRunner raises ToolError for unregistered tool in execute") {
    ToolRegistry const registry;
    ToolRunner runner{registry};
    CHECK_THROWS_AS(runner.execute("file_read", {}), ToolError);
    try {
        runner.execute("file_read", {});
    } catch (ToolError const& error) {
        CHECK(error.tool_name() == "file_read");
        CHECK(error.error_type() == "not_found");
    }
}

TEST_CASE("a runner names the place of whatever JSON cannot say, in inputs and in outputs") {
    auto const infinity = std::numeric_limits<double>::infinity();
    std::vector<std::pair<object, std::string>> const offenders{
        {{{"a", {1, {{"b", infinity}}}}}, "JSON value at '/a/1/b' is Infinity"},
        {{{"a", -infinity}}, "JSON value at '/a' is -Infinity"},
        {{{"a~/", "\xff"}}, "JSON value at '/a~0~1' holds invalid UTF-8 at byte 0"},
        {{{"a", "ok \xC0\x80"}}, "JSON value at '/a' holds invalid UTF-8 at byte 3"},
        {{{"a", "\xED\xA0\x80"}}, "JSON value at '/a' holds invalid UTF-8 at byte 0"},
        {{{"a", "\xE2\x82"}}, "JSON value at '/a' holds invalid UTF-8 at byte 0"},
        {{{"a", "\xF4\x90\x80\x80"}}, "JSON value at '/a' holds invalid UTF-8 at byte 0"},
        {{{"\xff", 1}}, "JSON value at '/\xEF\xBF\xBD' has a name with invalid UTF-8 at byte 0"}};
    for (auto const& offender : offenders) {
        CAPTURE(offender.second);
        CHECK(run([](object const&) {}, offender.first).error() ==
              "inputs are not JSON-serialisable: " + offender.second);
        CHECK(run([&](object const&) { return offender.first; }).error() ==
              "Tool 'tool' returned an output that is not JSON-serialisable: " + offender.second);
    }
}

TEST_CASE("a runner takes documents up to the depth limit and refuses deeper ones") {
    CHECK(run([](object const&) { return nested(512); }, nested(512)).success());
    CHECK(holds(run([](object const&) {}, nested(513)).error(), "is nested deeper than 512 levels"));
    CHECK(holds(run([](object const&) { return nested(513); }).error(), "is nested deeper than 512 levels"));
}

TEST_CASE("integers reach a handler and come back without being rounded") {
    object const exact{{"a", 9007199254740993},
                       {"b", (std::numeric_limits<std::int64_t>::min)()},
                       {"c", (std::numeric_limits<std::uint64_t>::max)()}};
    CHECK(run([](object const& inputs) { return inputs; }, exact).output() == exact);
}

TEST_CASE("inputs that are a value must be an object") {
    ToolRegistry registry;
    registry.add({.name = "tool", .handler = [](object const& inputs) { return inputs; }});
    ToolRunner runner{registry};
    CHECK(runner.execute("tool", boost::json::value{{"a", 1}}).output() == object{{"a", 1}});
    CHECK_THROWS_AS(runner.execute("tool", boost::json::value("text")), longshore::TypeError);
}

TEST_CASE("inputs may be the JSON text of a model, which is told what is wrong with it") {
    ToolRegistry registry;
    registry.add({.name = "tool", .handler = [](object const& inputs) { return inputs; }});
    ToolRunner runner{registry};
    CHECK(runner.execute_json("tool", R"({"a":9007199254740993})").output() ==
          object{{"a", 9007199254740993}});
    auto const result = runner.execute_json("tool", R"({"a":[18446744073709551616]})");
    CHECK(result.error() ==
          "inputs are not JSON-serialisable: JSON value at '/a/0' is an integer beyond 64 bits");
    CHECK(result.failure_kind() == FailureKind::invalid_input);
    CHECK(holds(runner.execute_json("tool", "[]").error(), "must be a dict"));
    CHECK(holds(runner.execute_json("tool", R"({"a":"\ud99c"})").error(),
                "at '/a' holds an escape that is no"));
    CHECK_THROWS_AS(runner.execute_json("none", "{}"), ToolError);
    CHECK_THROWS_AS(runner.execute_json("none", "["), ToolError);
}

TEST_CASE("types are checked before anything runs, and a validator sees what passed") {
    ToolRegistry registry;
    auto called = 0;
    registry.add({.name = "tool",
                  .input_schema = {{"properties", {{"path", {{"type", "string"}}}}}},
                  .handler = [&](object const&) { ++called; }});
    ToolRunner runner{registry, {.validator = [](object const& schema, object const& inputs) {
                          CHECK(schema.contains("properties"));
                          if (inputs.contains("boom")) throw std::runtime_error{"no such schema"};
                          return inputs.size() > 1 ? std::vector<std::string>{"too much", "/b is odd"}
                                                   : std::vector<std::string>{};
                      }}};
    CHECK(runner.execute("tool", {{"path", 1}}).error() == "Input field 'path' must be string, not integer");
    CHECK(runner.execute("tool", {{"path", "p"}, {"b", 1}}).error() == "Invalid input: too much; /b is odd");
    CHECK(runner.execute("tool", {{"boom", 1}}).error() ==
          "inputs could not be validated: std::runtime_error: no such schema");
    CHECK(called == 0);
    CHECK(runner.execute("tool", {{"path", "p"}}).success());
    CHECK(called == 1);
}

TEST_CASE("an active tool stays as it was when the registry changes") {
    ToolRegistry registry;
    registry.add({.name = "tool", .handler = [](object const&) { return "old"; }});
    ToolRunner runner{registry};
    runner.activate("tool");
    registry.remove("tool");
    CHECK(runner.execute("tool", {}).output().at("result") == "old");
    registry.add({.name = "tool", .handler = [](object const&) { return "new"; }});
    CHECK(runner.execute("tool", {}).output().at("result") == "old");
    CHECK(runner.deactivate("tool"));
    CHECK(runner.execute("tool", {}).output().at("result") == "new");
}

TEST_CASE("a tool that has no handler cannot run on the host") {
    ToolRegistry registry;
    registry.add({.name = "tool"});
    ToolRunner runner{registry};
    auto const result = runner.execute("tool", {});
    CHECK(result.error() == "Tool 'tool' has no handler on the host");
    CHECK(result.failure_kind() == FailureKind::tool_not_found);
}

TEST_CASE("a handler gets the stop token, and does not start when a stop was requested before") {
    ToolRegistry registry;
    std::stop_source stop;
    auto started = 0;
    registry.add({.name = "tool", .handler = [&](object const&, std::stop_token const& token) {
                      ++started;
                      stop.request_stop();
                      return token.stop_requested();
                  }});
    ToolRunner runner{registry};
    auto const options = longshore::RunOptions{.execution = {.stop_token = stop.get_token()}};
    CHECK(runner.execute("tool", {}, options).output() == object{{"result", true}});
    auto const cancelled = runner.execute("tool", {}, options);
    CHECK(cancelled.failure_kind() == FailureKind::cancelled);
    CHECK(started == 1);
}

TEST_CASE("durations are measured by the clock that was given") {
    longshore::ManualClock clock;
    ToolRegistry registry;
    registry.add(
        {.name = "works", .handler = [&](object const&) { clock.advance(std::chrono::milliseconds{250}); }});
    registry.add({.name = "fails", .handler = [&](object const&) {
                      clock.advance(std::chrono::microseconds{1500});
                      throw std::runtime_error{"no"};
                  }});
    ToolRunner runner{registry, Options{}, clock};
    CHECK(runner.execute("works", {}).duration_ms() == 250);
    CHECK(runner.execute("fails", {}).duration_ms() == 1.5);
}

TEST_CASE("secrets are kept out of what a failed tool says") {
    auto const result = run([](object const&) { throw std::runtime_error{"login with hunter2 refused"}; }, {},
                            {.redact = {"hunter2"}});
    CHECK(result.error() == "Tool 'tool' failed: std::runtime_error: login with [redacted] refused");
}

TEST_CASE("a runner opens a span for each execution and closes it with how it went") {
    std::vector<std::string> seen;
    longshore::Hooks const hooks{.span = [&](longshore::SpanStart const& start) {
        seen.push_back(std::string{start.operation} + ' ' + std::string{start.tool_name});
        return [&](longshore::SpanEnd const& end) { seen.emplace_back(to_string(end.failure_kind)); };
    }};
    CHECK_FALSE(run([](object const&) { throw 1; }, {}, {.hooks = hooks}).success());
    CHECK(seen == std::vector<std::string>{"execute tool", "tool_failed"});
}
