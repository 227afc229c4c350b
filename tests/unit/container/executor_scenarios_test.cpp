// SPDX-License-Identifier: BSL-1.0
// The scenarios of ContainerToolExecutor that are not about fetching files.
#include "executor_support.hpp"

#include <support/environment.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <vector>

using longshore::ContainerConfig;
using longshore::ContainerToolExecutor;
using longshore::FailureKind;
using longshore::MockCall;
using support::mentions;
using support::MockedExecutor;

SCENARIO("ContainerToolExecutor can be instantiated with config") {
    ContainerToolExecutor const executor{
        ContainerConfig{.workspace_folder = "/workspace", .container_id = "test-ctr"}};
    CHECK(executor.config().container_id == "test-ctr");
    CHECK(executor.path_mapper().container_root() == "/workspace");
    CHECK(executor.path_mapper().host_root() == "/tmp/sandbox");
}

SCENARIO("ContainerToolExecutor maps input paths before execution") {
    MockedExecutor mocked;
    CHECK(mocked.executor.map_input_paths({{"path", "/tmp/sandbox/src/file.py"}}).at("path") ==
          "/workspace/src/file.py");
    mocked.executor.execute_tool("lint", {{"path", "/tmp/sandbox/src/file.py"}});
    CHECK(mocked.last_input() == R"({"path":"/workspace/src/file.py"})");
}

SCENARIO("ContainerToolExecutor maps output paths after execution") {
    MockedExecutor mocked;
    CHECK(mocked.executor.map_output_paths({{"path", "/workspace/build/output.txt"}}).at("path") ==
          "/tmp/sandbox/build/output.txt");
    mocked.launcher.prints(R"({"path": "/workspace/build/output.txt"})");
    CHECK(mocked.run().output().at("path") == "/tmp/sandbox/build/output.txt");
}

SCENARIO("ContainerToolExecutor handles nested input path mapping") {
    MockedExecutor mocked;
    mocked.executor.execute_tool("lint", {{"a", {{"b", {{"path", "/tmp/sandbox/x"}}}}},
                                          {"list", boost::json::array{"/tmp/sandbox/y", 5}}});
    CHECK(mocked.last_input() == R"({"a":{"b":{"path":"/workspace/x"}},"list":["/workspace/y",5]})");
}

SCENARIO("ContainerToolExecutor reports timeout as structured error") {
    MockedExecutor mocked;
    mocked.launcher.times_out();
    auto const result = mocked.run();
    CHECK_FALSE(result);
    CHECK(mentions(result.error(), "timed out"));
    CHECK(result.error() == "Container execution timed out after 120s");
    CHECK(result.failure_kind() == FailureKind::timed_out);
    auto const container = longshore::extract_container_metadata(result);
    REQUIRE(container.has_value());
    CHECK(container->at("timed_out") == true);
    CHECK(container->at("exit_code") == -1);
}

SCENARIO("ContainerToolExecutor reports non-zero exit as structured error") {
    MockedExecutor mocked;
    mocked.launcher.exits(1, "oops\n");
    auto const result = mocked.run();
    CHECK_FALSE(result);
    CHECK(mentions(result.error(), "exit code 1"));
    CHECK(result.error() == "Container execution failed (exit code 1): oops");
    CHECK(result.container()->exit_code() == 1);
}

SCENARIO("ContainerToolExecutor reports OSError as structured error") {
    MockedExecutor mocked{{.container_id = "test-ctr", .host_sandbox_path = "/tmp/sandbox"}};
    mocked.launcher.fails_to_start(EAGAIN);
    auto const result = mocked.run("compile");
    CHECK_FALSE(result);
    CHECK(result.failure_kind() == FailureKind::os_error);
    CHECK(result.error().starts_with("Container execution failed (exit code -1): "));
    CHECK(result.container()->exit_code() == -1);
    CHECK_FALSE(result.container()->timed_out());
}

