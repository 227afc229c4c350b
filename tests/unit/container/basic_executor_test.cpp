// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/docker_cli.hpp>
#include <longshore/container/host_cli.hpp>

#include "executor_support.hpp"

#include <support/environment.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

using longshore::ContainerConfig;
using longshore::ContainerToolExecutor;
using longshore::DockerCli;
using longshore::FailureKind;
using longshore::MockCall;
using longshore::MockLauncher;
using longshore::Reached;
using longshore::ValueError;
using support::mentions;
using support::MockedExecutor;
using namespace std::string_view_literals;
using namespace std::chrono_literals;

TEST_CASE("execute_tool refuses names that would be options or hold control characters, and starts nothing") {
    MockedExecutor mocked;
    for (auto const name : {"--help"sv, "-v"sv, "-"sv, "a\nb"sv, "a\0b"sv, "\x1b[2J"sv, "a\x7f"sv}) {
        CAPTURE(name);
        CHECK_THROWS_AS(mocked.executor.execute_tool(name, {}), ValueError);
        CHECK_THROWS_AS(mocked.executor.build_exec_command(name, 30), ValueError);
    }
    CHECK(mocked.launcher.runs() == 0);
}

TEST_CASE("execute_tool passes a name of shell text as one argument, unchanged") {
    MockedExecutor mocked;
    for (auto const* name : {"x; touch pwn", "a b", "$(id)", "../x", "`id`", "1.0", "it's", "\xFF\xFE"}) {
        CAPTURE(name);
        mocked.run(name);
        CHECK(mocked.last_request().command.arguments == std::vector<std::string>{name});
        CHECK(mocked.executor.build_exec_command(name).back() == name);
    }
}

TEST_CASE("a tool's command line is tool_command and then its name") {
    auto config = MockedExecutor::standard();
    config.tool_command = {"/opt/tools/run", "--json", ""};
    MockedExecutor mocked{config};
    mocked.run("lint");
    CHECK(mocked.last_request().command.arguments ==
          std::vector<std::string>{"/opt/tools/run", "--json", "", "lint"});
}

TEST_CASE("build_exec_command is the way into the container and then the command, without the guard") {
    support::ChangedEnvironment const no_binary{{{"PATH", "/nowhere"}}};
    MockedExecutor const mocked;
    CHECK(mocked.executor.build_exec_command("lint", 30) ==
          std::vector<std::string>{"devcontainer", "exec", "--container-id", "test-ctr",
                                   "--default-user-env-probe", "none", "lint"});
}

TEST_CASE("a folder's name with spaces, commas and quotes stays one argument") {
    MockedExecutor mocked{{.host_sandbox_path = "/tmp/a,b c'd\"e"}};
    mocked.executor.execute_tool("lint", {{"path", "/tmp/a,b c'd\"e/file"}});
    CHECK(mocked.last_request().transport.arguments.at(3) == "/tmp/a,b c'd\"e");
    CHECK(mocked.last_input() == R"({"path":"/workspace/file"})");
}

TEST_CASE("a tool starts in the workspace folder, whatever the way into the container does") {
    for (auto const& config : {MockedExecutor::standard(),
                               ContainerConfig{.workspace_folder = "/work/deep", .container_id = "4f5e"}}) {
        MockedExecutor mocked{config};
        mocked.run();
        CHECK(mocked.last_request().command.working_directory == config.workspace_folder.string());
    }
}

TEST_CASE("a configuration that names no container is refused before anything starts") {
    MockedExecutor mocked{ContainerConfig{}};
    CHECK_THROWS_AS(mocked.run(), ValueError);
    CHECK_THROWS_AS(mocked.executor.target_arguments(), ValueError);
    CHECK_THROWS_AS(mocked.executor.build_exec_command("lint"), ValueError);
    ContainerToolExecutor docker{ContainerConfig{.host_sandbox_path = "/srv"}, mocked.launcher, DockerCli{}};
    CHECK_THROWS_AS(docker.execute_tool("lint", {}), ValueError);
    CHECK(mocked.launcher.runs() == 0);
}

TEST_CASE("the CLI's environment is the allow list, with named variables and without them") {
    support::ChangedEnvironment const host{{{"PATH", "/usr/bin"},
                                            {"LANG", "C.UTF-8"},
                                            {"TERM", "dumb"},
                                            {"SECRET", "1"},
                                            {"HOME", "/root"},
                                            {"LD_PRELOAD", {}},
                                            {"GIT_DIR", "/x"},
                                            {"DOCKER_HOST", "tcp://h"}}};
    auto config = MockedExecutor::standard();
    MockedExecutor plain{config};
    plain.run();
    CHECK(plain.last_request().transport.environment ==
          std::vector<std::string>{"PATH=/usr/bin", "LANG=C.UTF-8", "TERM=dumb"});
    config.forward_environment = {"DOCKER_HOST"};
    MockedExecutor forwarding{config};
    forwarding.run("lint", {.environment = {{"LEVEL", "2"}}});
    CHECK(forwarding.last_request().transport.environment ==
          std::vector<std::string>{"PATH=/usr/bin", "LANG=C.UTF-8", "TERM=dumb", "DOCKER_HOST=tcp://h"});
}

