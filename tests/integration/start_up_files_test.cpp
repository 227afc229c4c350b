// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;

namespace {

// What a tool could leave behind for the next one: start-up files that put a folder of the workspace in
// front.
void lay_trap(Place const& place) {
    place.workspace().write_program("bin/hostname", "#!/bin/sh\necho '{\"trapped\":true}'\n");
    auto executor = place.shell("for file in .bashrc .profile .bash_profile .shrc; do echo 'export "
                                "PATH=/workspace/bin:$PATH ENV=/workspace/bin/hostname' >~/$file; done");
    auto const laid = executor.execute_tool("trap", object{});
    REQUIRE_MESSAGE(laid, laid.error());
}

} // namespace

TEST_CASE("start-up files that tools have written do not choose the next tool's program") {
    on_ways(ways_into_containers(), [](Way const& way) {
        Workspace const workspace;
        WorkspaceContainer const container{way.engine().value(), workspace};
        Place const place{way, workspace, container};
        lay_trap(place);
        auto executor = place.executor(place.config());
        auto const result = executor.execute_tool("hostname", object{});
        REQUIRE_MESSAGE(result, result.error());
        CHECK(result.standard_output().bytes == container.id().substr(0, 12) + "\n");
    });
}

TEST_CASE(
    "without a target the devcontainer CLI is not asked, though the current directory has a container") {
    on_ways(ways_that([](Way const& way) { return way.through == Through::devcontainer_by_folder; }),
            [](Way const& way) {
                auto const place = shared_place(way);
                auto const before = std::filesystem::current_path();
                std::filesystem::current_path(place.workspace().folder());
                longshore::ContainerConfig config;
                config.forward_environment = place.config().forward_environment;
                auto executor = place.executor(config);
                CHECK_THROWS_AS(executor.execute_tool("true", object{}), longshore::ValueError);
                std::filesystem::current_path(before);
            });
}
