// SPDX-License-Identifier: BSL-1.0
#include "runner_support.hpp"

#include <longshore/container/executor.hpp>
#include <longshore/testing/mock_launcher.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

using longshore::ContainerUnavailableError;
using longshore::EnvironmentDecision;
using longshore::EnvironmentLevel;
using longshore::EnvironmentRequest;
using longshore::ToolRunner;
using namespace runner_support;
using namespace std::chrono_literals;

namespace {

constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();

// A registry with a tool for both places, and an executor.
struct Setting {
    Setting() {
        registry.add({.name = "file_read",
                      .input_schema = {{"required", {"path", "encoding"}}},
                      .handler = [](object const&) { return "on the host"; }});
        registry.add({.name = "lint", .handler = [](object const&) { return "on the host"; }});
    }

    ToolResult run(std::string const& name, object const& inputs = {}, Options options = in_container()) {
        ToolRunner runner{registry, executor, std::move(options)};
        return runner.execute(name, inputs);
    }

    // What comes of an executor that throws.
    template <typename Thrown>
    ToolResult run_throwing(Thrown const& thrown) {
        executor.answer = [&]() -> ToolResult { throw thrown; };
        return run("lint");
    }

    ToolRegistry registry{};
    MockExecutor executor{};
};

} // namespace

SCENARIO("ToolRunner delegates to ContainerToolExecutor when env is CONTAINER") {
    Setting setting;
    std::vector<EnvironmentRequest> asked;
    auto options = in_container();
    options.project.execution_environment = host;
    options.resolver = [&](EnvironmentRequest const& request) {
        asked.push_back(request);
        return longshore::PriorityChainResolver{}(request);
    };
    auto const result = setting.run("lint", {{"path", "/a"}}, options);
    REQUIRE(setting.executor.calls.size() == 1);
    CHECK(setting.executor.calls[0].name == "lint");
    CHECK(setting.executor.calls[0].inputs == object{{"path", "/a"}});
    CHECK(result.output() == object{{"lines", 3}});
    CHECK(asked == std::vector<EnvironmentRequest>{{.tool_name = "lint",
                                                    .plan = container,
                                                    .project = host,
                                                    .linked_resources = {{"container-instance", "c1"}}}});
}

SCENARIO("ToolRunner returns error when container executor is not configured") {
    Setting setting;
    ToolRunner runner{setting.registry, in_container()};
    auto const result = runner.execute("lint", {});
    CHECK_FALSE(result.success());
    CHECK(holds(result.error(), "ContainerToolExecutor must be configured"));
    CHECK(holds(result.error(), "container execution is not available"));
    CHECK(result.failure_kind() == FailureKind::container_unavailable);
}

SCENARIO("ToolRunner returns error when container env resolver raises ContainerUnavailableError") {
    Setting setting;
    auto options = in_container();
    options.resolver = [](EnvironmentRequest const&) -> EnvironmentDecision {
        throw ContainerUnavailableError{"nothing to run in"};
    };
    auto const result = setting.run("lint", {}, options);
    CHECK(result.error() == "Container unavailable: nothing to run in");
    CHECK(result.failure_kind() == FailureKind::container_unavailable);
    CHECK(setting.executor.calls.empty());
}

SCENARIO("ToolRunner validates missing required input fields for container tools") {
    Setting setting;
    auto const result = setting.run("file_read", {{"limit", 1}});
    CHECK(result.error() == "Missing required input fields: path, encoding");
    CHECK(setting.executor.calls.empty());
}

SCENARIO("ToolRunner returns error for non-JSON-serialisable container inputs") {
    Setting setting;
    auto const result = setting.run("lint", {{"limit", not_a_number}});
    CHECK(result.error() == "inputs are not JSON-serialisable: JSON value at '/limit' is NaN");
    CHECK(setting.executor.calls.empty());
}

SCENARIO("ToolRunner catches container executor exception") {
    Setting setting;
    auto const result = setting.run_throwing(std::runtime_error{"engine on fire"});
    CHECK_FALSE(result.success());
    CHECK(result.error() == "Container execution error: std::runtime_error: engine on fire");
}

TEST_CASE("what an executor throws decides the kind of the failure") {
    Setting setting;
    CHECK(setting.run_throwing(std::runtime_error{"x"}).failure_kind() == FailureKind::cli_failed);
    CHECK(setting.run_throwing(longshore::ContainerTimeoutError{30}).failure_kind() ==
          FailureKind::timed_out);
    CHECK(setting.run_throwing(longshore::ValueError{"x"}).failure_kind() == FailureKind::invalid_input);
    CHECK(setting.run_throwing(std::system_error{1, std::generic_category()}).failure_kind() ==
          FailureKind::os_error);
    CHECK(setting.run_throwing(7).error() ==
          "Container execution error: an exception that is no std::exception");
}