SCENARIO("ContainerToolExecutor returns parsed JSON output on success") {
    MockedExecutor mocked;
    mocked.launcher.prints(R"({"warnings": 3, "clean": false})");
    auto const result = mocked.run("lint");
    CHECK(result);
    CHECK(result.output() == boost::json::object{{"warnings", 3}, {"clean", false}});
    auto const container = longshore::extract_container_metadata(result);
    REQUIRE(container.has_value());
    CHECK(container->at("container_id") == "test-ctr");
    CHECK(container->at("image") == "node:20");
    CHECK(container->at("workspace_folder") == "/workspace");
    CHECK(container->at("exit_code") == 0);
    CHECK(container->at("timed_out") == false);
}

SCENARIO("ContainerToolExecutor returns raw output when not JSON") {
    MockedExecutor mocked;
    mocked.launcher.prints("plain text in /workspace/a\n");
    auto const result = mocked.run("echo");
    CHECK(result);
    CHECK(result.output() == boost::json::object{{"raw_output", "plain text in /workspace/a\n"}});
}

SCENARIO("_build_exec_command places --container-id flag adjacent to its value") {
    MockedExecutor mocked;
    auto const command = mocked.executor.build_exec_command("test_tool", 30);
    auto const flag = std::find(command.begin(), command.end(), "--container-id");
    REQUIRE(flag != command.end());
    REQUIRE(flag + 1 != command.end());
    CHECK(*(flag + 1) == "test-ctr");
    CHECK(command.back() == "test_tool");
}

SCENARIO("ContainerToolExecutor preserves negative exit codes from signal kills") {
    MockedExecutor mocked;
    mocked.launcher.killed_on_host(9);
    auto const result = mocked.run("compile");
    CHECK_FALSE(result);
    CHECK(longshore::extract_container_metadata(result)->at("exit_code") == -9);
    CHECK(result.container()->signal() == 9);
}

SCENARIO("_looks_like_path accepts paths with spaces") {
    MockedExecutor mocked;
    CHECK(mocked.executor.map_input_paths({{"path", "/tmp/sandbox/My Documents/file.py"}}).at("path") ==
          "/workspace/My Documents/file.py");
}

SCENARIO("ContainerToolExecutor truncates output exceeding max bytes") {
    auto config = MockedExecutor::standard();
    config.output_limit = 1000;
    MockedExecutor mocked{config};
    mocked.launcher.prints(std::string(1500, 'x'));
    auto const result = mocked.run("big_output");
    CHECK(result.standard_output().truncated);
    CHECK(result.standard_output().bytes.size() == 1000);
    CHECK(result.standard_output().total == 1500);
    CHECK(result.container()->standard_output() == longshore::StreamFigures{1000, 1500, true});
    REQUIRE(mocked.logged.size() == 1);
    CHECK(mocked.logged.front() ==
          "warning: standard output of tool 'big_output' was truncated: 1000 of 1500 bytes are kept");
}

SCENARIO("execute_tool rejects empty tool_name") {
    MockedExecutor mocked;
    CHECK_THROWS_WITH_AS(mocked.executor.execute_tool("", {}), "tool_name must be non-empty",
                         longshore::ValueError);
    CHECK(mocked.launcher.runs() == 0);
}

SCENARIO("execute_tool rejects non-dict inputs") {
    MockedExecutor mocked;
    for (boost::json::value const& inputs :
         {boost::json::value(boost::json::array{1, 2}), boost::json::value("text"), boost::json::value(7),
          boost::json::value(true), boost::json::value(nullptr)}) {
        try {
            mocked.executor.execute_tool("lint", inputs);
            FAIL("nothing was thrown");
        } catch (longshore::TypeError const& error) {
            CHECK(mentions(error.what(), "must be a dict"));
        }
        CHECK_THROWS_AS(mocked.executor.execute_tool("lint", inputs, 30), longshore::TypeError);
    }
    CHECK(mocked.launcher.runs() == 0);
    CHECK(mocked.executor.execute_tool("lint", boost::json::value{{"a", 1}}, 30));
    CHECK(mocked.last_input() == R"({"a":1})");
}

SCENARIO("execute_tool rejects negative timeout_seconds") {
    MockedExecutor mocked;
    for (auto const seconds : {-1, 0}) {
        try {
            mocked.executor.execute_tool("lint", {}, seconds);
            FAIL("nothing was thrown");
        } catch (longshore::ValueError const& error) {
            CHECK(mentions(error.what(), "must be > 0"));
        }
    }
    CHECK(mocked.launcher.runs() == 0);
}

