// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_DOCKER_CLI_HPP
#define LONGSHORE_CONTAINER_DOCKER_CLI_HPP

#include <longshore/container/cli.hpp>
#include <longshore/container/engine_exec.hpp>
#include <longshore/container/engine_noise.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// `docker exec`: runs tools in a container that is named by `container_id`. Another machine is reached by
/// `DOCKER_HOST` in `forward_environment`.
class DockerCli {
public:
    /// @param binary a name that is looked up in `PATH`, or an absolute path.
    /// @param version what the metadata tell about the CLI; longshore does not ask for it.
    explicit DockerCli(std::string binary = "docker", std::string version = {})
        : binary_{std::move(binary)}, version_{std::move(version)} {}

    std::string_view binary() const noexcept { return binary_; }
    std::string_view version() const noexcept { return version_; }
    std::string_view install_hint() const noexcept { return "Install the Docker CLI (Debian: docker.io)."; }

    std::vector<std::string> target_arguments(ContainerConfig const& config) const {
        return engine_exec_arguments(config, "DockerCli");
    }

    std::vector<std::string> environment_names() const {
        return {"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "HOME"};
    }

    std::optional<Failure> explain(LaunchOutcome const& outcome) const {
        return meaning_of_engine_noise(outcome);
    }

private:
    std::string binary_;
    std::string version_;
};

static_assert(ContainerCli<DockerCli>);

} // namespace longshore::inline v0

#endif
