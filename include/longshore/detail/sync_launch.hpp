// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SYNC_LAUNCH_HPP
#define LONGSHORE_DETAIL_SYNC_LAUNCH_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/container/error_text.hpp>
#include <longshore/container/exit_report.hpp>
#include <longshore/container/failure.hpp>
#include <longshore/container/hooks.hpp>
#include <longshore/container/redactor.hpp>
#include <longshore/container/result_builder.hpp>
#include <longshore/container/sync_options.hpp>
#include <longshore/container/sync_report.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/error.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/launch/policy.hpp>
#include <longshore/launch/request.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace longshore::inline v0::detail {

// One transfer of files as hooks hear of it.
struct SyncOperation {
    std::string_view name{};
    std::string subject{}; // without secrets
    Instant entered{};
    Span span;
};

// What all transfers of files share: the request, its launch, and what became of it.
template <LaunchPolicy Launcher, typename Execution>
class SyncLaunch {
public:
    SyncLaunch(Execution& execution, Launcher& launcher) noexcept
        : execution_{execution}, launcher_{launcher} {}

    Execution const& execution() const noexcept { return execution_; }

    SyncOperation begin(std::string_view name, std::string_view subject) const {
        auto text = shown(subject);
        Span span{execution_.hooks(), {name, text, execution_.config().container_id.string()}};
        return {name, std::move(text), execution_.now(), std::move(span)};
    }

    // Without a command and its input. Throws ValueError for a configuration that cannot be.
    LaunchRequest request(SyncOptions const& options) const {
        auto const& config = execution_.config();
        if (!config.guard) throw ValueError{"files are moved by a shell behind the guard, and guard is off"};
        LaunchRequest request;
        request.transport = execution_.transport().to(config);
        request.output.keep = 0;
        request.error.keep = kept_error;
        request.timeout = options.timeout.value_or(config.timeout_seconds);
        request.no_output_timeout = config.no_output_timeout;
        request.kill_grace = config.kill_grace.value();
        request.drain_grace = config.drain_grace.value();
        request.stop_token = options.stop_token;
        return request;
    }

    // Throws ContainerExecutionError when nothing could be started.
    LaunchOutcome run(LaunchRequest const& request) const {
        auto const permit = execution_.limit().acquire(request.stop_token);
        if (!permit) {
            LaunchOutcome left_queue;
            left_queue.ended = Ended::cancelled;
            return left_queue;
        }
        try {
            return launcher_.run(request);
        } catch (std::system_error const& error) {
            throw ContainerExecutionError{shown(failed_text(-1, start_failure(error)))};
        }
    }

    // `is_answered`: the command itself told that all is well with it, and how its files are.
    SyncReport finish(SyncOperation& operation, SyncReport report, LaunchRequest const& request,
                      LaunchOutcome const& outcome, bool is_answered) const {
        report.exit_code = reported_exit_code(outcome);
        report.standard_error = error_tail(outcome.error.bytes, outcome.error.cut, redactor());
        if (!is_answered && report.failure.kind == FailureKind::none) {
            report.failure = failure_in(request, outcome);
            if (outcome.ended == Ended::timed_out) report.passed_deadline = request.timeout;
        }
        return finish(operation, std::move(report));
    }

    SyncReport finish(SyncOperation& operation, SyncReport report) const {
        report.failure.text = shown(report.failure.text);
        for (auto& file : report.files)
            if (!file) file.error = shown(file.error);
        if (!report) tell(operation, report);
        auto const kind = kind_of(report);
        operation.span.end({kind, report.exit_code, milliseconds(execution_.now() - operation.entered)});
        return report;
    }

    std::string shown(std::string_view text) const { return utf8_replace(redactor()(text)); }

private:
    static constexpr std::size_t kept_error = std::size_t{64} << 10;

    Redactor redactor() const { return Redactor{execution_.config().redact.values()}; }

    std::string start_failure(std::system_error const& error) const {
        auto const& transport = execution_.transport();
        if (!transport.binary_is_missing() || error.code() != std::errc::no_such_file_or_directory)
            return error.what();
        auto const missing = transport.missing_binary();
        return missing.hint.empty() ? missing.text : missing.text + ". " + missing.hint;
    }

    Failure failure_in(LaunchRequest const& request, LaunchOutcome const& outcome) const {
        auto const explanation = needs_explanation(request, outcome)
                                     ? execution_.transport().cli().explain(outcome)
                                     : std::optional<Failure>{};
        auto failure = failure_of(request, outcome, execution_.config(), explanation);
        if (failure.kind == FailureKind::none)
            failure = {FailureKind::output_incomplete,
                       failed_text(outcome.exit_code(), "the end of the container's answer is missing"),
                       "What came of the files is not known; none of them was left half."};
        return failure;
    }

    static FailureKind kind_of(SyncReport const& report) noexcept {
        if (report.failure.kind != FailureKind::none) return report.failure.kind;
        auto const* const file = report.first_problem();
        if (file == nullptr) return FailureKind::none;
        return file->problem == SyncProblem::not_written ? FailureKind::os_error : FailureKind::tool_failed;
    }

    void tell(SyncOperation const& operation, SyncReport const& report) const {
        auto const& reason =
            report.failure.kind != FailureKind::none ? report.failure.text : report.first_problem()->error;
        execution_.hooks().tell(LogLevel::error, std::string{operation.name} + " of " +
                                                     shown_text(operation.subject) + ": " + reason);
    }

    Execution& execution_;
    Launcher& launcher_;
};

} // namespace longshore::inline v0::detail

#endif
