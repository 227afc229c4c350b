// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_ENGINE_NOISE_HPP
#define LONGSHORE_CONTAINER_ENGINE_NOISE_HPP

#include <longshore/container/transport_noise.hpp>
#include <longshore/error.hpp>
#include <longshore/launch/outcome.hpp>

#include <optional>

namespace longshore::inline v0 {

/// What Docker, Podman and their OCI runtime say when they start nothing. Some of it comes on standard
/// output, and each engine has exit codes of its own for it, so the words decide.
inline std::optional<Failure> meaning_of_engine_noise(LaunchOutcome const& outcome) {
    constexpr auto unavailable = FailureKind::container_unavailable;
    constexpr auto failed = FailureKind::cli_failed;
    constexpr std::string_view start_it = "Start the container first; longshore does not start containers.";
    constexpr std::string_view unknown_id =
        "Check container_id: `docker ps` or `podman ps` lists the running "
        "containers.";
    constexpr std::string_view reach_engine =
        "Check that the engine runs and that this user may use it. DOCKER_HOST and CONTAINER_HOST reach the "
        "CLI only when forward_environment names them.";
    return meaning_of_noise(
        outcome,
        {{"no such container", unavailable, unknown_id},
         {"is not running", unavailable, start_it},
         {"is paused", unavailable, "Unpause the container."},
         {"container state improper", unavailable, start_it},
         {"cannot exec in a stopped", unavailable, start_it},
         {"cannot exec in a paused", unavailable, "Unpause the container."},
         {"chdir to cwd", unavailable, "Create workspace_folder in the container, or set it to one that is."},
         {"cannot connect to the docker daemon", failed, reach_engine},
         {"error during connect", failed, reach_engine},
         {"unable to connect to podman", failed, reach_engine},
         {"permission denied while trying to connect", failed, reach_engine},
         {"unable to find user", failed, "Check user: the container does not know it."},
         {"executable file not found", FailureKind::tool_not_found,
          "The guard needs `sh` in the container. Set guard = false for an image without a shell."},
         {"oci runtime", failed,
          "The engine's OCI runtime could not start the command; its words are in the error."}});
}

} // namespace longshore::inline v0

#endif
