// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_TOOL_REQUEST_HPP
#define LONGSHORE_CONTAINER_TOOL_REQUEST_HPP

#include <longshore/container/cli.hpp>
#include <longshore/container/config.hpp>
#include <longshore/container/execute_options.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/launch/guard.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/path_mapper.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// Throws `ValueError` for a name that no tool can have. It stands on command lines, so it is never empty,
/// never an option, and holds no control characters.
/// Source: container_tool_exec.feature, "execute_tool rejects empty tool_name".
inline void check_tool_name(std::string_view name) {
    if (name.empty()) throw ValueError{"tool_name must be non-empty"};
    if (name.front() == '-')
        throw ValueError{"tool_name must not start with '-': " + detail::shown_text(name)};
    if (detail::holds_control(name))
        throw ValueError{"tool_name must not hold null bytes or control characters: " +
                         detail::shown_text(name)};
}

/// The tool's argv: `tool_command`, then the name. Throws as `check_tool_name`.
inline std::vector<std::string> tool_arguments(ContainerConfig const& config, std::string_view name) {
    check_tool_name(name);
    auto arguments = config.tool_command.values();
    arguments.emplace_back(name);
    return arguments;
}

/// The folder that a tool starts in, as the container sees it.
/// Throws `ValueError` for a `working_directory` that is not absolute or holds a null byte.
inline std::string tool_directory(ContainerConfig const& config, PathMapper const& mapper,
                                  std::string const& working_directory) {
    if (working_directory.empty()) return config.workspace_folder;
    if (working_directory.front() != '/')
        throw ValueError{"working_directory must be an absolute path: " +
                         detail::shown_text(working_directory)};
    return mapper.host_to_container(working_directory);
}

/// The tool's variables as `NAME=value`. Throws `ValueError` that shows the name only: the value may be
/// secret.
inline std::vector<std::string> tool_environment(ExecuteOptions const& options) {
    std::vector<std::string> environment;
    for (auto const& [name, value] : options.environment) {
        environment.push_back(name + '=' + value);
        if (name.find('=') != std::string::npos || !guard::is_assignment(environment.back()))
            throw ValueError{"environment has a variable that no shell can export, or one that begins with "
                             "LONGSHORE_: " +
                             detail::shown_text(name)};
    }
    return environment;
}

/// Throws `ValueError` for what only the guard can do, and for arguments that the CLI would change on the way
/// when no guard carries them.
template <ContainerCli Cli>
void check_unguarded(Cli const& cli, Command const& command, ExecuteOptions const& options) {
    if (!options.environment.empty())
        throw ValueError{"environment needs the guard: without it values would stand on a command line"};
    if (!options.working_directory.empty())
        throw ValueError{"working_directory needs the guard: nothing else enters it"};
    for (auto const& argument : command.arguments)
        if (rewrites(cli, argument))
            throw ValueError{"without the guard the container CLI would change the argument " +
                             detail::shown_text(argument)};
}

/// Hands output to `on_output` and keeps what that throws, so that it is never taken for a failed start.
/// One call drives it from one thread.
class OutputTap {
public:
    explicit OutputTap(std::function<Flow(Stream, std::string_view)> on_output)
        : on_output_{std::move(on_output)} {}

    Flow operator()(Stream stream, std::string_view bytes) {
        if (thrown_) return Flow::stop;
        try {
            return on_output_(stream, bytes);
        } catch (...) {
            thrown_ = std::current_exception();
            return Flow::stop;
        }
    }

    /// Throws what `on_output` threw, if it did.
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    std::function<Flow(Stream, std::string_view)> on_output_;
    std::exception_ptr thrown_{};
};

/// One call of a tool, ready to be launched. It owns all that the launch needs.
struct ToolCall {
    std::string tool_name{};
    LaunchRequest request{};
    std::shared_ptr<OutputTap> tap{}; ///< null where nobody listens
};

/// Lets `on_output` hear both streams of the call.
inline void listen(ToolCall& call, ExecuteOptions const& options) {
    if (!options.on_output) return;
    call.tap = std::make_shared<OutputTap>(options.on_output);
    for (auto const stream : {Stream::output, Stream::error}) {
        auto& plan = stream == Stream::output ? call.request.output : call.request.error;
        plan.sink = [tap = call.tap, stream](std::string_view bytes) { return (*tap)(stream, bytes); };
    }
}

/// The call, without its input and its way into the container. Throws `ValueError` as the functions above.
inline ToolCall make_tool_call(ContainerConfig const& config, PathMapper const& mapper, std::string_view name,
                               ExecuteOptions const& options) {
    ToolCall call;
    call.tool_name = name;
    auto& request = call.request;
    request.command.arguments = tool_arguments(config, name);
    request.command.working_directory = tool_directory(config, mapper, options.working_directory);
    request.command.environment = tool_environment(options);
    request.output.keep = request.error.keep = config.output_limit;
    request.timeout = options.timeout.value_or(config.timeout_seconds);
    request.no_output_timeout =
        options.no_output_timeout ? options.no_output_timeout : config.no_output_timeout;
    request.kill_grace = config.kill_grace.value();
    request.drain_grace = config.drain_grace.value();
    request.stop_token = options.stop_token;
    request.guarded = config.guard;
    listen(call, options);
    return call;
}

} // namespace longshore::inline v0

#endif
