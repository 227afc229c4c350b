// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_HOST_CLI_HPP
#define LONGSHORE_CONTAINER_HOST_CLI_HPP

#include <longshore/container/cli.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0 {

/// No container: tools run on this host, as this user, with all that this user may do. `workspace_folder` is
/// then a folder of this host. For programs that run inside the container already, and for tests.
struct HostCli {
    std::string_view binary() const noexcept { return {}; }

    /// Nothing. Throws `ValueError` when `user` is set.
    std::vector<std::string> target_arguments(ContainerConfig const& config) const {
        if (!config.user.empty())
            throw ValueError{"HostCli runs tools as the user of this process, not as user"};
        return {};
    }

    std::vector<std::string> environment_names() const { return {}; }

    std::optional<Failure> explain(LaunchOutcome const&) const { return std::nullopt; }
};

static_assert(ContainerCli<HostCli>);

} // namespace longshore::inline v0

#endif
