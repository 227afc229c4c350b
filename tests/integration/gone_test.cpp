// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <future>
#include <string>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;
using namespace std::chrono_literals;

namespace {

// A tool that would run for ever, in a container of its own to which something happens once the tool runs.
longshore::ToolResult run_while(Way const& way,
                                std::function<void(WorkspaceContainer const&)> const& happens) {
    Workspace const workspace;
    WorkspaceContainer const container{way.engine().value(), workspace};
    auto executor = Place{way, workspace, container}.shell("echo working; while :; do sleep 0.05; done");
    std::future<void> event;
    // Once: what the CLI says about the end comes on the tool's streams too.
    auto const on_output = [&](longshore::Stream, std::string_view) {
        if (!event.valid()) event = std::async(std::launch::async, [&] { happens(container); });
        return longshore::Flow::go_on;
    };
    auto result = executor.execute_tool("tool", object{}, {.timeout = 30s, .on_output = on_output});
    REQUIRE_MESSAGE(event.valid(), result.error());
    event.get();
    return result;
}

void is_gone(longshore::ToolResult const& result) {
    CAPTURE(result.error());
    CHECK(result.failure_kind() == FailureKind::container_gone);
    CHECK(result.error().find("the container went away while the tool ran") != std::string::npos);
    CHECK_FALSE(result.container().value().timed_out());
    CHECK(result.standard_output().bytes == "working\n");
    CHECK(result.output_incomplete());
}

} // namespace

TEST_CASE("a container that is killed during a call is gone, and the call does not wait for its deadline") {
    on_ways(ways_into_containers(), [](Way const& way) {
        is_gone(run_while(way, [](WorkspaceContainer const& container) { container.command("kill"); }));
    });
}

TEST_CASE("a container that is removed during a call is gone, and the call does not wait for its deadline") {
    on_ways(ways_into_containers(), [](Way const& way) {
        is_gone(run_while(way, [](WorkspaceContainer const& container) { container.command("rm", {"-f"}); }));
    });
}
