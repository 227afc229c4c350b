// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/devcontainer_cli.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using longshore::ContainerConfig;
using longshore::DevcontainerCli;
using longshore::FailureKind;
using longshore::LaunchOutcome;
using longshore::ValueError;

namespace {

FailureKind kind_of(int exit, std::string noise) {
    auto const failure =
        DevcontainerCli{}.explain({.transport_exit = exit, .transport_noise = std::move(noise)});
    return failure ? failure->kind : FailureKind::none;
}

} // namespace

TEST_CASE("DevcontainerCli names the container by its id, else by the workspace's folder on the host") {
    CHECK(DevcontainerCli{}.target_arguments({.container_id = "4f5e"}) ==
          std::vector<std::string>{"exec", "--container-id", "4f5e", "--default-user-env-probe", "none"});
    CHECK(DevcontainerCli{}.target_arguments({.host_sandbox_path = "/tmp/a,b c'd\"e"}) ==
          std::vector<std::string>{"exec", "--workspace-folder", "/tmp/a,b c'd\"e",
                                   "--default-user-env-probe", "none"});
}

TEST_CASE("DevcontainerCli refuses a configuration that names no target") {
    CHECK_THROWS_AS(DevcontainerCli{}.target_arguments({}), ValueError);
}

TEST_CASE("DevcontainerCli refuses a user, because it has no option for one") {
    CHECK_THROWS_AS(DevcontainerCli{}.target_arguments({.container_id = "4f5e", .user = "me"}), ValueError);
}

TEST_CASE("DevcontainerCli never asks for a terminal, mixed logs or values on the command line") {
    for (auto const& config : {ContainerConfig{.container_id = "4f5e"},
                               ContainerConfig{.host_sandbox_path = "/srv", .guard = false}}) {
        auto const arguments = DevcontainerCli{}.target_arguments(config);
        for (auto const* option : {"-t", "--tty", "--log-format", "--remote-env", "-e"})
            CHECK(std::find(arguments.begin(), arguments.end(), option) == arguments.end());
    }
}

TEST_CASE("DevcontainerCli tells a container that is not there from a CLI that fails") {
    CHECK(kind_of(1, "[2024-01-01T00:00:00Z] Error: Dev container not found.\n    at stack") ==
          FailureKind::container_unavailable);
    CHECK(kind_of(1, "[x] Error: Dev container config (/srv/.devcontainer) not found.") ==
          FailureKind::container_unavailable);
    CHECK(kind_of(1, "Shell server terminated (code: 255, signal: null)\nError: container is not running") ==
          FailureKind::container_unavailable);
    CHECK(kind_of(1, "Shell server terminated (code: 1, signal: null)") ==
          FailureKind::container_unavailable);
    CHECK(kind_of(1, "Error: No such container: 4f5e") == FailureKind::container_unavailable);
    CHECK(kind_of(125, "") == FailureKind::container_unavailable);
    CHECK(kind_of(1, "") == FailureKind::cli_failed);
    CHECK(kind_of(1, " \r\n") == FailureKind::cli_failed);
    CHECK(kind_of(127, "/usr/bin/env: 'node': No such file or directory") == FailureKind::cli_failed);
    CHECK(kind_of(126, "OCI runtime exec failed: exec failed: exec: \"sh\": executable file not found in "
                       "$PATH: unknown\r\n") == FailureKind::tool_not_found);
    CHECK(kind_of(1, "Unknown argument: foo") == FailureKind::none);
}

TEST_CASE("DevcontainerCli explains with the CLI's own words, and says what to do") {
    auto const failure =
        DevcontainerCli{}.explain({.transport_exit = 1, .transport_noise = "\nDev container not found.\n"});
    REQUIRE(failure.has_value());
    CHECK(failure->text == "Dev container not found.");
    CHECK(failure->hint.find("devcontainer up") != std::string::npos);
}

TEST_CASE("DevcontainerCli knows which arguments its option parser rewrites") {
    DevcontainerCli const cli;
    for (auto const* argument : {"1e3", "0x10", "0X1F", "1.0", "1.50", ".5", "5.", "-0", "0.0", "-1.0",
                                 "-1e3", "0.1e1", "", "\xFF", "123456789012345678901234567890"}) {
        CAPTURE(argument);
        CHECK(cli.rewrites(argument));
    }
    for (auto const* argument : {"lint", "1", "42", "-7", "a=1.0", "--n=1.0", "true", "null", "a b", "it's",
                                 "/usr/bin/lint", "-", "v1.0"}) {
        CAPTURE(argument);
        CHECK_FALSE(cli.rewrites(argument));
    }
}

TEST_CASE("DevcontainerCli is looked up by name or taken by path") {
    CHECK(DevcontainerCli{}.binary() == "devcontainer");
    DevcontainerCli const cli{"/opt/bin/devcontainer", "0.89.0"};
    CHECK(cli.binary() == "/opt/bin/devcontainer");
    CHECK(longshore::cli_version(cli) == "0.89.0");
    CHECK(longshore::install_hint(cli).find("@devcontainers/cli") != std::string::npos);
}
