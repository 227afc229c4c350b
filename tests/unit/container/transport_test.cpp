// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/docker_cli.hpp>
#include <longshore/container/host_cli.hpp>
#include <longshore/container/transport.hpp>

#include <support/environment.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using longshore::ContainerConfig;
using longshore::ContainerTransport;
using longshore::DockerCli;
using longshore::HostCli;
using longshore::transport_environment;
using support::ChangedEnvironment;

TEST_CASE("the environment of a container CLI is PATH, LANG and TERM, and only where the host has them") {
    ChangedEnvironment const host{{{"PATH", "/usr/bin"},
                                   {"LANG", "C.UTF-8"},
                                   {"TERM", {}},
                                   {"SECRET", "1"},
                                   {"HOME", "/root"},
                                   {"LD_PRELOAD", {}},
                                   {"NODE_OPTIONS", "--inspect"},
                                   {"BASH_ENV", "/tmp/x"}}};
    CHECK(transport_environment({}) == std::vector<std::string>{"PATH=/usr/bin", "LANG=C.UTF-8"});
}

TEST_CASE("named variables join the environment of a container CLI and bring nothing else with them") {
    ChangedEnvironment const host{{{"PATH", "/usr/bin"},
                                   {"LANG", {}},
                                   {"TERM", "dumb"},
                                   {"SECRET", "1"},
                                   {"DOCKER_HOST", "ssh://a=b"},
                                   {"UNSET_ONE", {}}}};
    CHECK(transport_environment({"DOCKER_HOST", "UNSET_ONE", "PATH", "DOCKER_HOST"}) ==
          std::vector<std::string>{"PATH=/usr/bin", "TERM=dumb", "DOCKER_HOST=ssh://a=b"});
}

TEST_CASE("a CLI's binary is resolved once, from absolute entries of PATH") {
    ContainerConfig const config{.container_id = "4f5e"};
    ChangedEnvironment first{{{"PATH", ".:relative:/usr/bin:/bin"}}};
    ContainerTransport const transport{DockerCli{"env"}, config};
    CHECK_FALSE(transport.binary_is_missing());
    CHECK(transport.binary() == "env");
    auto const before = transport.to(config).arguments;
    CHECK(before == std::vector<std::string>{"/usr/bin/env", "exec", "-i", "4f5e"});
    ChangedEnvironment const later{{{"PATH", "/nowhere"}}};
    CHECK(transport.to(config).arguments == before);
}

TEST_CASE("a CLI's binary that is not there keeps its name, and tells what to install") {
    ContainerConfig const config{.container_id = "4f5e"};
    ChangedEnvironment const host{{{"PATH", "/nowhere"}}};
    ContainerTransport const by_name{DockerCli{}, config};
    CHECK(by_name.binary_is_missing());
    CHECK(by_name.to(config).arguments.front() == "docker");
    CHECK(by_name.missing_binary().text == "'docker' was not found in PATH");
    CHECK(by_name.missing_binary().hint == DockerCli{}.install_hint());
    ContainerTransport const by_path{DockerCli{"/nowhere/docker"}, config};
    CHECK(by_path.binary_is_missing());
    CHECK(by_path.to(config).arguments.front() == "/nowhere/docker");
    CHECK(by_path.missing_binary().text == "'/nowhere/docker' is no executable file");
}

TEST_CASE("a CLI's binary is not found in a host without PATH") {
    ChangedEnvironment const host{{{"PATH", {}}}};
    CHECK(ContainerTransport{DockerCli{"env"}, ContainerConfig{}}.binary_is_missing());
}

TEST_CASE("the way to the host is empty and misses nothing") {
    ContainerConfig const config{};
    ContainerTransport const transport{HostCli{}, config};
    CHECK_FALSE(transport.binary_is_missing());
    CHECK(transport.to(config).arguments.empty());
}

TEST_CASE("two ways by one configuration are the same way") {
    ContainerConfig const config{.container_id = "4f5e"};
    ContainerTransport const transport{DockerCli{}, config};
    CHECK(transport.to(config) == transport.to(config));
}
