// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_RESULT_BUILDER_HPP
#define LONGSHORE_CONTAINER_RESULT_BUILDER_HPP

#include <longshore/container/config.hpp>
#include <longshore/container/error_text.hpp>
#include <longshore/container/exit_report.hpp>
#include <longshore/container/failure.hpp>
#include <longshore/container/metadata.hpp>
#include <longshore/container/redactor.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/error.hpp>
#include <longshore/json/parse_output.hpp>
#include <longshore/json/path_rewriter.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/path_mapper.hpp>
#include <longshore/tool/basic_result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// How long a call took, on the executor's clock.
struct CallTimes {
    std::chrono::nanoseconds executed{}; ///< from the start to the end
    std::chrono::nanoseconds queued{};   ///< before the start
};

/// A length of time as the fractional milliseconds of results and metadata.
inline double milliseconds(std::chrono::nanoseconds length) {
    return std::chrono::duration<double, std::milli>{length}.count();
}

/// Turns what happened to a call into its result. It only reads: the same call and outcome give the same
/// result, whoever drove the launch.
///
/// It refers to the configuration and the mapper, which must outlive it.
template <JsonPolicy Json>
class ResultBuilder {
public:
    using result_type = BasicToolResult<Json>;
    using object = typename Json::object;

    /// @param cli the container CLI's binary. @param cli_version its version; empty: not known.
    ResultBuilder(ContainerConfig const& config, PathMapper const& mapper, std::string cli,
                  std::string cli_version)
        : config_{config}, mapper_{mapper}, cli_{std::move(cli)}, cli_version_{std::move(cli_version)} {}

    /// What came of a launch. @param explanation what `ContainerCli::explain` says, where it was asked.
    result_type interpret(LaunchRequest const& request, LaunchOutcome outcome, CallTimes const& times,
                          std::optional<Failure> const& explanation = {}) const {
        auto failure = failure_of(request, outcome, config_, explanation);
        auto details = details_of(metadata_of(request, outcome, times), times);
        details.output_incomplete = !outcome.output.complete || !outcome.error.complete;
        details.standard_error = stream_of(std::move(outcome.error));
        details.standard_output = stream_of(std::move(outcome.output));
        if (failure.kind != FailureKind::none)
            return result_type::failure(std::move(failure), std::move(details));
        auto output = output_of(details.standard_output);
        return result_type::success(std::move(output), std::move(details));
    }

    /// What came of a call that never started anything: the same shape, with the exit code -1.
    result_type not_started(Failure failure, CallTimes const& times) const {
        failure.text = shown(failure.text);
        failure.hint = shown(failure.hint);
        auto fields = metadata_base(times);
        fields.exit_code = -1;
        return result_type::failure(std::move(failure),
                                    details_of(ContainerMetadata{std::move(fields)}, times));
    }

private:
    // A document that was cut short can look like another one, so it is never parsed.
    object output_of(ToolStream const& stream) const {
        if (stream.truncated) return unparsed_output<Json>(detail::utf8_without_partial_end(stream.bytes));
        auto output = parse_output<Json>(stream.bytes);
        PathRewriter<Json>{mapper_, config_.path_mapping}.map_outputs(output);
        return output;
    }

    static ToolStream stream_of(Captured captured) {
        return {std::move(captured.bytes), captured.total, captured.cut};
    }

    static StreamFigures figures_of(Captured const& captured) {
        return {captured.bytes.size(), captured.total, captured.cut};
    }

    std::string shown(std::string_view text) const {
        return detail::utf8_replace(Redactor{config_.redact.values()}(text));
    }

    ContainerMetadataFields metadata_base(CallTimes const& times) const {
        ContainerMetadataFields fields;
        fields.container_id = shown(config_.container_id);
        fields.image = shown(config_.image);
        fields.workspace_folder = shown(config_.workspace_folder);
        fields.exec_time_ms = milliseconds(times.executed);
        fields.queued_ms = milliseconds(times.queued);
        fields.cli = shown(cli_);
        fields.cli_version = shown(cli_version_);
        fields.guarded = config_.guard;
        return fields;
    }

    ContainerMetadata metadata_of(LaunchRequest const& request, LaunchOutcome const& outcome,
                                  CallTimes const& times) const {
        auto fields = metadata_base(times);
        fields.exit_code = reported_exit_code(outcome);
        fields.timed_out = outcome.ended == Ended::timed_out;
        fields.signal = reported_signal(outcome, request.guarded);
        fields.standard_output = figures_of(outcome.output);
        fields.standard_error = figures_of(outcome.error);
        fields.container_process_killed = outcome.everything_killed;
        return ContainerMetadata{std::move(fields)};
    }

    static ToolResultDetails<Json> details_of(ContainerMetadata const& metadata, CallTimes const& times) {
        ToolResultDetails<Json> details;
        Json::insert(details.metadata, "container", Json::make(to_json<Json>(metadata)));
        details.duration_ms = milliseconds(times.executed + times.queued);
        return details;
    }

    ContainerConfig const& config_;
    PathMapper const& mapper_;
    std::string cli_;
    std::string cli_version_;
};

} // namespace longshore::inline v0

#endif
