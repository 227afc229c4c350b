// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_LAUNCH_PLAN_HPP
#define LONGSHORE_DETAIL_LAUNCH_PLAN_HPP

#include <longshore/error.hpp>
#include <longshore/launch/guard.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/launch/secrets.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0 {
namespace detail {

// What the host process of a request is started with. Guarded, the guard sees to the command's environment
// and working directory; else they can be had on this host only. Behind a transport variables are refused,
// because nothing could carry a secret there but a command line; the working directory is then the
// transport's own to enter.
struct LaunchPlan {
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
    std::string working_directory{};

    // Throws ValueError.
    LaunchPlan(LaunchRequest const& request, CallSecrets const& secrets)
        : arguments{guard::host_arguments(request)}, environment{request.transport.environment} {
        auto const on_host = request.transport.arguments.empty();
        if (!on_host && request.limits != ResourceLimits{})
            throw ValueError{"limits bind a process of this host, and '" + arguments.front() +
                             "' leads somewhere else: its limits must be set there"};
        if (request.guarded) return;
        if (on_host) {
            for (auto const& entry : request.command.environment)
                set(entry);
            environment.push_back("LONGSHORE_CALL=" + secrets.identity);
            working_directory = request.command.working_directory;
        } else if (!request.command.environment.empty()) {
            throw ValueError{"without the guard no variable can be given to a command behind '" +
                             arguments.front() + "': '" +
                             std::string{name_of(request.command.environment.front())} + "'"};
        }
    }

private:
    static std::string_view name_of(std::string_view entry) {
        return entry.substr(0, (std::min)(entry.find('='), entry.size()));
    }

    // Programs take the first entry of a name, so a second one would be lost.
    void set(std::string const& entry) {
        guard::require_assignment(entry);
        auto const same = std::find_if(environment.begin(), environment.end(), [&](std::string const& other) {
            return name_of(other) == name_of(entry);
        });
        if (same == environment.end())
            environment.push_back(entry);
        else
            *same = entry;
    }
};

} // namespace detail
} // namespace longshore::inline v0

#endif
