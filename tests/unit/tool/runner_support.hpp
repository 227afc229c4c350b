// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_UNIT_TOOL_RUNNER_SUPPORT_HPP
#define LONGSHORE_TESTS_UNIT_TOOL_RUNNER_SUPPORT_HPP

#include <longshore/container/execute_options.hpp>
#include <longshore/container/hooks.hpp>
#include <longshore/json/boost_json.hpp>
#include <longshore/timeout.hpp>
#include <longshore/tool/registry.hpp>
#include <longshore/tool/result.hpp>
#include <longshore/tool/runner.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What the tests of runners share: an executor that says what it was asked, and settings.
namespace runner_support {

using longshore::BoostJson;
using longshore::ExecuteOptions;
using longshore::ExecutionEnvironment;
using longshore::FailureKind;
using longshore::ToolRegistry;
using longshore::ToolResult;
using object = boost::json::object;
using Options = longshore::RunnerOptions<BoostJson>;

constexpr auto host = ExecutionEnvironment::host;
constexpr auto container = ExecutionEnvironment::container;

struct ExecutorCall {
    std::string name;
    object inputs;
    ExecuteOptions options;
};

// Stands for a ContainerToolExecutor.
struct MockExecutor {
    using json_policy = BoostJson;

    ToolResult execute_tool(std::string_view name, object const& inputs, ExecuteOptions const& options = {}) {
        calls.push_back({std::string{name}, inputs, options});
        return answer();
    }
    ToolResult execute_tool(std::string_view name, object const& inputs, longshore::Timeout timeout) {
        return execute_tool(name, inputs, ExecuteOptions{.timeout = timeout});
    }

    std::vector<ExecutorCall> calls{};
    std::function<ToolResult()> answer = [] {
        return ToolResult::success({{"lines", 3}}, {.metadata = {{"container", {{"container_id", "c1"}}}}});
    };
};

// A project that a container can be had for.
inline longshore::ContextConfig project() { return {.linked_resources = {{"container-instance", "c1"}}}; }

inline Options in_container() { return {.plan_environment = container, .project = project()}; }

struct LogEntry {
    longshore::LogLevel level;
    std::string text;
};

inline longshore::Hooks logging_to(std::vector<LogEntry>& entries) {
    return {.log = [&entries](longshore::LogLevel level, std::string_view text) {
        entries.push_back({level, std::string{text}});
    }};
}

// An object that is nested so deeply.
inline object nested(std::size_t depth) {
    object inner{{"end", 1}};
    for (std::size_t level = 1; level < depth; ++level) {
        object outer;
        outer.emplace("a", std::move(inner));
        inner = std::move(outer);
    }
    return inner;
}

inline bool holds(std::string const& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace runner_support

#endif
