// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_EXECUTOR_CONCEPT_HPP
#define LONGSHORE_TOOL_EXECUTOR_CONCEPT_HPP

#include <longshore/json/policy.hpp>
#include <longshore/timeout.hpp>
#include <longshore/tool/basic_result.hpp>

#include <concepts>
#include <string_view>

namespace longshore::inline v0 {

/// Runs a tool that is known by its name, somewhere.
///
/// Requirements on a type `E` and an object `executor` of it:
/// 1. `E::json_policy` is a `JsonPolicy`, here `J`.
/// 2. `executor.execute_tool(name, inputs)`, with a `std::string_view` and a `J::object const&`, returns
///    `BasicToolResult<J>`.
/// 3. `executor.execute_tool(name, inputs, timeout)`, with a `Timeout` as well, returns the same.
///
/// A tool that fails is a result. Not required: copying, moving, a container, thread safety.
template <typename E>
concept ToolExecutor = JsonPolicy<typename E::json_policy> &&
    requires(E& executor, std::string_view name, typename E::json_policy::object const& inputs,
             Timeout timeout) {
    { executor.execute_tool(name, inputs) } -> std::same_as<BasicToolResult<typename E::json_policy>>;
    {
        executor.execute_tool(name, inputs, timeout)
        } -> std::same_as<BasicToolResult<typename E::json_policy>>;
};

} // namespace longshore::inline v0

#endif
