// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_BASIC_SPEC_HPP
#define LONGSHORE_TOOL_BASIC_SPEC_HPP

#include <longshore/designated_only.hpp>
#include <longshore/environment/execution_environment.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/tool/capability.hpp>
#include <longshore/tool/host_handler.hpp>
#include <longshore/tool/source.hpp>

#include <optional>
#include <string>

namespace longshore::inline v0 {

/// What a tool is: its name, its inputs, and where and how it runs. It is written with designated
/// initialisers, and checked when a registry takes it.
///
/// A plain value. Copies share the handler.
template <JsonPolicy Json>
struct BasicToolSpec {
    using json_policy = Json;

    DesignatedOnly designated_only = DesignatedOnly{};

    /// Names the tool everywhere; in a container it is also the program, unless `container_command` says
    /// otherwise.
    std::string name = {};

    /// What it does, for people and models that choose among tools.
    std::string description = {};

    /// A JSON Schema of the inputs. Every runner checks `required` and the `type` of each of the
    /// `properties`; the rest of the schema is checked where a runner has a validator. Empty: any inputs will
    /// do.
    typename Json::object input_schema = {};

    /// What it does to the files of a project.
    ToolCapability capability = {};

    /// The strongest word on where it runs. Empty: plan, project and system decide.
    std::optional<ExecutionEnvironment> execution_environment = {};

    /// The program that it is in a container. Empty: the tool's name.
    std::string container_command = {};

    /// Its host side. Empty: it runs in containers only.
    HostHandler<Json> handler = {};

    ToolSource source = ToolSource::custom;
};

} // namespace longshore::inline v0

#endif
