// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/host_cli.hpp>

#include <doctest/doctest.h>

using longshore::HostCli;

TEST_CASE("HostCli adds nothing to a command") {
    CHECK(HostCli{}.binary().empty());
    CHECK(HostCli{}.target_arguments({.container_id = "ignored"}).empty());
    CHECK(HostCli{}.environment_names().empty());
    CHECK_FALSE(HostCli{}.explain({.transport_exit = 1, .transport_noise = "no such container"}).has_value());
}

TEST_CASE("HostCli refuses a user, because it cannot become one") {
    CHECK_THROWS_AS(HostCli{}.target_arguments({.user = "me"}), longshore::ValueError);
}
