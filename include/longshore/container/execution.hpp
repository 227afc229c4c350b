// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_EXECUTION_HPP
#define LONGSHORE_CONTAINER_EXECUTION_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/container/cli.hpp>
#include <longshore/container/config.hpp>
#include <longshore/container/execute_options.hpp>
#include <longshore/container/hooks.hpp>
#include <longshore/container/redactor.hpp>
#include <longshore/container/result_builder.hpp>
#include <longshore/container/tool_request.hpp>
#include <longshore/container/transport.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/json/path_rewriter.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/launch/concurrency_limit.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/path_mapper.hpp>
#include <longshore/tool/basic_result.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace longshore::inline v0 {

/// Everything about running tools in a container but the launching: from a tool's name and inputs to a
/// `ToolCall`, and from what happened to the result. Executors of every kind, blocking or not, share it.
///
/// Thread safety: all members may be called from several threads at once. It owns all that it needs.
template <JsonPolicy Json, ClockPolicy Clock, ContainerCli Cli>
class ContainerExecution {
public:
    using object = typename Json::object;
    using result_type = BasicToolResult<Json>;

    /// The moments of one call, on the executor's clock.
    struct Moments {
        Instant entered{}; ///< the caller came
        Instant started{}; ///< its turn came
    };

    ContainerExecution(ContainerConfig config, Clock clock, Cli cli, Hooks hooks)
        : config_{std::move(config)}, mapper_{mounts_of(config_)}, transport_{std::move(cli), config_},
          clock_{std::move(clock)}, hooks_{std::move(hooks)}, limit_{config_.concurrency_limit} {}

    ContainerConfig const& config() const noexcept { return config_; }
    PathMapper const& mapper() const noexcept { return mapper_; }
    ContainerTransport<Cli> const& transport() const noexcept { return transport_; }
    Hooks const& hooks() const noexcept { return hooks_; }
    ConcurrencyLimit& limit() noexcept { return limit_; }
    Instant now() const { return instant(clock_); }

    /// The call to launch, or the result when the inputs cannot be sent as JSON.
    /// Throws `ValueError` for a name, options or a configuration that cannot be.
    std::variant<ToolCall, result_type> prepare(std::string_view name, object const& inputs,
                                                ExecuteOptions const& options) const {
        auto call = make_tool_call(config_, mapper_, name, options);
        if (!config_.guard) check_unguarded(transport_.cli(), call.request.command, options);
        call.request.transport = transport_.to(config_);
        try {
            call.request.input = Json::serialize(mapped_inputs(inputs));
        } catch (ValueError const& error) {
            return finished(name, builder().not_started(not_serialisable(error), {}));
        }
        return call;
    }

    /// What became of a launch. Throws what the caller's `on_output` threw.
    result_type finish(ToolCall const& call, LaunchOutcome outcome, Moments const& moments) const {
        if (call.tap) call.tap->rethrow();
        auto const spent = now() - moments.started;
        auto const queued = (std::min)(spent, outcome.queued); // the launcher may have another clock
        CallTimes const times{spent - queued, moments.started - moments.entered + queued};
        auto const explanation = needs_explanation(call.request, outcome) ? transport_.cli().explain(outcome)
                                                                          : std::optional<Failure>{};
        return finished(call.tool_name,
                        builder().interpret(call.request, std::move(outcome), times, explanation));
    }

    /// What becomes of a call that the system refused to start.
    /// Source: container_tool_exec.feature, "ContainerToolExecutor reports OSError as structured error".
    result_type refused(ToolCall const& call, std::system_error const& error, Moments const& moments) const {
        auto failure = Failure{FailureKind::os_error, error.what(), "The call was not started."};
        if (transport_.binary_is_missing() && error.code() == std::errc::no_such_file_or_directory)
            failure = transport_.missing_binary();
        failure.text = failed_text(-1, failure.text);
        return finished(call.tool_name, builder().not_started(std::move(failure), times_until_now(moments)));
    }

    /// What becomes of a call that was cancelled before its turn came.
    result_type left_queue(ToolCall const& call, Moments const& moments) const {
        CallTimes const times{{}, now() - moments.entered};
        return finished(call.tool_name,
                        builder().not_started({FailureKind::cancelled, "Container execution was cancelled",
                                               "It was waiting for its turn; the tool did not start."},
                                              times));
    }

    object mapped_inputs(object inputs) const {
        rewriter().map_inputs(inputs);
        return inputs;
    }

    object mapped_outputs(object output) const {
        rewriter().map_outputs(output);
        return output;
    }

private:
    static std::vector<Mount> mounts_of(ContainerConfig const& config) {
        std::vector<Mount> mounts{{sandbox_path(config), config.workspace_folder}};
        mounts.insert(mounts.end(), config.mounts.begin(), config.mounts.end());
        return mounts;
    }

    static Failure not_serialisable(ValueError const& error) {
        return {FailureKind::invalid_input, std::string{"inputs are not JSON-serialisable: "} + error.what(),
                "Send text as UTF-8, and numbers that JSON has; the tool did not start."};
    }

    CallTimes times_until_now(Moments const& moments) const {
        return {now() - moments.started, moments.started - moments.entered};
    }

    PathRewriter<Json> rewriter() const { return PathRewriter<Json>{mapper_, config_.path_mapping}; }

    ResultBuilder<Json> builder() const {
        return {config_, mapper_, transport_.binary(), cli_version(transport_.cli())};
    }

    // Tells the log what a caller who looks at the output alone would miss.
    result_type finished(std::string_view name, result_type result) const {
        warn_of_cut(name, "standard output", result.standard_output());
        warn_of_cut(name, "standard error", result.standard_error());
        if (!result) tell(LogLevel::error, "tool " + detail::shown_text(name) + ": " + result.error());
        return result;
    }

    void warn_of_cut(std::string_view name, std::string_view stream, ToolStream const& written) const {
        if (!written.truncated) return;
        tell(LogLevel::warning, std::string{stream} + " of tool " + detail::shown_text(name) +
                                    " was truncated: " + std::to_string(written.bytes.size()) + " of " +
                                    std::to_string(written.total) + " bytes are kept");
    }

    void tell(LogLevel level, std::string_view text) const {
        if (hooks_.log) hooks_.tell(level, Redactor{config_.redact.values()}(text));
    }

    ContainerConfig config_;
    PathMapper mapper_;
    ContainerTransport<Cli> transport_;
    Clock clock_;
    Hooks hooks_;
    ConcurrencyLimit limit_;
};

} // namespace longshore::inline v0

#endif
