// SPDX-License-Identifier: BSL-1.0
// What `executor.hpp` adds: the defaults, and what is deduced from constructor arguments.
#include <longshore/container/any_cli.hpp>
#include <longshore/container/docker_cli.hpp>
#include <longshore/container/executor.hpp>
#include <longshore/container/host_cli.hpp>
#include <longshore/process/any_launcher.hpp>
#include <longshore/testing/manual_clock.hpp>
#include <longshore/testing/mock_launcher.hpp>
#include <longshore/tool/executor_concept.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <type_traits>
#include <utility>

using longshore::AnyContainerCli;
using longshore::AnyLauncher;
using longshore::BoostJson;
using longshore::ContainerConfig;
using longshore::ContainerToolExecutor;
using longshore::DevcontainerCli;
using longshore::DockerCli;
using longshore::Hooks;
using longshore::HostCli;
using longshore::ManualClock;
using longshore::MockLauncher;
using longshore::ProcessLauncher;

namespace {

using Steady = std::chrono::steady_clock;

template <typename... Arguments>
using Deduced = decltype(ContainerToolExecutor{std::declval<ContainerConfig>(),
                                               std::declval<Arguments>()...});

static_assert(
    std::is_same_v<Deduced<>, ContainerToolExecutor<ProcessLauncher, BoostJson, Steady, DevcontainerCli>>);
static_assert(std::is_same_v<Deduced<Hooks>, ContainerToolExecutor<>>);
static_assert(
    std::is_same_v<Deduced<DockerCli>, ContainerToolExecutor<ProcessLauncher, BoostJson, Steady, DockerCli>>);
static_assert(std::is_same_v<Deduced<HostCli, Hooks>,
                             ContainerToolExecutor<ProcessLauncher, BoostJson, Steady, HostCli>>);
static_assert(std::is_same_v<Deduced<MockLauncher>, ContainerToolExecutor<MockLauncher>>);
static_assert(std::is_same_v<Deduced<MockLauncher, Hooks>, ContainerToolExecutor<MockLauncher>>);
static_assert(std::is_same_v<Deduced<MockLauncher, ManualClock>,
                             ContainerToolExecutor<MockLauncher, BoostJson, ManualClock>>);
static_assert(std::is_same_v<Deduced<MockLauncher, DockerCli, Hooks>,
                             ContainerToolExecutor<MockLauncher, BoostJson, Steady, DockerCli>>);
static_assert(std::is_same_v<Deduced<MockLauncher, ManualClock, DockerCli, Hooks>,
                             ContainerToolExecutor<MockLauncher, BoostJson, ManualClock, DockerCli>>);
static_assert(std::is_same_v<Deduced<AnyLauncher, AnyContainerCli>,
                             ContainerToolExecutor<AnyLauncher, BoostJson, Steady, AnyContainerCli>>);

static_assert(longshore::ToolExecutor<ContainerToolExecutor<>>);
static_assert(longshore::ToolExecutor<Deduced<MockLauncher, DockerCli>>);
static_assert(!std::is_copy_constructible_v<ContainerToolExecutor<>>);
static_assert(std::is_nothrow_destructible_v<ContainerToolExecutor<>>);

} // namespace

TEST_CASE("an executor whose launcher and CLI are chosen at run time works as any other") {
    MockLauncher const mock;
    MockLauncher{mock}.prints(R"({"lines": 3})");
    ContainerToolExecutor executor{ContainerConfig{.container_id = "4f5e"}, AnyLauncher{mock},
                                   AnyContainerCli{DockerCli{"docker"}}};
    CHECK(executor.execute_tool("count", {{"path", "/tmp/sandbox/a"}}).output().at("lines") == 3);
    CHECK(executor.target_arguments().front() == "exec");
    CHECK(mock.runs() == 1);
}

TEST_CASE("an executor can be moved while no call runs, and works on") {
    MockLauncher const mock;
    MockLauncher{mock}.prints(R"({"path": "/workspace/a"})");
    ContainerToolExecutor first{ContainerConfig{.container_id = "4f5e", .concurrency_limit = 1}, mock};
    auto second = std::move(first);
    CHECK(second.execute_tool("count", {}).output().at("path") == "/tmp/sandbox/a");
    CHECK(second.config().container_id == "4f5e");
}

TEST_CASE("one entry in braces is an object of inputs, and the last argument may be a deadline or options") {
    ContainerToolExecutor executor{ContainerConfig{.container_id = "4f5e"}, MockLauncher{}};
    CHECK(executor.execute_tool("count", {{"path", "/x"}}));
    CHECK(executor.execute_tool("count", {{"path", "/x"}}, 30));
    CHECK(executor.execute_tool("count", {{"path", "/x"}}, std::chrono::milliseconds{1500}));
    CHECK(executor.execute_tool("count", {}, {.timeout = 5}));
    CHECK(executor.execute_tool("count", {}, {}));
    auto const requests = executor.launcher().requests();
    CHECK(requests.at(0).timeout == longshore::Timeout{120});
    CHECK(requests.at(1).timeout == longshore::Timeout{30});
    CHECK(requests.at(2).timeout == longshore::Timeout{std::chrono::milliseconds{1500}});
    CHECK(requests.at(3).timeout == longshore::Timeout{5});
}
