// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/any_cli.hpp>
#include <longshore/container/devcontainer_cli.hpp>
#include <longshore/container/docker_cli.hpp>
#include <longshore/container/host_cli.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using longshore::AnyContainerCli;
using longshore::DevcontainerCli;
using longshore::DockerCli;
using longshore::HostCli;

TEST_CASE("AnyContainerCli answers as the CLI that it holds") {
    AnyContainerCli const cli{DockerCli{"docker", "20.10"}};
    CHECK(cli.binary() == "docker");
    CHECK(cli.version() == "20.10");
    CHECK(cli.install_hint() == DockerCli{}.install_hint());
    CHECK(cli.environment_names() == DockerCli{}.environment_names());
    CHECK(cli.target_arguments({.container_id = "4f5e"}) == std::vector<std::string>{"exec", "-i", "4f5e"});
    CHECK_THROWS_AS(cli.target_arguments({}), longshore::ValueError);
    CHECK(cli.explain({.transport_noise = "No such container"})->kind ==
          longshore::FailureKind::container_unavailable);
    CHECK_FALSE(cli.rewrites("1.0"));
    CHECK(AnyContainerCli{DevcontainerCli{}}.rewrites("1.0"));
}

TEST_CASE("AnyContainerCli can be copied, and changed at run time") {
    AnyContainerCli cli{HostCli{}};
    CHECK(cli.binary().empty());
    CHECK(cli.version().empty());
    auto const before = cli;
    cli = DockerCli{};
    CHECK(cli.binary() == "docker");
    CHECK(before.binary().empty());
}
