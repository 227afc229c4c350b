// SPDX-License-Identifier: BSL-1.0
#include "runner_support.hpp"

#include <longshore/container/config.hpp>
#include <longshore/testing/manual_clock.hpp>
#include <longshore/tool/error.hpp>

#include <boost/json/monotonic_resource.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using longshore::AuditRecord;
using longshore::EnvironmentDecision;
using longshore::EnvironmentLevel;
using longshore::ToolRunner;
using namespace runner_support;
using namespace std::chrono_literals;

namespace {

// A runner of some tools whose records are kept.
struct Audited {
    Audited() {
        registry.add({.name = "echo", .handler = [](object const& inputs) { return inputs; }});
        registry.add(
            {.name = "fails", .handler = [](object const&) { throw std::runtime_error{"hunter2 refused"}; }});
        registry.add({.name = "slow", .handler = [this](object const&) { clock.advance(1500us); }});
        registry.add(
            {.name = "strict", .input_schema = {{"required", {"path"}}}, .handler = [](object const&) {}});
    }

    Options options() {
        auto options = Options{};
        options.project = project();
        options.audit = [this](AuditRecord const& record) { records.push_back(record); };
        options.system_clock = [] { return std::chrono::system_clock::time_point{1700000000s}; };
        options.hooks = logging_to(log);
        return options;
    }

    // The record of one execution.
    AuditRecord record(char const* name, object const& inputs = {}, longshore::RunOptions const& run = {}) {
        return record_with(options(), name, inputs, run);
    }
    AuditRecord record_with(Options options, char const* name, object const& inputs = {},
                            longshore::RunOptions const& run = {}) {
        records.clear();
        ToolRunner runner{registry, executor, std::move(options), clock};
        result = runner.execute(name, inputs, run);
        REQUIRE(records.size() == 1);
        return records[0];
    }

    ToolRegistry registry{};
    MockExecutor executor{};
    longshore::ManualClock clock{};
    std::vector<AuditRecord> records{};
    std::vector<LogEntry> log{};
    std::optional<ToolResult> result{};
};

} // namespace

TEST_CASE("an execution on the host leaves a record of all that it was") {
    Audited audited;
    auto const record = audited.record("echo", {{"a", 9007199254740993}});
    CHECK(record.id.size() == 36);
    CHECK(record.tool_name == "echo");
    CHECK(record.started_at.time_since_epoch() == 1700000000s);
    CHECK(record.environment == EnvironmentDecision{host, EnvironmentLevel::system});
    CHECK(record.inputs == R"({"a":9007199254740993})");
    CHECK(record.success);
    CHECK(record.output == R"({"a":9007199254740993})");
    CHECK(record.error.empty());
    CHECK(record.container_metadata.empty());
    CHECK(audited.record("echo").id != record.id);
}

TEST_CASE("an execution in a container leaves a record of who chose it and how it went there") {
    Audited audited;
    auto const record = audited.record("echo", {}, {.plan_environment = container});
    CHECK(record.environment == EnvironmentDecision{container, EnvironmentLevel::plan});
    CHECK(record.container_metadata == R"({"container_id":"c1"})");
    CHECK(record.output == R"({"lines":3})");
}

TEST_CASE("durations in a record come from the steady clock") {
    Audited audited;
    CHECK(audited.record("slow").duration == 1500us);
    CHECK(audited.record("echo").duration == 0us);
}

TEST_CASE("every failure leaves a record, whatever it failed at") {
    Audited audited;
    auto const failed = audited.record("fails");
    CHECK_FALSE(failed.success);
    CHECK(failed.failure_kind == FailureKind::tool_failed);
    CHECK(failed.error == "Tool 'fails' failed: std::runtime_error: hunter2 refused");
    CHECK(failed.output == "{}");

    auto const missing = audited.record("strict");
    CHECK(missing.error == "Missing required input fields: path");
    CHECK_FALSE(missing.environment.has_value());
    CHECK(missing.inputs == "{}");

    auto const not_json = audited.record("echo", {{"a", std::numeric_limits<double>::quiet_NaN()}});
    CHECK(not_json.error == "inputs are not JSON-serialisable: JSON value at '/a' is NaN");
    CHECK(not_json.inputs.empty());

    auto const unavailable =
        audited.record("echo", {}, {.plan_environment = container, .project = longshore::ContextConfig{}});
    CHECK(unavailable.failure_kind == FailureKind::container_unavailable);

    audited.executor.answer = []() -> ToolResult { throw std::runtime_error{"engine on fire"}; };
    auto const threw = audited.record("echo", {}, {.plan_environment = container});
    CHECK(threw.error == "Container execution error: std::runtime_error: engine on fire");
    CHECK(threw.environment == EnvironmentDecision{container, EnvironmentLevel::plan});
}

