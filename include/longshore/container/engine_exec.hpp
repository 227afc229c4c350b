// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_ENGINE_EXEC_HPP
#define LONGSHORE_CONTAINER_ENGINE_EXEC_HPP

#include <longshore/container/config.hpp>
#include <longshore/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0 {

/// `exec -i [-u USER] [-w DIRECTORY] ID`, which Docker and Podman share. Never a terminal: that would merge
/// the streams and change line ends. The guard enters the workspace folder itself; only without it the engine
/// is asked to.
/// Throws `ValueError` when there is no `container_id`.
inline std::vector<std::string> engine_exec_arguments(ContainerConfig const& config, std::string_view cli) {
    if (config.container_id.empty())
        throw ValueError{std::string{cli} + " needs container_id: the id or name of a running container"};
    std::vector<std::string> arguments{"exec", "-i"};
    if (!config.user.empty()) arguments.insert(arguments.end(), {"-u", config.user.string()});
    if (!config.guard) arguments.insert(arguments.end(), {"-w", config.workspace_folder.string()});
    arguments.push_back(config.container_id);
    return arguments;
}

} // namespace longshore::inline v0

#endif
