// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/docker_cli.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using longshore::DockerCli;

TEST_CASE("DockerCli executes in the container by its id, as the user asked for, never on a terminal") {
    CHECK(DockerCli{}.target_arguments({.container_id = "4f5e"}) ==
          std::vector<std::string>{"exec", "-i", "4f5e"});
    CHECK(DockerCli{}.target_arguments({.container_id = "4f5e", .user = "1000:1000"}) ==
          std::vector<std::string>{"exec", "-i", "-u", "1000:1000", "4f5e"});
}

TEST_CASE("DockerCli lets the engine enter the workspace folder only where no guard does") {
    CHECK(DockerCli{}.target_arguments({.workspace_folder = "/w", .container_id = "4f5e", .guard = false}) ==
          std::vector<std::string>{"exec", "-i", "-w", "/w", "4f5e"});
}

TEST_CASE("DockerCli refuses a configuration without container_id") {
    CHECK_THROWS_WITH_AS(DockerCli{}.target_arguments({.host_sandbox_path = "/srv"}),
                         "DockerCli needs container_id: the id or name of a running container",
                         longshore::ValueError);
}

TEST_CASE("DockerCli is looked up by name or taken by path") {
    CHECK(DockerCli{}.binary() == "docker");
    CHECK(DockerCli{"/opt/docker", "20.10"}.binary() == "/opt/docker");
    CHECK(longshore::cli_version(DockerCli{"docker", "20.10"}) == "20.10");
    CHECK_FALSE(longshore::install_hint(DockerCli{}).empty());
    CHECK_FALSE(longshore::rewrites(DockerCli{}, "1.0"));
    CHECK_FALSE(DockerCli{}.environment_names().empty());
}

TEST_CASE("DockerCli explains what the engine says, and nothing else") {
    auto const failure =
        DockerCli{}.explain({.transport_exit = 1, .transport_noise = "Error: No such container: 4f5e\n"});
    REQUIRE(failure.has_value());
    CHECK(failure->kind == longshore::FailureKind::container_unavailable);
    CHECK_FALSE(DockerCli{}.explain({.transport_exit = 1, .transport_noise = "surprise"}).has_value());
}