TEST_CASE("inputs that are no JSON text leave a record without inputs") {
    Audited audited;
    ToolRunner runner{audited.registry, audited.options()};
    CHECK_FALSE(runner.execute_json("echo", "{'a':1}").success());
    CHECK(runner.execute_json("echo", "{\"a\":1}").success());
    REQUIRE(audited.records.size() == 2);
    CHECK(audited.records[0].inputs.empty());
    CHECK(holds(audited.records[0].error, "is no JSON at byte 1"));
    CHECK(audited.records[1].inputs == R"({"a":1})");
}

TEST_CASE("an execution of a tool that does not exist leaves a record, and throws") {
    Audited audited;
    ToolRunner runner{audited.registry, audited.options()};
    CHECK_THROWS_AS(runner.execute("file_read", {{"a", 1}}), longshore::ToolError);
    REQUIRE(audited.records.size() == 1);
    CHECK(audited.records[0].tool_name == "file_read");
    CHECK(audited.records[0].failure_kind == FailureKind::tool_not_found);
    CHECK(audited.records[0].error == "tool 'file_read': no such tool is registered");
    CHECK(audited.records[0].inputs == R"({"a":1})");
}

TEST_CASE("inputs far beyond the depth limit leave a record and overflow no stack") {
    boost::json::monotonic_resource arena; // Boost destroys documents by recursion, but not those in an arena
    boost::json::value deep(&arena);
    for (int level = 0; level < 100000; ++level) {
        boost::json::object outer(&arena);
        outer.emplace("a", std::move(deep));
        deep = std::move(outer);
    }
    Audited audited;
    auto const record = audited.record("echo", deep.get_object());
    CHECK(record.inputs.empty());
    CHECK(holds(record.error, "is nested deeper than 512 levels"));
}

TEST_CASE("a sink that throws never takes the result with it, and the loss is logged") {
    Audited audited;
    auto options = audited.options();
    options.redact = {"hunter2"};
    options.audit = [](AuditRecord const&) { throw std::runtime_error{"no room for hunter2"}; };
    ToolRunner runner{audited.registry, options};
    CHECK(runner.execute("echo", {{"a", 1}}).output() == object{{"a", 1}});
    REQUIRE(audited.log.size() == 1);
    CHECK(audited.log[0].level == longshore::LogLevel::error);
    CHECK(audited.log[0].text ==
          "the audit record of tool 'echo' was lost: std::runtime_error: no room for [redacted]");

    options.audit = [](AuditRecord const&) { throw 7; };
    ToolRunner odd{audited.registry, options};
    CHECK(odd.execute("echo", {}).success());
    CHECK(audited.log.size() == 2);
    CHECK_THROWS_AS(odd.execute("none", {}), longshore::ToolError);
    CHECK(audited.log.size() == 3);
}

TEST_CASE("secrets of the runner and of the executor's configuration never reach a record") {
    struct Configured : MockExecutor {
        longshore::ContainerConfig const& config() const { return config_; }
        longshore::ContainerConfig config_{.container_id = "c1", .redact = {"sesame"}};
    };
    Audited audited;
    Configured executor;
    auto options = audited.options();
    options.redact = {"hunter2"};
    ToolRunner runner{audited.registry, executor, options};
    CHECK(runner.execute("echo", {{"password", "hunter2"}, {"sesame", {"open sesame"}}}).output() ==
          object{{"password", "hunter2"}, {"sesame", {"open sesame"}}});
    CHECK_FALSE(runner.execute("fails", {}).success());
    REQUIRE(audited.records.size() == 2);
    CHECK(audited.records[0].inputs == R"({"password":"[redacted]","[redacted]":["open [redacted]"]})");
    CHECK(audited.records[0].output == audited.records[0].inputs);
    CHECK(audited.records[1].error == "Tool 'fails' failed: std::runtime_error: [redacted] refused");
}
