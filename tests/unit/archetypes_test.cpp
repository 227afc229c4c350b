// SPDX-License-Identifier: BSL-1.0
#include <archetypes.hpp>
#include <json_archetypes.hpp>

#include <longshore/container/basic_executor.hpp>
#include <longshore/json/parse_output.hpp>
#include <longshore/json/path_rewriter.hpp>
#include <longshore/tool/basic_registry.hpp>
#include <longshore/tool/result_json.hpp>
#include <longshore/tool/runner.hpp>

#include <doctest/doctest.h>

// Every member is compiled, so none may ask for more than the concepts do.
template class longshore::ContainerToolExecutor<archetype::Launcher, archetype::Json, archetype::Clock,
                                                archetype::Cli>;
template class longshore::BasicToolResult<archetype::Json>;
template class longshore::BasicToolRegistry<archetype::Json>;
template class longshore::PathRewriter<archetype::Json, archetype::StringMapper>;

TEST_CASE("an executor made of nothing but archetypes runs a tool") {
    using Executor = longshore::ContainerToolExecutor<archetype::Launcher, archetype::Json, archetype::Clock,
                                                      archetype::Cli>;
    static_assert(longshore::ToolExecutor<Executor>);
    Executor executor{longshore::ContainerConfig{}};
    auto const result = executor.execute_tool("lint", {}, 30);
    CHECK(result.failure_kind() == longshore::FailureKind::exit_status_unknown);
    CHECK(result.duration_ms() == 0);
    longshore::to_json(result);
}

TEST_CASE("a runner made of nothing but archetypes runs a tool") {
    using Options = longshore::RunnerOptions<archetype::Json>;
    longshore::BasicToolRegistry<archetype::Json> registry;
    registry.add({.name = "lint", .handler = archetype::Handler{0}});
    longshore::ToolRunner runner{registry,
                                 Options{.resolver = archetype::Resolver{0}, .audit = archetype::Sink{0}},
                                 archetype::Clock{}};
    CHECK(runner.execute("lint", {}));
    CHECK(runner.deactivate("lint") == false);
    CHECK(runner.activate("lint") == runner.discover().front());
}
