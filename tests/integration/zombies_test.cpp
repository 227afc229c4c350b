// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace longshore_test;
using boost::json::object;

namespace {

// Calls of a tool whose children outlive it, and then how many zombies the container has.
std::int64_t zombies_after_calls(Place const& place) {
    auto leaving =
        place.shell("for i in 1 2 3; do setsid sh -c 'sleep 0.2; exit 1' & done; echo '{\"a\":1}'");
    for (int call = 0; call < 3; ++call) {
        auto const result = leaving.execute_tool("tool", object{});
        CHECK(result.output() == object{{"a", 1}});
        CHECK(result.container().value().container_process_killed() == true);
    }
    auto counting = place.shell("cat /proc/[0-9]*/stat 2>/dev/null | grep -c ') Z '; :");
    auto const count = counting.execute_tool("count", object{});
    CHECK_MESSAGE(count, count.error());
    return count.output().at("result").as_int64();
}

} // namespace

TEST_CASE("where the container's first process reaps, calls leave no zombie") {
    in_places(ways_that([](Way const& way) {
                  return way.into_container() && way.through != Through::devcontainer_by_folder;
              }),
              [](Place const& place) { CHECK(eventually([&] { return zombies_after_calls(place) == 0; })); });
}

TEST_CASE("where the container's first process does not reap, later calls go on all the same") {
    on_ways(ways_that([](Way const& way) { return way.through == Through::engine; }), [](Way const& way) {
        Workspace const workspace;
        workspace.write_program("never-reaps", "#!/bin/sh\nexec sleep 3600\n");
        WorkspaceContainer const container{
            way.engine().value(),
            workspace,
            {"--entrypoint", "/workspace/never-reaps", "--stop-signal", "KILL"}};
        CHECK(zombies_after_calls({way, workspace, container}) > 0);
    });
}
