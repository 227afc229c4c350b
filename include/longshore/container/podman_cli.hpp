// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_PODMAN_CLI_HPP
#define LONGSHORE_CONTAINER_PODMAN_CLI_HPP

#include <longshore/container/cli.hpp>
#include <longshore/container/engine_exec.hpp>
#include <longshore/container/engine_noise.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// `podman exec`: runs tools in a container that is named by `container_id`. Podman without root needs `HOME`
/// and `XDG_RUNTIME_DIR` in `forward_environment`, another machine `CONTAINER_HOST`.
class PodmanCli {
public:
    /// @param binary a name that is looked up in `PATH`, or an absolute path.
    /// @param version what the metadata tell about the CLI; longshore does not ask for it.
    explicit PodmanCli(std::string binary = "podman", std::string version = {})
        : binary_{std::move(binary)}, version_{std::move(version)} {}

    std::string_view binary() const noexcept { return binary_; }
    std::string_view version() const noexcept { return version_; }
    std::string_view install_hint() const noexcept { return "Install Podman (Debian: podman)."; }

    /// Without detach keys: podman would take them out of any input, and detach.
    std::vector<std::string> target_arguments(ContainerConfig const& config) const {
        auto arguments = engine_exec_arguments(config, "PodmanCli");
        arguments.insert(arguments.begin() + 1, "--detach-keys=");
        return arguments;
    }

    std::vector<std::string> environment_names() const {
        return {"CONTAINER_HOST", "CONTAINERS_CONF", "XDG_RUNTIME_DIR", "HOME"};
    }

    std::optional<Failure> explain(LaunchOutcome const& outcome) const {
        return meaning_of_engine_noise(outcome);
    }

private:
    std::string binary_;
    std::string version_;
};

static_assert(ContainerCli<PodmanCli>);

} // namespace longshore::inline v0

#endif