TEST_CASE("tool, plan, project and system choose in this order") {
    ToolRegistry registry;
    MockExecutor executor;
    auto const add = [&](std::string const& name, std::optional<ExecutionEnvironment> own) {
        registry.add({.name = name, .execution_environment = own, .handler = [](object const&) {}});
    };
    add("free", std::nullopt);
    add("boxed", container);
    add("local", host);
    ToolRunner runner{registry, executor, {.project = project()}};
    auto const boxed = [&](char const* name, longshore::RunOptions const& options = {}) {
        auto const before = executor.calls.size();
        CHECK(runner.execute(name, {}, options).success());
        return executor.calls.size() > before;
    };
    auto container_project = project();
    container_project.execution_environment = container;
    CHECK_FALSE(boxed("free"));
    CHECK(boxed("free", {.project = container_project}));
    CHECK_FALSE(boxed("free", {.plan_environment = host, .project = container_project}));
    CHECK(boxed("free", {.plan_environment = container}));
    CHECK(boxed("boxed", {.plan_environment = host}));
    CHECK_FALSE(boxed("local", {.plan_environment = container, .project = container_project}));
}

TEST_CASE("a container that no resource is linked for is a failed result that says what was looked for") {
    Setting setting;
    auto const result = setting.run("lint", {}, {.plan_environment = container});
    CHECK(holds(result.error(), "Container unavailable: the plan asks for a container"));
    CHECK(holds(result.error(), "devcontainer-instance, container-instance, devcontainer-file"));
    CHECK(setting.executor.calls.empty());
}

TEST_CASE("a resolver that fails otherwise is a failed result") {
    Setting setting;
    auto options = in_container();
    options.resolver = [](EnvironmentRequest const&) -> EnvironmentDecision {
        throw std::runtime_error{"no answer"};
    };
    CHECK(setting.run("lint", {}, options).error() ==
          "Execution environment could not be resolved: std::runtime_error: no answer");
}

TEST_CASE("a tool may be another program in the container") {
    Setting setting;
    setting.registry.add({.name = "format", .container_command = "/opt/bin/clang-format"});
    CHECK(setting.run("format").success());
    CHECK(setting.executor.calls.at(0).name == "/opt/bin/clang-format");
}

TEST_CASE("options of an execution reach the executor") {
    Setting setting;
    ToolRunner runner{setting.registry, setting.executor, in_container()};
    CHECK(runner.execute("lint", {}, {.execution = {.timeout = 5s, .environment = {{"LEVEL", "2"}}}})
              .success());
    auto const& options = setting.executor.calls.at(0).options;
    CHECK(options.timeout == longshore::Timeout{5});
    CHECK(options.environment.at("LEVEL") == "2");
}

TEST_CASE("an executor that takes no options but a timeout never drops one") {
    struct Plain {
        using json_policy = BoostJson;
        ToolResult execute_tool(std::string_view, object const&) { return ToolResult::success({}); }
        ToolResult execute_tool(std::string_view, object const&, longshore::Timeout timeout) {
            return ToolResult::success({{"seconds", timeout.seconds()}});
        }
    };
    Setting setting;
    Plain plain;
    ToolRunner runner{setting.registry, plain, in_container()};
    CHECK(runner.execute("lint", {}).output().empty());
    CHECK(runner.execute("lint", {}, {.execution = {.timeout = 5s}}).output().at("seconds") == 5.0);
    CHECK(
        runner.execute("lint", {}, {.execution = {.environment = {{"A", "1"}}}}).error() ==
        "Container execution error: longshore::v0::ValueError: this executor takes no options but a timeout");
}

TEST_CASE("what happened in the container comes back as it is") {
    Setting setting;
    setting.executor.answer = [] {
        return ToolResult::failure(
            {FailureKind::killed_maybe_out_of_memory,
             "Container execution failed (exit code 137): ", "It may have run out of memory."},
            {.metadata = {{"container", {{"exit_code", 137}}}}});
    };
    auto const result = setting.run("lint");
    CHECK(result.failure_kind() == FailureKind::killed_maybe_out_of_memory);
    CHECK(result.container()->exit_code() == 137);
    CHECK(result.hint() == "It may have run out of memory.");
}

TEST_CASE("a runner's own secrets are kept out of what an executor says") {
    Setting setting;
    setting.executor.answer = [] {
        return ToolResult::failure({FailureKind::tool_failed, "refused hunter2", "try hunter2 again"},
                                   {.metadata = {{"container", {{"image", "hunter2:1"}}}},
                                    .standard_error = {.bytes = "kept", .total = 4}});
    };
    auto options = in_container();
    options.redact = {"hunter2"};
    auto const result = setting.run("lint", {}, options);
    CHECK(result.error() == "refused [redacted]");
    CHECK(result.hint() == "try [redacted] again");
    CHECK(result.container()->image() == "[redacted]:1");
    CHECK(result.standard_error().bytes == "kept");
}

TEST_CASE("a runner works with a ContainerToolExecutor") {
    Setting setting;
    longshore::MockLauncher launcher;
    longshore::ContainerToolExecutor executor{longshore::ContainerConfig{.container_id = "c1"}, launcher};
    launcher.prints(R"({"faults":[]})");
    ToolRunner runner{setting.registry, executor, in_container()};
    auto const result = runner.execute("lint", {{"path", "/tmp/sandbox/a"}});
    CHECK(result.output() == object{{"faults", boost::json::array{}}});
    CHECK(result.container()->container_id() == "c1");
    CHECK(launcher.runs() == 1);
}
