// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/podman_cli.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using longshore::PodmanCli;

TEST_CASE("PodmanCli executes in the container by its id, as the user asked for, never on a terminal") {
    CHECK(PodmanCli{}.target_arguments({.container_id = "4f5e"}) ==
          std::vector<std::string>{"exec", "--detach-keys=", "-i", "4f5e"});
    CHECK(PodmanCli{}.target_arguments({.container_id = "4f5e", .user = "1000:1000"}) ==
          std::vector<std::string>{"exec", "--detach-keys=", "-i", "-u", "1000:1000", "4f5e"});
}

TEST_CASE("PodmanCli lets the engine enter the workspace folder only where no guard does") {
    CHECK(PodmanCli{}.target_arguments({.workspace_folder = "/w", .container_id = "4f5e", .guard = false}) ==
          std::vector<std::string>{"exec", "--detach-keys=", "-i", "-w", "/w", "4f5e"});
}

TEST_CASE("PodmanCli refuses a configuration without container_id") {
    CHECK_THROWS_WITH_AS(PodmanCli{}.target_arguments({.host_sandbox_path = "/srv"}),
                         "PodmanCli needs container_id: the id or name of a running container",
                         longshore::ValueError);
}

TEST_CASE("PodmanCli is looked up by name or taken by path") {
    CHECK(PodmanCli{}.binary() == "podman");
    CHECK(PodmanCli{"/opt/podman", "4.3"}.binary() == "/opt/podman");
    CHECK(longshore::cli_version(PodmanCli{"podman", "4.3"}) == "4.3");
    CHECK_FALSE(longshore::install_hint(PodmanCli{}).empty());
    CHECK_FALSE(longshore::rewrites(PodmanCli{}, "1.0"));
    CHECK_FALSE(PodmanCli{}.environment_names().empty());
}

TEST_CASE("PodmanCli explains what the engine says, and nothing else") {
    auto const failure = PodmanCli{}.explain(
        {.transport_exit = 125,
         .transport_noise = "Error: no container with name or ID \"4f5e\" found: no such container\n"});
    REQUIRE(failure.has_value());
    CHECK(failure->kind == longshore::FailureKind::container_unavailable);
    CHECK_FALSE(PodmanCli{}.explain({.transport_exit = 1, .transport_noise = "surprise"}).has_value());
}
