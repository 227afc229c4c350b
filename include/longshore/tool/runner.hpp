// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_RUNNER_HPP
#define LONGSHORE_TOOL_RUNNER_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/container/hooks.hpp>
#include <longshore/detail/caught_exception.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/tool_route.hpp>
#include <longshore/detail/uuid.hpp>
#include <longshore/error.hpp>
#include <longshore/json/parse_inputs.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/tool/audit_record.hpp>
#include <longshore/tool/basic_invocation.hpp>
#include <longshore/tool/basic_registry.hpp>
#include <longshore/tool/basic_result.hpp>
#include <longshore/tool/basic_spec.hpp>
#include <longshore/tool/error.hpp>
#include <longshore/tool/executor_concept.hpp>
#include <longshore/tool/no_container_executor.hpp>
#include <longshore/tool/runner_options.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// Runs the tools of a registry where the tool, the plan, the project or the system says: on the host by
/// their handlers, in a container by an executor. Each execution leaves one audit record.
///
///     ToolRunner runner{registry, executor};
///     auto result = runner.execute("word_count", {{"path", "/tmp/sandbox/notes.txt"}});
///
/// Whatever becomes of a tool is a result. Exceptions are for tools that do not exist (`ToolError`) and for
/// inputs that are no object (`TypeError`).
///
/// Thread safety: all members may be called from several threads at once, as long as the executor's
/// `execute_tool` and the tools' handlers may. Lifetime: it refers to its registry and its executor, which
/// must outlive it, and owns the rest. It can be neither copied nor moved. Source: execution-environment.md,
/// "ToolRunner Integration"; container_tool_exec.feature, "ToolRunner".
template <ToolExecutor Executor, JsonPolicy Json = typename Executor::json_policy,
          ClockPolicy Clock = std::chrono::steady_clock>
requires std::same_as<Json, typename Executor::json_policy>
class ToolRunner {
public:
    using json_policy = Json;
    using value = typename Json::value;
    using object = typename Json::object;
    using registry_type = BasicToolRegistry<Json>;
    using spec_type = BasicToolSpec<Json>;
    using result_type = BasicToolResult<Json>;
    using options_type = RunnerOptions<Json>;

    /// Without containers: a tool that is to run in one fails and says what to configure.
    explicit ToolRunner(registry_type const& registry, options_type options = {},
                        Clock clock = {}) requires std::same_as<Executor, NoContainerExecutor<Json>>
        : ToolRunner{registry, no_containers(), std::move(options), std::move(clock)} {}

    /// @param executor runs tools in containers. @param clock measures.
    ToolRunner(registry_type const& registry, Executor& executor, options_type options = {}, Clock clock = {})
        : registry_{registry}, route_{executor, std::move(options), std::move(clock)} {}

    ToolRunner(ToolRunner const&) = delete;
    ToolRunner& operator=(ToolRunner const&) = delete;

    /// All tools that there are, ordered by name.
    std::vector<std::shared_ptr<spec_type const>> discover() const { return registry_.list(); }

    /// Marks a tool as ready. Until it is deactivated it stays as it is now, whatever becomes of it in the
    /// registry. Throws `ToolError` when no registry knows it.
    std::shared_ptr<spec_type const> activate(std::string_view name) {
        auto const tool = registry_.find(name);
        if (!tool) throw unknown(name);
        std::lock_guard const lock{mutex_};
        return active_.try_emplace(tool->name, tool).first->second;
    }

    /// Ends what `activate` began. Executions under way go on. @return whether the tool was active.
    bool deactivate(std::string_view name) {
        std::lock_guard const lock{mutex_};
        auto const found = active_.find(name);
        if (found == active_.end()) return false;
        active_.erase(found);
        return true;
    }

    /// Runs a tool and waits for its end. It need not be active.
    /// Throws `ToolError` when no registry knows it; that leaves an audit record as well.
    result_type execute(std::string_view name, object const& inputs, RunOptions const& options = {}) {
        return perform(name, &inputs, [&](spec_type const& tool, auto& decision) {
            return route_.run(tool, inputs, options, decision);
        });
    }

    /// The same with inputs as the JSON text that a model has written. Text that is no JSON object is a
    /// failed result that names the place and the reason, so that the model can correct it.
    result_type execute_json(std::string_view name, std::string_view inputs, RunOptions const& options = {}) {
        object parsed;
        try {
            parsed = parse_inputs<Json>(inputs);
        } catch (std::invalid_argument const& error) {
            return perform(name, nullptr,
                           [&](spec_type const&, auto&) { return route_.refused(error.what()); });
        }
        return execute(name, parsed, options);
    }

