// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;
using namespace std::chrono_literals;

namespace {

std::vector<Way> ways_into_small_places() {
    return ways_that([](Way const& way) {
        return way.into_container() && way.through != Through::devcontainer_by_folder;
    });
}

// All that the guard has to do: input of each size class, frames, the end of a tool that ends and of one that
// does not.
void guard_works(Place const& place, std::string const& user = {}) {
    auto config = place.config({"sh", "-c", "cat; echo oops >&2; exit 3"});
    if (!place.way().by_devcontainer()) config.user = user;
    auto executor = place.executor(config);
    for (std::size_t const size : {std::size_t{1}, std::size_t{100'000}, std::size_t{5'000'000}}) {
        auto const inputs = object{{"text", std::string(size, 'x')}};
        auto const result = executor.execute_tool("tool", inputs);
        CHECK(result.failure_kind() == FailureKind::tool_failed);
        CHECK(result.container().value().exit_code() == 3);
        CHECK(result.standard_error().bytes == "oops\n");
        CHECK(result.standard_output().bytes.size() == size + std::string{R"({"text":""})"}.size());
        CHECK_FALSE(result.output_incomplete());
    }

    config.tool_command = {"sh", "-c",
                           "trap '' TERM; echo so far; setsid sh -c 'sleep 1000' \"$0\" & while :; do sleep "
                           "0.05 || sleep 1; done"};
    auto staying = place.executor(config);
    auto const name = unique_name("clinging-tool");
    auto const stopped = staying.execute_tool(name, object{}, place.way().by_devcontainer() ? 4s : 2s);
    CHECK(stopped.failure_kind() == FailureKind::timed_out);
    CHECK(stopped.standard_output().bytes == "so far\n");
    CHECK(stopped.container().value().container_process_killed() == true);
    is_gone(place, name);
}

void guard_works_in(Way const& way, std::vector<std::string> options, std::string const& image = {},
                    std::string const& user = {}) {
    Workspace const workspace;
    WorkspaceContainer const container{way.engine().value(), workspace, std::move(options), image};
    guard_works({way, workspace, container}, user);
}

} // namespace

TEST_CASE("an image with nothing but busybox is enough") {
    on_ways(ways_into_small_places(),
            [](Way const& way) { guard_works_in(way, {}, way.engine().value().busybox_image); });
}

TEST_CASE("a container with a read-only root is enough") {
    on_ways(ways_into_small_places(), [](Way const& way) {
        std::vector<std::string> options{"--read-only"};
        if (way.engine_name == "podman") options.push_back("--read-only-tmpfs=false");
        guard_works_in(way, options);
    });
}

TEST_CASE("a container that runs as an ordinary user is enough") {
    on_ways(ways_into_small_places(), [](Way const& way) { guard_works_in(way, {"--user", "1000"}); });
}

TEST_CASE("tools can run as another user than the container's") {
    on_ways(ways_that([](Way const& way) { return way.through == Through::engine; }), [](Way const& way) {
        guard_works_in(way, {}, {}, "vscode");
        auto const place = shared_place(way);
        auto config = place.config({"sh", "-c"});
        config.user = "vscode";
        auto executor = place.executor(config);
        CHECK(executor.execute_tool("id -u", object{}).output() == object{{"result", 1000}});
    });
}

TEST_CASE("a container in which the tool has no process of its own to spare is told as a failure") {
    on_ways(ways_that([](Way const& way) { return way.through == Through::engine; }), [](Way const& way) {
        Workspace const workspace;
        WorkspaceContainer const container{way.engine().value(), workspace, {"--pids-limit", "3"}};
        auto executor = Place{way, workspace, container}.shell("echo '{}'");
        auto const result = executor.execute_tool("tool", object{});
        CHECK_FALSE(result);
        CHECK(result.error() != "");
    });
}
