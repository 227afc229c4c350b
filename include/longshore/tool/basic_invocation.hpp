// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_BASIC_INVOCATION_HPP
#define LONGSHORE_TOOL_BASIC_INVOCATION_HPP

#include <longshore/designated_only.hpp>
#include <longshore/environment/resolver.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/tool/basic_result.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace longshore::inline v0 {

/// One execution of a tool, from the request to the result, written with designated initialisers.
///
/// A plain value.
/// Source: container_tool_exec.feature, "ToolInvocation audit trail"; execution-environment.md, "Audit
/// Trail".
template <JsonPolicy Json>
struct BasicToolInvocation {
    using json_policy = Json;

    DesignatedOnly designated_only = DesignatedOnly{};

    /// Unique among all processes and machines.
    std::string id = {};

    std::string tool_name = {};

    /// When it started, on the wall clock.
    std::chrono::system_clock::time_point started_at = {};

    /// How long it took, on the steady clock.
    std::chrono::nanoseconds duration = {};

    /// Empty: they cannot be written as JSON, as the result's error says.
    std::optional<typename Json::object> inputs = {};

    /// Empty: it came to an end before an environment was chosen.
    std::optional<EnvironmentDecision> environment = {};

    std::optional<BasicToolResult<Json>> result = {};

    /// How the call inside a container went; empty for a tool that did not run in one.
    std::optional<typename Json::object> container_metadata = {};
};

} // namespace longshore::inline v0

#endif