TEST_CASE("each call launches exactly once, however it fails") {
    for (auto const& call :
         {MockCall{}, MockCall{}.exits(1), MockCall{}.times_out(), MockCall{}.times_out(Reached::unknown),
          MockCall{}.cli_fails(1, ""), MockCall{}.loses_tail(), MockCall{}.loses_container(),
          MockCall{}.killed_on_host(9), MockCall{}.fails_to_start(EAGAIN), MockCall{}.loses_status()}) {
        MockedExecutor mocked;
        mocked.launcher.then(call);
        mocked.run();
        CHECK(mocked.launcher.runs() == 1);
    }
}

TEST_CASE("a large input travels on standard input and on no command line") {
    MockedExecutor mocked;
    std::string const large(10U << 20U, 'x');
    CHECK(mocked.executor.execute_tool("lint", {{"text", large}}));
    CHECK(mocked.last_input().size() == large.size() + 11);
    for (auto const& argument : mocked.last_request().command.arguments)
        CHECK(argument.size() < 100);
}

TEST_CASE("a command line that the system finds too long is an OS error, not a crash") {
    ContainerToolExecutor executor{ContainerConfig{.workspace_folder = "/usr"}, longshore::HostCli{}};
    auto const result = executor.execute_tool(std::string(1U << 20U, 't'), {});
    CHECK(result.failure_kind() == FailureKind::os_error);
    CHECK(result.error().starts_with("Container execution failed (exit code -1): "));
    CHECK(mentions(result.error(), "Argument list too long"));
}

TEST_CASE("a missing binary makes execute_tool fail in the specification's form, with what to install") {
    support::ChangedEnvironment const no_binary{{{"PATH", "/nowhere"}}};
    ContainerToolExecutor executor{ContainerConfig{.container_id = "4f5e"}, DockerCli{}};
    auto const result = executor.execute_tool("lint", {});
    CHECK(result.error() == "Container execution failed (exit code -1): 'docker' was not found in PATH");
    CHECK(result.hint() == DockerCli{}.install_hint());
    CHECK(result.failure_kind() == FailureKind::os_error);
    CHECK(result.container()->cli() == "docker");
}

TEST_CASE("require_cli is content with a binary that is there, and with none at all") {
    ContainerToolExecutor const there{ContainerConfig{}, MockLauncher{}, DockerCli{"/bin/sh"}};
    CHECK_NOTHROW(there.require_cli());
    ContainerToolExecutor const path{ContainerConfig{}, MockLauncher{}, DockerCli{"/nowhere/docker"}};
    CHECK_THROWS_AS(path.require_cli(), longshore::ContainerExecutionError);
}

TEST_CASE("the CLI's words decide what a call means that never reached the tool") {
    MockedExecutor mocked;
    mocked.launcher.cli_fails(1, "[time] Error: Dev container not found.\n");
    auto const result = mocked.run();
    CHECK(result.failure_kind() == FailureKind::container_unavailable);
    CHECK(result.error() ==
          "Container execution failed (exit code 1): [time] Error: Dev container not found.");
    CHECK(mentions(result.hint(), "devcontainer up"));
}

TEST_CASE("without the guard, what only the guard can do is refused, and so are arguments the CLI rewrites") {
    auto config = MockedExecutor::standard();
    config.guard = false;
    MockedExecutor mocked{config};
    CHECK_THROWS_AS(mocked.run("1.0"), ValueError);
    CHECK_THROWS_AS(mocked.run("lint", {.environment = {{"A", "b"}}}), ValueError);
    CHECK_THROWS_AS(mocked.run("lint", {.working_directory = "/workspace/sub"}), ValueError);
    CHECK(mocked.launcher.runs() == 0);
    auto const result = mocked.run("lint");
    CHECK(result);
    CHECK_FALSE(mocked.last_request().guarded);
    CHECK_FALSE(result.container()->guarded());
    ContainerToolExecutor docker{config, mocked.launcher, DockerCli{}};
    CHECK(docker.execute_tool("1.0", {}));
}

TEST_CASE("workspace, sandbox and mounts that overlap are refused at construction") {
    CHECK_THROWS_AS((MockedExecutor{{.workspace_folder = "/tmp/sandbox/w", .container_id = "4f5e"}}),
                    ValueError);
}

TEST_CASE("mounts are mapped beside the workspace") {
    auto config = MockedExecutor::standard();
    config.mounts = {{"/srv/data", "/data"}};
    MockedExecutor mocked{config};
    mocked.executor.execute_tool("lint", {{"a", "/srv/data/x"}, {"b", "/tmp/sandbox/y"}});
    CHECK(mocked.last_input() == R"({"a":"/data/x","b":"/workspace/y"})");
}
