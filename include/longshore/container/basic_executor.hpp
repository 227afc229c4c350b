// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_BASIC_EXECUTOR_HPP
#define LONGSHORE_CONTAINER_BASIC_EXECUTOR_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/config.hpp>
#include <longshore/container/cli.hpp>
#include <longshore/container/config.hpp>
#include <longshore/container/execute_options.hpp>
#include <longshore/container/execution.hpp>
#include <longshore/container/file_sync.hpp>
#include <longshore/container/hooks.hpp>
#include <longshore/container/sync_options.hpp>
#include <longshore/container/sync_report.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/launch/policy.hpp>
#include <longshore/path_mapper.hpp>
#include <longshore/timeout.hpp>
#include <longshore/tool/basic_result.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace longshore::inline v0 {

/// Runs tools inside a container: maps the paths of the inputs, sends them as JSON on the tool's standard
/// input, bounds time and memory, maps the paths of the output back, and tells how it went.
///
/// A tool that fails, a container that is not there and a deadline that passes are results, never exceptions.
/// Exceptions are for misuse: `ValueError` for a name, an option or a configuration that cannot be,
/// `TypeError` for inputs that are no object, and whatever the caller's own `on_output` throws.
///
/// Thread safety: `execute_tool` and all `const` members may be called from several threads at once, as long
/// as the policies allow it. Ownership: it owns its configuration and policies. It can be moved while no call
/// runs, not copied.
/// Source: execution-environment.md, "Container Tool Executor".
template <LaunchPolicy Launcher, JsonPolicy Json, ClockPolicy Clock, ContainerCli Cli>
class ContainerToolExecutor {
public:
    using json_policy = Json;
    using value = typename Json::value;
    using object = typename Json::object;
    using result_type = BasicToolResult<Json>;
    using execution_type = ContainerExecution<Json, Clock, Cli>;

    /// Throws `ValueError` when workspace, sandbox and mounts overlap.
    /// @param config which container, and within which bounds.
    /// @param launcher starts processes. @param clock measures. @param cli knows the way into the container.
    ContainerToolExecutor(ContainerConfig config, Launcher launcher, Clock clock, Cli cli, Hooks hooks = {})
        : execution_{std::move(config), std::move(clock), std::move(cli), std::move(hooks)},
          launcher_{std::move(launcher)} {}

    explicit ContainerToolExecutor(ContainerConfig config, Hooks hooks = {})
        : ContainerToolExecutor{std::move(config), Launcher{}, Clock{}, Cli{}, std::move(hooks)} {}
    ContainerToolExecutor(ContainerConfig config, Cli cli, Hooks hooks = {})
        : ContainerToolExecutor{std::move(config), Launcher{}, Clock{}, std::move(cli), std::move(hooks)} {}
    ContainerToolExecutor(ContainerConfig config, Launcher launcher, Hooks hooks = {})
        : ContainerToolExecutor{std::move(config), std::move(launcher), Clock{}, Cli{}, std::move(hooks)} {}
    ContainerToolExecutor(ContainerConfig config, Launcher launcher, Clock clock, Hooks hooks = {})
        : ContainerToolExecutor{std::move(config), std::move(launcher), std::move(clock), Cli{},
                                std::move(hooks)} {}
    ContainerToolExecutor(ContainerConfig config, Launcher launcher, Cli cli, Hooks hooks = {})
        : ContainerToolExecutor{std::move(config), std::move(launcher), Clock{}, std::move(cli),
                                std::move(hooks)} {}

    ContainerToolExecutor(ContainerToolExecutor&&) = default;
    ContainerToolExecutor& operator=(ContainerToolExecutor&&) = default;

    /// Runs a tool with the given inputs and waits for its end. The tool is started exactly once; nothing is
    /// tried again. With a `concurrency_limit` the call first waits for its turn, in order; the deadline runs
    /// from the start.
    /// Throws `ValueError` for a name that is empty, begins with a dash or holds control characters, and for
    /// options or a configuration that cannot be.
    result_type execute_tool(std::string_view name, object const& inputs,
                             ExecuteOptions const& options = {}) {
        Span span{execution_.hooks(), {"execute_tool", name, execution_.config().container_id.string()}};
        auto prepared = execution_.prepare(name, inputs, options);
        auto result = std::holds_alternative<result_type>(prepared)
                          ? std::get<result_type>(std::move(prepared))
                          : launch(std::get<ToolCall>(std::move(prepared)));
        span.end({result.failure_kind(), exit_code_of(result), result.duration_ms()});
        return result;
    }

    /// The same with a deadline of its own: seconds, or any `std::chrono` duration.
    result_type execute_tool(std::string_view name, object const& inputs, Timeout timeout) {
        return execute_tool(name, inputs, ExecuteOptions{.timeout = timeout});
    }

    /// For inputs that are a JSON *value*: throws `TypeError` unless it is an object.
    /// Source: container_tool_exec.feature, "execute_tool rejects non-dict inputs".
    template <std::same_as<value> Value>
    result_type execute_tool(std::string_view name, Value const& inputs, ExecuteOptions const& options = {}) {
        return execute_tool(name, object_in(inputs), options);
    }
    template <std::same_as<value> Value>
    result_type execute_tool(std::string_view name, Value const& inputs, Timeout timeout) {
        return execute_tool(name, object_in(inputs), timeout);
    }

