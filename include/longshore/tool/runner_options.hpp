// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_RUNNER_OPTIONS_HPP
#define LONGSHORE_TOOL_RUNNER_OPTIONS_HPP

#include <longshore/audit/record.hpp>
#include <longshore/container/execute_options.hpp>
#include <longshore/container/hooks.hpp>
#include <longshore/designated_only.hpp>
#include <longshore/environment/resolver.hpp>
#include <longshore/json/policy.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace longshore::inline v0 {

/// What a `ToolRunner` has beside its registry and executor, written with designated initialisers. Everything
/// in it is called from several threads at once when executions run at once.
template <JsonPolicy Json>
struct RunnerOptions {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// Where tools of the plan run, such as `--execution-environment container`. Empty: the project decides.
    std::optional<ExecutionEnvironment> plan_environment = {};

    /// The project that tools work on.
    ContextConfig project = {};

    /// Chooses where a tool runs: any `EnvironmentResolver`.
    std::function<EnvironmentDecision(EnvironmentRequest const&)> resolver = PriorityChainResolver{};

    /// Checks inputs against a tool's whole JSON Schema, and returns what is wrong with them. Empty: only
    /// required fields and types are checked.
    std::function<std::vector<std::string>(typename Json::object const& schema,
                                           typename Json::object const& inputs)>
        validator = {};

    /// Gets one record of each execution: any `AuditSink`. Empty: there is no trail.
    std::function<void(AuditRecord const&)> audit = {};

    /// The wall clock of the records.
    std::function<std::chrono::system_clock::time_point()> system_clock = std::chrono::system_clock::now;

    Hooks hooks = {};

    /// Texts replaced by `[redacted]` in error texts, logs, metadata and audit records, beside those of the
    /// executor's own configuration.
    std::vector<std::string> redact = {};
};

/// What one execution has beside its tool and inputs, written with designated initialisers.
struct RunOptions {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// The plan's word, for this execution. Empty: the runner's.
    std::optional<ExecutionEnvironment> plan_environment = {};

    /// The project, for this execution. Empty: the runner's.
    std::optional<ContextConfig> project = {};

    /// Deadline, environment, streaming and cancellation of a tool that runs in a container. A tool on the
    /// host gets the stop token alone: nothing can end a function of this program from outside.
    ExecuteOptions execution = {};
};

} // namespace longshore::inline v0

#endif
