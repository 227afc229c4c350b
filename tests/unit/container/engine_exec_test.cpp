// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/engine_exec.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

TEST_CASE("engine arguments put user and directory before the container, and the container last") {
    CHECK(longshore::engine_exec_arguments(
              {.workspace_folder = "/w", .container_id = "4f5e", .user = "me", .guard = false}, "AnyCli") ==
          std::vector<std::string>{"exec", "-i", "-u", "me", "-w", "/w", "4f5e"});
}

TEST_CASE("engine arguments without a container name the CLI that needs one") {
    CHECK_THROWS_WITH_AS(longshore::engine_exec_arguments({}, "AnyCli"),
                         "AnyCli needs container_id: the id or name of a running container",
                         longshore::ValueError);
}
