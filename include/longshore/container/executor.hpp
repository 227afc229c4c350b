// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_EXECUTOR_HPP
#define LONGSHORE_CONTAINER_EXECUTOR_HPP

#include <longshore/container/basic_executor.hpp>
#include <longshore/container/devcontainer_cli.hpp>
#include <longshore/json/boost_json.hpp>
#include <longshore/process/process_launcher.hpp>
#include <longshore/tool/result.hpp>

#include <chrono>

namespace longshore::inline v0 {

/// The defaults: processes of this host, Boost.JSON, the steady clock, and the Dev Container CLI.
template <LaunchPolicy Launcher = ProcessLauncher, JsonPolicy Json = BoostJson,
          ClockPolicy Clock = std::chrono::steady_clock, ContainerCli Cli = DevcontainerCli>
class ContainerToolExecutor;

ContainerToolExecutor(ContainerConfig, Hooks = {})->ContainerToolExecutor<>;

template <ContainerCli Cli>
ContainerToolExecutor(ContainerConfig, Cli, Hooks = {})
    -> ContainerToolExecutor<ProcessLauncher, BoostJson, std::chrono::steady_clock, Cli>;

template <LaunchPolicy Launcher>
ContainerToolExecutor(ContainerConfig, Launcher, Hooks = {})
    -> ContainerToolExecutor<Launcher, BoostJson, std::chrono::steady_clock, DevcontainerCli>;

template <LaunchPolicy Launcher, ClockPolicy Clock>
ContainerToolExecutor(ContainerConfig, Launcher, Clock, Hooks = {})
    -> ContainerToolExecutor<Launcher, BoostJson, Clock, DevcontainerCli>;

template <LaunchPolicy Launcher, ContainerCli Cli>
ContainerToolExecutor(ContainerConfig, Launcher, Cli, Hooks = {})
    -> ContainerToolExecutor<Launcher, BoostJson, std::chrono::steady_clock, Cli>;

template <LaunchPolicy Launcher, ClockPolicy Clock, ContainerCli Cli>
ContainerToolExecutor(ContainerConfig, Launcher, Clock, Cli, Hooks = {})
    -> ContainerToolExecutor<Launcher, BoostJson, Clock, Cli>;

} // namespace longshore::inline v0

#endif
