// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_TOOL_ROUTE_HPP
#define LONGSHORE_DETAIL_TOOL_ROUTE_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/container/execute_options.hpp>
#include <longshore/container/hooks.hpp>
#include <longshore/container/redactor.hpp>
#include <longshore/container/result_builder.hpp>
#include <longshore/detail/caught_exception.hpp>
#include <longshore/detail/json_check.hpp>
#include <longshore/detail/redact_json.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/environment/resolver.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/tool/basic_result.hpp>
#include <longshore/tool/basic_spec.hpp>
#include <longshore/tool/executor_concept.hpp>
#include <longshore/tool/input_rules.hpp>
#include <longshore/tool/runner_options.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace longshore::inline v0::detail {

// The way of one execution: check the inputs, choose the environment, run there. Nothing but a lack of memory
// leaves it as an exception.
template <ToolExecutor Executor, ClockPolicy Clock>
class ToolRoute {
public:
    using Json = typename Executor::json_policy;
    using object = typename Json::object;
    using spec_type = BasicToolSpec<Json>;
    using result_type = BasicToolResult<Json>;
    using details_type = typename result_type::Details;

    ToolRoute(Executor& executor, RunnerOptions<Json> options, Clock clock)
        : executor_{executor}, options_{std::move(options)}, clock_{std::move(clock)} {
        if (auto all = secrets(); !all.empty()) redactor_.emplace(std::move(all));
    }

    RunnerOptions<Json> const& options() const noexcept { return options_; }
    Instant now() const { return instant(clock_); }

    // Null where there are no secrets.
    Redactor const* redactor() const noexcept { return redactor_ ? &*redactor_ : nullptr; }

    void tell(LogLevel level, std::string const& text) const { options_.hooks.tell(level, redacted(text)); }

    static bool is_json(object const& inputs) {
        try {
            JsonCheck<Json>::require_serialisable(inputs);
            return true;
        } catch (ValueError const&) {
            return false;
        }
    }

    // @param decision is set once it is made.
    result_type run(spec_type const& tool, object const& inputs, RunOptions const& options,
                    std::optional<EnvironmentDecision>& decision) const {
        auto failure = refuse(tool, inputs);
        if (failure.kind == FailureKind::none) failure = choose(tool, options, decision);
        if (failure.kind != FailureKind::none) return failed(failure);
        return decision->environment == ExecutionEnvironment::container
                   ? redacted(in_container(tool, inputs, options.execution))
                   : on_host(tool, inputs, options.execution);
    }

    // What becomes of inputs that are no JSON object.
    result_type refused(std::string const& why) const { return failed(invalid(not_serialisable + why)); }

private:
    static constexpr char not_serialisable[] = "inputs are not JSON-serialisable: ";

    std::vector<std::string> secrets() const {
        auto secrets = options_.redact;
        if constexpr (requires { executor_.config().redact.values(); })
            for (auto const& secret : executor_.config().redact.values())
                secrets.push_back(secret);
        return secrets;
    }

    static Failure invalid(std::string text) {
        return {FailureKind::invalid_input, std::move(text), "Correct the inputs; the tool did not start."};
    }

    Failure refuse(spec_type const& tool, object const& inputs) const {
        try {
            JsonCheck<Json>::require_serialisable(inputs);
        } catch (ValueError const& error) {
            return invalid(not_serialisable + std::string{error.what()});
        }
        if (auto problem = InputRules<Json>{tool.input_schema}.problem(inputs); !problem.empty())
            return invalid(std::move(problem));
        if (!options_.validator) return {};
        return catching(
            [&] {
                auto const problems = options_.validator(tool.input_schema, inputs);
                return problems.empty() ? Failure{} : invalid("Invalid input: " + joined(problems, "; "));
            },
            [&] { return invalid("inputs could not be validated: " + caught_exception_text()); });
    }

    Failure choose(spec_type const& tool, RunOptions const& options,
                   std::optional<EnvironmentDecision>& decision) const {
        return catching(
            [&] {
                decision = options_.resolver(request(tool, options));
                return Failure{};
            },
            [] {
                return Failure{FailureKind::container_unavailable, resolution_error(),
                               "Link a container resource to the project, or run the tool on the host."};
            });
    }

