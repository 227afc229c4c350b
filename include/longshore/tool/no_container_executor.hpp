// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_NO_CONTAINER_EXECUTOR_HPP
#define LONGSHORE_TOOL_NO_CONTAINER_EXECUTOR_HPP

#include <longshore/container/execute_options.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/timeout.hpp>
#include <longshore/tool/basic_result.hpp>

#include <string_view>

namespace longshore::inline v0 {

/// Stands where a program has no containers: every call fails and says what to configure.
///
/// Stateless; thread safe.
/// Source: container_tool_exec.feature, "ToolRunner returns error when container executor is not configured";
/// execution-environment.md, "ToolRunner Integration".
template <JsonPolicy Json>
struct NoContainerExecutor {
    using json_policy = Json;
    using result_type = BasicToolResult<Json>;

    result_type execute_tool(std::string_view name, typename Json::object const&,
                             ExecuteOptions const& = {}) const {
        return result_type::failure({FailureKind::container_unavailable,
                                     "container execution is not available: a ContainerToolExecutor must be "
                                     "configured to run tool " +
                                         detail::shown_text(name),
                                     "Give the runner an executor: ToolRunner runner{registry, executor}."});
    }
    result_type execute_tool(std::string_view name, typename Json::object const& inputs, Timeout) const {
        return execute_tool(name, inputs);
    }
};

} // namespace longshore::inline v0

#endif
