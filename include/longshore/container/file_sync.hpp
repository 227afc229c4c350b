// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_FILE_SYNC_HPP
#define LONGSHORE_CONTAINER_FILE_SYNC_HPP

#include <longshore/config.hpp>
#include <longshore/container/sync_options.hpp>
#include <longshore/container/sync_report.hpp>
#include <longshore/detail/fetch_question.hpp>
#include <longshore/detail/fetch_receiver.hpp>
#include <longshore/detail/send_source.hpp>
#include <longshore/detail/send_text.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/detail/sync_launch.hpp>
#include <longshore/detail/sync_path.hpp>
#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_directory.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/launch/policy.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/launch/secrets.hpp>
#include <longshore/path_mapper.hpp>

#if !LONGSHORE_WINDOWS

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// Moves files between a container and the sandbox of the host, by one call of the container CLI each time.
///
/// The bytes come through a launch, as those of a tool do: with its deadline, without the bound on what is
/// kept of a tool's output, in constant memory. On the host they go through a `SandboxDirectory` that is
/// opened for the call, so that nothing a container does leads out of it, and a file appears whole or not at
/// all. In the container a small shell script reads and writes, so `guard` must not be off.
///
/// Only files whose place on the host is in the sandbox are moved: not those of other mounts, which the host
/// sees anyway. Paths are resolved as text first, so that both sides mean the same.
///
/// It refers to the execution and the launcher, which must outlive it. Thread safety: as theirs.
template <LaunchPolicy Launcher, typename Execution>
class FileSync {
public:
    FileSync(Execution& execution, Launcher& launcher) noexcept : call_{execution, launcher} {}

    /// Fetches files. A path that leads out of the sandbox is an entry of the report. Throws `ValueError` for
    /// one that is relative, holds a NUL or names a directory, and for more than `SyncLimits::entries`.
    /// @param operation what hooks hear of it.
    SyncReport fetch_files(std::string_view operation, std::vector<std::string> const& paths,
                           SyncOptions const& options) const {
        if (paths.size() > options.limits.entries)
            throw ValueError{std::to_string(paths.size()) + " paths are more than SyncLimits::entries, " +
                             std::to_string(options.limits.entries)};
        detail::FetchPlan plan;
        for (auto const& path : paths)
            add_file(plan, path);
        auto const subject = paths.size() == 1 ? paths.front() : std::to_string(paths.size()) + " files";
        return fetch(operation, subject, std::move(plan), options);
    }

    /// Fetches a directory with all that is below it. Throws `ValueError` for a path that is relative or
    /// holds a NUL, `SandboxEscapeError` for one that leads out of the sandbox.
    SyncReport fetch_tree(std::string_view operation, std::string_view directory,
                          SyncOptions const& options) const {
        detail::FetchPlan plan;
        plan.tree = true;
        plan.paths.push_back(detail::sync_path(mapper(), directory));
        return fetch(operation, directory, std::move(plan), options);
    }

    /// Sends a file of the sandbox. Throws as `ContainerToolExecutor::send_to_container` says.
    void send(std::string_view operation, std::string_view host_path, std::string_view container_path,
              SyncOptions const& options) const {
        auto const relative = detail::sent_file_path(mapper(), host_path);
        auto const target = detail::sent_file_target(mapper(), container_path);
        auto request = call_.request(options);
        auto sending = call_.begin(operation, target);
        auto file = detail::as_transfer([&] { return sandbox({}).open_file(relative); });
        auto const size = file.size();
        if (size > options.limits.file_bytes)
            throw ContainerExecutionError{
                call_.shown(detail::shown_text(host_path) + " has " + std::to_string(size) +
                            " bytes, more than the limit of " + std::to_string(options.limits.file_bytes))};
        request.command.arguments = detail::send_arguments(target, size);
        auto const source =
            std::make_shared<detail::SendSource>(std::move(file), target, options.on_progress);
        request.input = InputStream{size, [source](std::span<char> into) { return source->read(into); }};
        auto const outcome = run(request, *source);
        auto const stands = outcome.ended == Ended::exited && outcome.command_exit == 0;
        call_.finish(sending, {}, request, outcome, stands).require();
    }

private:
    PathMapper const& mapper() const noexcept { return call_.execution().mapper(); }

    SandboxDirectory sandbox(SandboxOptions const& options) const {
        return detail::open_sandbox(call_.execution().config(), mapper(), options);
    }

    // What leads out of the sandbox is never asked for.
    void add_file(detail::FetchPlan& plan, std::string const& path) const {
        SyncedFile entry{.container_path = path, .problem = SyncProblem::not_reached};
        try {
            auto place = detail::sync_file_path(mapper(), path);
            entry.container_path = place.container;
            entry.host_path = place.host;
            entry.error = detail::shown_text(path) + " was not reached before the call ended";
            plan.places.push_back(plan.report.files.size());
            plan.paths.push_back(std::move(place));
        } catch (SandboxEscapeError const& error) {
            entry.problem = SyncProblem::refused;
            entry.escape = error.reason();
            entry.error = error.what();
        }
        plan.report.files.push_back(std::move(entry));
    }

    SyncReport fetch(std::string_view operation, std::string_view subject, detail::FetchPlan plan,
                     SyncOptions const& options) const {
        auto request = call_.request(options);
        auto fetching = call_.begin(operation, subject);
        if (plan.paths.empty()) return call_.finish(fetching, std::move(plan.report));
        auto const durability =
            options.survives_power_loss ? Durability::power_loss : Durability::process_end;
        auto const directory =
            detail::as_transfer([&] { return sandbox({.create_root = true, .durability = durability}); });
        detail::FetchQuestion question{.mark = CallSecrets::make().mark,
                                       .tree = plan.tree,
                                       .totals = options.on_progress != nullptr,
                                       .limits = options.limits};
        for (auto const& path : plan.paths)
            question.paths.push_back(path.container);
        request.command.arguments = question.arguments();
        request.input = question.input();
        detail::FetchReceiver receiver{directory, std::move(plan), options.limits, question.mark,
                                       options.on_progress};
        request.output.sink = [&](std::string_view bytes) { return receiver.take(bytes); };
        auto const outcome = call_.run(request);
        auto const is_complete = receiver.is_complete();
        auto report = std::move(receiver).finish();
        // It ends with another status only after it told why.
        auto const is_answered =
            is_complete && (outcome.exit_code() == 0 || !report || outcome.ended != Ended::exited);
        return call_.finish(fetching, std::move(report), request, outcome, is_answered);
    }

    // What the source threw goes before what a launcher makes of it.
    LaunchOutcome run(LaunchRequest const& request, detail::SendSource const& source) const {
        try {
            auto outcome = call_.run(request);
            source.rethrow();
            return outcome;
        } catch (...) {
            source.rethrow();
            throw;
        }
    }

    detail::SyncLaunch<Launcher, Execution> call_;
};

} // namespace longshore::inline v0

#endif
#endif