SCENARIO("ContainerToolExecutor without devcontainer binary uses workspace-folder target args") {
    support::ChangedEnvironment const no_binary{{{"PATH", "/nowhere"}}};
    MockedExecutor mocked{{.host_sandbox_path = "/tmp/sandbox"}};
    auto const arguments = mocked.executor.target_arguments();
    auto const flag = std::find(arguments.begin(), arguments.end(), "--workspace-folder");
    REQUIRE(flag != arguments.end());
    CHECK(*(flag + 1) == "/tmp/sandbox");
}

SCENARIO("ContainerToolExecutor raises when devcontainer binary is missing at execution") {
    support::ChangedEnvironment const no_binary{{{"PATH", "/nowhere"}}};
    MockedExecutor const mocked;
    try {
        mocked.executor.require_cli();
        FAIL("nothing was thrown");
    } catch (longshore::ContainerExecutionError const& error) {
        CHECK(mentions(error.what(), "'devcontainer' was not found in PATH"));
        CHECK(mentions(error.what(), "npm install -g @devcontainers/cli"));
        CHECK(error.exit_code() == -1);
    }
}

SCENARIO("_map_input_paths stops at max recursion depth") {
    MockedExecutor const mocked;
    boost::json::object inputs{{"path", "/tmp/sandbox/deep"}};
    for (int level = 0; level < 150; ++level)
        inputs = boost::json::object{{"inner", inputs}, {"path", "/tmp/sandbox/a"}};
    auto const mapped = mocked.executor.map_input_paths(inputs);
    CHECK(mapped.at("path") == "/workspace/a");
}

SCENARIO("_map_output_paths stops at max recursion depth") {
    MockedExecutor const mocked;
    boost::json::object output{{"path", "/workspace/deep"}};
    for (int level = 0; level < 150; ++level)
        output = boost::json::object{{"inner", output}, {"path", "/workspace/a"}};
    auto const mapped = mocked.executor.map_output_paths(output);
    CHECK(mapped.at("path") == "/tmp/sandbox/a");
}

SCENARIO("_map_output_paths preserves raw_output without path mapping") {
    MockedExecutor const mocked;
    auto const mapped =
        mocked.executor.map_output_paths({{"raw_output", "/workspace/a"}, {"other", "/workspace/b"}});
    CHECK(mapped.at("raw_output") == "/workspace/a");
    CHECK(mapped.at("other") == "/tmp/sandbox/b");
}

SCENARIO("execute_tool returns error for non-JSON-serialisable inputs") {
    MockedExecutor mocked;
    auto const result = mocked.executor.execute_tool(
        "lint", {{"a", {{"b", boost::json::array{1, std::numeric_limits<double>::quiet_NaN()}}}}});
    CHECK_FALSE(result);
    CHECK(mentions(result.error(), "JSON-serialisable"));
    CHECK(mentions(result.error(), "'/a/b/1'"));
    CHECK(result.failure_kind() == FailureKind::invalid_input);
    CHECK(result.container()->exit_code() == -1);
    CHECK(mocked.launcher.runs() == 0);
}

SCENARIO("_map_input_paths handles list values containing host paths") {
    MockedExecutor const mocked;
    auto const mapped = mocked.executor.map_input_paths(
        {{"paths", boost::json::array{"/tmp/sandbox/a", "/usr/b", boost::json::array{"/tmp/sandbox/c"}}}});
    CHECK(mapped.at("paths") ==
          boost::json::array{"/workspace/a", "/usr/b", boost::json::array{"/workspace/c"}});
}

SCENARIO("_map_output_paths handles list values containing container paths") {
    MockedExecutor const mocked;
    auto const mapped =
        mocked.executor.map_output_paths({{"paths", boost::json::array{"/workspace/a", "/workspace2/b"}}});
    CHECK(mapped.at("paths") == boost::json::array{"/tmp/sandbox/a", "/workspace2/b"});
}