    EnvironmentRequest request(spec_type const& tool, RunOptions const& options) const {
        auto const& project = options.project ? *options.project : options_.project;
        return {.tool_name = tool.name,
                .tool = tool.execution_environment,
                .plan = options.plan_environment ? options.plan_environment : options_.plan_environment,
                .project = project.execution_environment,
                .linked_resources = project.linked_resources};
    }

    static std::string resolution_error() {
        try {
            throw;
        } catch (ContainerUnavailableError const& error) {
            return "Container unavailable: " + std::string{error.what()};
        } catch (...) {
            return "Execution environment could not be resolved: " + caught_exception_text();
        }
    }

    result_type in_container(spec_type const& tool, object const& inputs,
                             ExecuteOptions const& options) const {
        auto const& command = tool.container_command.empty() ? tool.name : tool.container_command;
        return catching([&] { return execute(command, inputs, options); },
                        [] {
                            return result_type::failure(
                                {container_error_kind(),
                                 "Container execution error: " + caught_exception_text(),
                                 "The executor threw; what became of the tool is not known."});
                        });
    }

    // An executor that takes no options can still keep to a deadline; whatever else was asked for it must not
    // drop.
    result_type execute(std::string_view command, object const& inputs, ExecuteOptions const& options) const {
        if constexpr (requires { executor_.execute_tool(command, inputs, options); }) {
            return executor_.execute_tool(command, inputs, options);
        } else {
            if (options.no_output_timeout || !options.environment.empty() ||
                !options.working_directory.empty() || options.on_output)
                throw ValueError{"this executor takes no options but a timeout"};
            return options.timeout ? executor_.execute_tool(command, inputs, *options.timeout)
                                   : executor_.execute_tool(command, inputs);
        }
    }

    static FailureKind container_error_kind() {
        try {
            throw;
        } catch (ContainerTimeoutError const&) {
            return FailureKind::timed_out;
        } catch (std::system_error const&) {
            return FailureKind::os_error;
        } catch (std::invalid_argument const&) {
            return FailureKind::invalid_input;
        } catch (...) {
            return FailureKind::cli_failed;
        }
    }

    result_type on_host(spec_type const& tool, object const& inputs, ExecuteOptions const& options) const {
        auto const name = "Tool " + shown_text(tool.name);
        if (!tool.handler)
            return failed({FailureKind::tool_not_found, name + " has no handler on the host",
                           "Let it run in a container, or register it with a handler."});
        if (options.stop_token.stop_requested())
            return failed({FailureKind::cancelled, name + " was cancelled", "It did not start."});
        auto const started = now();
        return catching([&] { return checked(name, tool.handler(inputs, options.stop_token), started); },
                        [&] {
                            return failed(
                                {FailureKind::tool_failed, name + " failed: " + caught_exception_text(), {}},
                                since(started));
                        });
    }

    result_type checked(std::string const& name, object output, Instant started) const {
        try {
            JsonCheck<Json>::require_serialisable(output);
        } catch (ValueError const& error) {
            return failed({FailureKind::tool_failed,
                           name + " returned an output that is not JSON-serialisable: " + error.what(),
                           "Let its handler return text as UTF-8, and numbers that JSON has."},
                          since(started));
        }
        return result_type::success(std::move(output), since(started));
    }

    details_type since(Instant started) const { return {.duration_ms = milliseconds(now() - started)}; }

    result_type failed(Failure const& failure, details_type details = {}) const {
        return result_type::failure(
            {failure.kind, utf8_replace(redacted(failure.text)), redacted(failure.hint)}, std::move(details));
    }

    std::string redacted(std::string const& text) const { return redactor_ ? (*redactor_)(text) : text; }

    // The executor knows its own secrets only.
    result_type redacted(result_type result) const {
        if (!redactor_ || !is_json(result.metadata())) return result;
        details_type details{.metadata = result.metadata(),
                             .duration_ms = result.duration_ms(),
                             .standard_output = result.standard_output(),
                             .standard_error = result.standard_error(),
                             .output_incomplete = result.output_incomplete()};
        redact_json<Json>(details.metadata, *redactor_);
        if (result) return result_type::success(result.output(), std::move(details));
        return result_type::failure(
            {result.failure_kind(), redacted(result.error()), redacted(result.hint())}, std::move(details),
            result.output());
    }

    Executor& executor_;
    RunnerOptions<Json> options_;
    Clock clock_;
    std::optional<Redactor> redactor_;
};

} // namespace longshore::inline v0::detail

#endif