    /// For inputs that are a JSON *value*: throws `TypeError` unless it is an object.
    template <std::same_as<value> Value>
    result_type execute(std::string_view name, Value const& inputs, RunOptions const& options = {}) {
        if (Json::kind(inputs) != JsonKind::object)
            throw TypeError{"inputs must be a dict, that is a JSON object"};
        return execute(name, Json::as_object(inputs), options);
    }

private:
    static NoContainerExecutor<Json>& no_containers() {
        static NoContainerExecutor<Json> none;
        return none;
    }

    std::shared_ptr<spec_type const> find(std::string_view name) const {
        {
            std::lock_guard const lock{mutex_};
            if (auto const found = active_.find(name); found != active_.end()) return found->second;
        }
        return registry_.find(name);
    }

    static ToolError unknown(std::string_view name) {
        return {std::string{name}, "not_found", "no such tool is registered"};
    }

    static result_type not_found(std::string_view name) {
        return result_type::failure({FailureKind::tool_not_found, unknown(name).what(), {}});
    }

    // One execution with all that surrounds it. @param inputs null: they are no JSON.
    template <typename Run>
    result_type perform(std::string_view name, object const* inputs, Run run) {
        BasicToolInvocation<Json> invocation{.tool_name = std::string{name},
                                             .started_at = route_.options().system_clock()};
        auto const started = route_.now();
        Span span{route_.options().hooks, {"execute", name, {}}};
        auto const tool = find(name);
        invocation.result = tool ? run(*tool, invocation.environment) : not_found(name);
        invocation.duration = route_.now() - started;
        span.end(span_end(invocation));
        if (route_.options().audit) audit(invocation, inputs);
        if (!tool) throw unknown(name);
        return std::move(*invocation.result);
    }

    static SpanEnd span_end(BasicToolInvocation<Json> const& invocation) {
        auto const& result = *invocation.result;
        return {result.failure_kind(), result ? 0 : -1, milliseconds(invocation.duration)};
    }

    // A record that is lost must not take the tool's result with it.
    void audit(BasicToolInvocation<Json>& invocation, object const* inputs) const {
        detail::catching(
            [&] {
                invocation.id = detail::uuid_v7(invocation.started_at);
                if (inputs != nullptr && route_.is_json(*inputs)) invocation.inputs = *inputs;
                invocation.container_metadata = extract_container_metadata(*invocation.result);
                route_.options().audit(audit_record(invocation, route_.redactor()));
            },
            [&] { tell_lost(invocation.tool_name, detail::caught_exception_text()); });
    }

    void tell_lost(std::string_view name, std::string const& why) const {
        route_.tell(LogLevel::error,
                    "the audit record of tool " + detail::shown_text(name) + " was lost: " + why);
    }

    registry_type const& registry_;
    detail::ToolRoute<Executor, Clock> route_;
    mutable std::mutex mutex_{};
    std::map<std::string, std::shared_ptr<spec_type const>, std::less<>> active_{};
};

template <JsonPolicy Json>
ToolRunner(BasicToolRegistry<Json> const&) -> ToolRunner<NoContainerExecutor<Json>>;

template <JsonPolicy Json>
ToolRunner(BasicToolRegistry<Json> const&, RunnerOptions<Json>) -> ToolRunner<NoContainerExecutor<Json>>;

template <JsonPolicy Json, ClockPolicy Clock>
ToolRunner(BasicToolRegistry<Json> const&, RunnerOptions<Json>, Clock)
    -> ToolRunner<NoContainerExecutor<Json>, Json, Clock>;

template <JsonPolicy Json, ToolExecutor Executor>
ToolRunner(BasicToolRegistry<Json> const&, Executor&) -> ToolRunner<Executor>;

template <JsonPolicy Json, ToolExecutor Executor>
ToolRunner(BasicToolRegistry<Json> const&, Executor&, RunnerOptions<Json>) -> ToolRunner<Executor>;

template <JsonPolicy Json, ToolExecutor Executor, ClockPolicy Clock>
ToolRunner(BasicToolRegistry<Json> const&, Executor&, RunnerOptions<Json>, Clock)
    -> ToolRunner<Executor, Json, Clock>;

} // namespace longshore::inline v0

#endif
