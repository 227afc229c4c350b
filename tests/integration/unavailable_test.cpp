// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <string>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;

namespace {

// The CLI's own failure, told as such; the tool's status cannot be known, and nothing was started.
void is_unavailable(longshore::ToolResult const& result) {
    CAPTURE(result.error());
    CHECK(result.failure_kind() == FailureKind::container_unavailable);
    CHECK(result.error().starts_with("Container execution failed (exit code "));
    CHECK(result.hint() != "");
    CHECK(result.standard_output().bytes == "");
}

// The devcontainer CLI says nothing at all when Docker has no such container, so it cannot be told apart from
// other failures before the start.
void is_unknown(Way const& way, longshore::ToolResult const& result) {
    if (way.through != Through::devcontainer_by_id || way.engine_name != "docker")
        return is_unavailable(result);
    CAPTURE(result.error());
    CHECK(result.failure_kind() == FailureKind::cli_failed);
    CHECK(result.hint().find("docker ps") != std::string::npos);
}

longshore::ToolResult run(Place const& place, longshore::ContainerConfig config) {
    auto executor = place.executor(std::move(config));
    return executor.execute_tool("true", object{});
}

} // namespace

TEST_CASE("a tool that the container does not have is told apart from one that fails") {
    in_every_place([](Place const& place) {
        auto executor = place.executor(place.config());
        auto const missing = executor.execute_tool("no-such-tool", object{});
        CHECK(missing.failure_kind() == FailureKind::tool_not_found);
        CHECK(missing.container().value().exit_code() == 127);
        CHECK(missing.error() ==
              "Container execution failed (exit code 127): 'no-such-tool' was not found in the "
              "container");

        place.workspace().write("not-executable", "#!/bin/sh\n");
        auto const refused =
            executor.execute_tool(place.config().workspace_folder.string() + "/not-executable", object{});
        CHECK(refused.failure_kind() == FailureKind::tool_not_found);
        CHECK(refused.container().value().exit_code() == 126);
    });
}

TEST_CASE("a workspace folder that the container does not have is told") {
    in_every_place([](Place const& place) {
        if (place.way().through == Through::bubblewrap) return; // it makes the folder
        auto config = place.config();
        config.workspace_folder = "/no/such/folder";
        auto const result = run(place, config);
        is_unavailable(result);
        CHECK(result.error().find("/no/such/folder") != std::string::npos);
    });
}

TEST_CASE("a container that never was is told") {
    in_places(ways_that([](Way const& way) {
                  return way.into_container() && way.through != Through::devcontainer_by_folder;
              }),
              [](Place const& place) {
                  auto config = place.config();
                  config.container_id = "longshore-no-such-container";
                  is_unknown(place.way(), run(place, config));
              });
}

TEST_CASE("a folder that was never brought up is told, with and without a devcontainer.json") {
    on_ways(ways_that([](Way const& way) { return way.through == Through::devcontainer_by_folder; }),
            [](Way const& way) {
                Workspace const workspace;
                Place const place{way, workspace};
                is_unavailable(run(place, place.config()));
                workspace.write(".devcontainer/devcontainer.json", R"({"image":"none"})");
                is_unavailable(run(place, place.config()));
            });
}

TEST_CASE("a container that was stopped is told, and then one that was removed") {
    on_ways(ways_into_containers(), [](Way const& way) {
        Workspace const workspace;
        WorkspaceContainer const container{way.engine().value(), workspace};
        Place const place{way, workspace, container};
        container.command("stop");
        is_unavailable(run(place, place.config()));
        container.command("rm");
        is_unknown(way, run(place, place.config()));
    });
}

TEST_CASE("an engine CLI that is missing is told, with what to install") {
    for (auto const& way : every_way())
        if (way.through == Through::engine) SUBCASE(way.name.c_str()) {
                auto const place = shared_place(way);
                longshore::ContainerToolExecutor executor{place.config(),
                                                          longshore::DockerCli{"/no/such/docker"}};
                auto const result = executor.execute_tool("true", object{});
                CHECK(result.failure_kind() == FailureKind::os_error);
                CHECK(result.hint().find("Install") != std::string::npos);
            }
}
