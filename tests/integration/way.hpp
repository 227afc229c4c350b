// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_WAY_HPP
#define LONGSHORE_TESTS_INTEGRATION_WAY_HPP

#include <integration/engine.hpp>
#include <integration/workspace.hpp>

#include <longshore/container/any_cli.hpp>
#include <longshore/container/bubblewrap_cli.hpp>
#include <longshore/container/devcontainer_cli.hpp>
#include <longshore/container/docker_cli.hpp>
#include <longshore/container/host_cli.hpp>
#include <longshore/container/podman_cli.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace longshore_test {

enum class Through { engine, devcontainer_by_id, devcontainer_by_folder, bubblewrap, host };

// One of the ways to where tools run: an engine, and how to get into its containers; or this host.
struct Way {
    std::string name;
    std::string engine_name; // docker, podman; empty: this host
    Through through;

    bool into_container() const noexcept { return !engine_name.empty(); }
    bool by_devcontainer() const noexcept {
        return through == Through::devcontainer_by_id || through == Through::devcontainer_by_folder;
    }
    std::optional<Engine> engine() const { return engine_name == "docker" ? docker() : podman(); }

    // How long something of a tool may live on after the end of its call, or of the host.
    std::chrono::seconds longest_goodbye() const noexcept {
        return std::chrono::seconds{by_devcontainer() ? 4 : 2};
    }

    // Why it cannot be had here; empty when it can.
    std::string obstacle() const {
        if (into_container() && !engine()) return "no " + engine_name + " is named in the environment";
        if (by_devcontainer() && !variable("LONGSHORE_TEST_DEVCONTAINER"))
            return "LONGSHORE_TEST_DEVCONTAINER is not set";
        if (through == Through::bubblewrap && !makes_sandboxes())
            return "bwrap is missing, or may not make a sandbox";
        return {};
    }

private:
    static bool makes_sandboxes() {
        static bool const does = [] {
            try {
                return output_of({"bwrap", "--unshare-all", "--ro-bind", "/", "/", "echo", "yes"}) == "yes";
            } catch (std::exception const&) {
                return false;
            }
        }();
        return does;
    }
};

inline std::vector<Way> every_way() {
    return {{"docker exec", "docker", Through::engine},
            {"podman exec", "podman", Through::engine},
            {"devcontainer exec by container id with docker", "docker", Through::devcontainer_by_id},
            {"devcontainer exec by workspace folder with docker", "docker", Through::devcontainer_by_folder},
            {"devcontainer exec by container id with podman", "podman", Through::devcontainer_by_id},
            {"devcontainer exec by workspace folder with podman", "podman", Through::devcontainer_by_folder},
            {"bubblewrap", "", Through::bubblewrap},
            {"this host", "", Through::host}};
}

// The devcontainer CLI for one engine, as a program: it calls whatever is `docker` in PATH.
inline std::string devcontainer_for(Engine const& engine) {
    static std::map<std::string, std::unique_ptr<Workspace>> folders;
    auto& folder = folders[engine.name];
    if (!folder) {
        folder = std::make_unique<Workspace>();
        folder->write_program("docker", "#!/bin/sh\nexec " + shell_quoted(engine.cli) + " \"$@\"\n");
        folder->write_program(
            "devcontainer",
            "#!/bin/sh\nPATH=" + shell_quoted(folder->folder()) + ":$PATH\nexport PATH\nexec " +
                shell_quoted(variable("LONGSHORE_TEST_DEVCONTAINER").value_or("")) + " \"$@\"\n");
    }
    return folder->path("devcontainer");
}

inline longshore::AnyContainerCli cli_of(Way const& way) {
    if (way.through == Through::bubblewrap) return longshore::BubblewrapCli{};
    if (way.through == Through::host) return longshore::HostCli{};
    auto const engine = way.engine().value();
    if (way.by_devcontainer()) return longshore::DevcontainerCli{devcontainer_for(engine)};
    if (engine.name == "docker") return longshore::DockerCli{engine.cli};
    return longshore::PodmanCli{engine.cli};
}

} // namespace longshore_test

#endif