    /// The host's command line for a tool: the way into the container, then the command; without the guard.
    /// The deadline stands in no command line; it is taken so that the call reads as the specification's.
    std::vector<std::string> build_exec_command(std::string_view name, Timeout = 120) const {
        auto arguments = execution_.transport().to(config()).arguments;
        for (auto& argument : tool_arguments(config(), name))
            arguments.push_back(std::move(argument));
        return arguments;
    }

    /// What stands between the CLI's binary and the command. Throws `ValueError` as the CLI's model does.
    std::vector<std::string> target_arguments() const {
        return execution_.transport().cli().target_arguments(config());
    }

    /// Throws `ContainerExecutionError` that tells what to install when the CLI's binary was not found.
    /// Source: container_tool_exec.feature, "raises when devcontainer binary is missing at execution".
    void require_cli() const {
        if (!execution_.transport().binary_is_missing()) return;
        auto const missing = execution_.transport().missing_binary();
        throw ContainerExecutionError{missing.hint.empty() ? missing.text
                                                           : missing.text + ". " + missing.hint};
    }

    /// The inputs as the tool will see them. Source: container_tool_exec.feature, "_map_input_paths".
    object map_input_paths(object inputs) const { return execution_.mapped_inputs(std::move(inputs)); }

    /// A tool's output as the host sees it. Source: container_tool_exec.feature, "_map_output_paths".
    object map_output_paths(object output) const { return execution_.mapped_outputs(std::move(output)); }

#if !LONGSHORE_WINDOWS
    /// Brings one regular file of the container to the host, into the sandbox, and returns where it stands
    /// there. A file of 1 GiB is still brought by default, in constant memory; it appears whole or not at
    /// all, with mode 0600, and new parents of it get 0700.
    ///
    /// Throws `ValueError` for a path that is relative, holds a NUL or names a directory, and where `guard`
    /// is off; `SandboxEscapeError` for a path that leads out of the sandbox, for a link or a special file
    /// that stands in its place on the host, and for the default sandbox `/tmp/sandbox` where it cannot be
    /// trusted; `ContainerTimeoutError` after the deadline; another `ContainerExecutionError` for what the
    /// container cannot give, a file beyond a limit, and what the host cannot write.
    /// Source: container_tool_exec.feature, "sync_results_to_host"; execution-environment.md.
    std::string sync_results_to_host(std::string_view container_path, SyncOptions const& options = {}) {
        auto report = file_sync().fetch_files("sync_results_to_host", {std::string{container_path}}, options);
        report.require();
        return std::move(report.files.front().host_path);
    }

    /// The same for many files, by one call, with a result for each. Throws `ValueError` as above, and
    /// `ContainerExecutionError` when nothing could be started; all else is in the report.
    SyncReport sync_all_to_host(std::vector<std::string> const& container_paths,
                                SyncOptions const& options = {}) {
        return file_sync().fetch_files("sync_all_to_host", container_paths, options);
    }

    /// The same for a directory of the container with all that is below it: regular files and directories.
    /// Links and special files are not followed or opened, and have an entry in the report. What else stands
    /// in the directory on the host stays.
    SyncReport sync_tree_to_host(std::string_view container_directory, SyncOptions const& options = {}) {
        return file_sync().fetch_tree("sync_tree_to_host", container_directory, options);
    }

    /// Takes one regular file of the sandbox to a place in the container, for one that does not mount the
    /// sandbox: into its workspace, or where it has a mount. There it appears whole or not at all, with mode
    /// 0600, its new parents with 0700, for the user that tools run as. A sender that is killed leaves a
    /// temporary, `.longshore-<16 hex digits>.part`, which a later one in the same directory removes.
    /// Throws as `sync_results_to_host`; `SandboxEscapeError` also when a link leads to the file.
    void send_to_container(std::string_view host_path, std::string_view container_path,
                           SyncOptions const& options = {}) {
        file_sync().send("send_to_container", host_path, container_path, options);
    }
#endif

    ContainerConfig const& config() const noexcept { return execution_.config(); }
    PathMapper const& path_mapper() const noexcept { return execution_.mapper(); }
    Launcher& launcher() noexcept { return launcher_; }
    Launcher const& launcher() const noexcept { return launcher_; }

    /// What it shares with executors that drive a launch in another way.
    execution_type& execution() noexcept { return execution_; }
    execution_type const& execution() const noexcept { return execution_; }

private:
#if !LONGSHORE_WINDOWS
    FileSync<Launcher, execution_type> file_sync() noexcept { return {execution_, launcher_}; }
#endif

    result_type launch(ToolCall const& call) {
        typename execution_type::Moments moments{execution_.now(), {}};
        auto const permit = execution_.limit().acquire(call.request.stop_token);
        moments.started = execution_.now();
        if (!permit) return execution_.left_queue(call, moments);
        LaunchOutcome outcome;
        try {
            outcome = launcher_.run(call.request);
        } catch (std::system_error const& error) {
            return execution_.refused(call, error, moments);
        }
        return execution_.finish(call, std::move(outcome), moments);
    }

    static object const& object_in(value const& inputs) {
        if (Json::kind(inputs) != JsonKind::object)
            throw TypeError{"inputs must be a dict, that is a JSON object"};
        return Json::as_object(inputs);
    }

    static int exit_code_of(result_type const& result) {
        auto const container = result.container();
        return container ? container->exit_code() : -1;
    }

    execution_type execution_;
    Launcher launcher_;
};

} // namespace longshore::inline v0

#endif
