// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_PLACE_HPP
#define LONGSHORE_TESTS_INTEGRATION_PLACE_HPP

#include <integration/engine.hpp>
#include <integration/way.hpp>
#include <integration/workspace.hpp>

#include <longshore/container/config.hpp>
#include <longshore/container/executor.hpp>
#include <longshore/container/transport.hpp>
#include <longshore/launch/request.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace longshore_test {

using Executor = longshore::ContainerToolExecutor<longshore::ProcessLauncher, longshore::BoostJson,
                                                  std::chrono::steady_clock, longshore::AnyContainerCli>;

// A container that shows a workspace at /workspace, and that the devcontainer CLI finds by that folder.
class WorkspaceContainer : public Container {
public:
    WorkspaceContainer(Engine const& engine, Workspace const& workspace,
                       std::vector<std::string> options = {}, std::string const& image = {})
        : Container{engine, image.empty() ? engine.image : image,
                    with_workspace(engine, workspace, std::move(options))} {}

    // An engine's command about this container, such as `kill`.
    void command(std::string const& name, std::vector<std::string> const& options = {}) const {
        std::vector<std::string> arguments{cli(), name};
        arguments.insert(arguments.end(), options.begin(), options.end());
        arguments.push_back(id());
        output_of(arguments);
    }

private:
    static std::vector<std::string> with_workspace(Engine const& engine, Workspace const& workspace,
                                                   std::vector<std::string> options) {
        std::string const definition = ".devcontainer/devcontainer.json";
        workspace.write(definition, R"({"image":")" + engine.image + R"(","workspaceFolder":"/workspace",)" +
                                        R"("workspaceMount":"source=)" + workspace.folder() +
                                        R"(,target=/workspace,type=bind"})");
        options.insert(options.end(), {"-v", workspace.folder() + ":/workspace", "--label",
                                       "devcontainer.local_folder=" + workspace.folder(), "--label",
                                       "devcontainer.config_file=" + workspace.path(definition)});
        return options;
    }
};

// A workspace, and a way to the tools that work on it. It refers to the workspace and the container.
class Place {
public:
    // On this host.
    Place(Way way, Workspace const& workspace) : Place{std::move(way), workspace, nullptr} {}
    // In this container of the way's engine.
    Place(Way way, Workspace const& workspace, WorkspaceContainer const& container)
        : Place{std::move(way), workspace, &container} {}

    Way const& way() const noexcept { return way_; }
    Workspace const& workspace() const noexcept { return *workspace_; }
    WorkspaceContainer const& container() const { return *container_; }

    // The same place, by another program than its way's own.
    Place by(longshore::AnyContainerCli cli) const {
        auto place = *this;
        place.cli_ = std::move(cli);
        return place;
    }

    // What an executor needs to get here; the tool's program comes from the test.
    longshore::ContainerConfig config(std::vector<std::string> tool_command = {}) const {
        longshore::ContainerConfig config;
        config.host_sandbox_path = workspace_->folder();
        config.workspace_folder = way_.through == Through::host ? workspace_->alias() : "/workspace";
        config.forward_environment = {"HOME", "DOCKER_HOST", "CONTAINER_HOST", "CONTAINERS_CONF",
                                      "XDG_RUNTIME_DIR"};
        config.timeout_seconds = 60;
        config.tool_command = std::move(tool_command);
        if (container_ != nullptr && way_.through != Through::devcontainer_by_folder)
            config.container_id = container_->id();
        return config;
    }

    Executor executor(longshore::ContainerConfig config, longshore::Hooks hooks = {}) const {
        return Executor{std::move(config), cli_, std::move(hooks)};
    }
    // Every tool is this shell script, with the tool's name as `$0`.
    Executor shell(std::string script) const { return executor(config({"sh", "-c", std::move(script)})); }

    // A call of a command in the workspace, for a launcher.
    longshore::LaunchRequest request(std::vector<std::string> arguments) const {
        auto const config = this->config();
        longshore::LaunchRequest request;
        request.transport = longshore::ContainerTransport{cli_, config}.to(config);
        request.command.arguments = std::move(arguments);
        request.command.working_directory = config.workspace_folder;
        request.timeout = 60;
        return request;
    }

private:
    Place(Way way, Workspace const& workspace, WorkspaceContainer const* container)
        : way_{std::move(way)}, workspace_{&workspace}, container_{container}, cli_{cli_of(way_)} {}

    Way way_;
    Workspace const* workspace_;
    WorkspaceContainer const* container_;
    longshore::AnyContainerCli cli_;
};

} // namespace longshore_test

#endif
