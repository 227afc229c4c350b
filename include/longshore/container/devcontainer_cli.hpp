// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_DEVCONTAINER_CLI_HPP
#define LONGSHORE_CONTAINER_DEVCONTAINER_CLI_HPP

#include <longshore/container/cli.hpp>
#include <longshore/container/engine_noise.hpp>
#include <longshore/detail/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// `devcontainer exec` of the Dev Container CLI: runs tools in the container named by `container_id`, or in
/// the one that belongs to the folder `host_sandbox_path`. It is the specification's CLI.
///
/// Never used of it: a terminal, `--log-format` (it would mix log records into the output), `--remote-env`
/// (it would show values on a command line), and the probe of the user's environment (it may wait for long on
/// a shell's start-up files, which tools could have written).
/// Source: container_tool_exec.feature, "ContainerToolExecutor without devcontainer binary uses
/// workspace-folder target args".
struct DevcontainerCli {
    /// @param binary a name that is looked up in `PATH`, or an absolute path.
    /// @param version what the metadata tell about the CLI; longshore does not ask for it.
    explicit DevcontainerCli(std::string binary = "devcontainer", std::string version = {})
        : binary_{std::move(binary)}, version_{std::move(version)} {}

    std::string_view binary() const noexcept { return binary_; }
    std::string_view version() const noexcept { return version_; }
    std::string_view install_hint() const noexcept {
        return "Install it with `npm install -g @devcontainers/cli` (it needs Node.js 20), or use another "
               "container CLI.";
    }

    /// Throws `ValueError` when neither `container_id` nor `host_sandbox_path` is set, because the CLI would
    /// silently take the current directory, and when `user` is set.
    std::vector<std::string> target_arguments(ContainerConfig const& config) const {
        if (!config.user.empty())
            throw ValueError{"the devcontainer CLI has no option for a user: set remoteUser in "
                             "devcontainer.json instead of user, or use DockerCli"};
        if (config.container_id.empty() && config.host_sandbox_path.empty())
            throw ValueError{"container_id or host_sandbox_path must be set: without them the devcontainer "
                             "CLI takes the current directory"};
        auto const by_id = !config.container_id.empty();
        return {"exec", by_id ? "--container-id" : "--workspace-folder",
                by_id ? config.container_id.string() : config.host_sandbox_path.string(),
                "--default-user-env-probe", "none"};
    }

    std::vector<std::string> environment_names() const {
        return {"DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "CONTAINERS_CONF", "HOME"};
    }

    std::optional<Failure> explain(LaunchOutcome const& outcome) const {
        if (spoken_noise(outcome).empty()) return explain_silence(outcome);
        constexpr std::string_view bring_up = "Run `devcontainer up` for this workspace folder first.";
        auto failure = meaning_of_noise(
            outcome, {{"dev container not found", FailureKind::container_unavailable, bring_up},
                      {"dev container config", FailureKind::container_unavailable,
                       "host_sandbox_path has no devcontainer.json. Set container_id, or another folder."},
                      {"'node'", FailureKind::cli_failed, "The devcontainer CLI needs Node.js 20 in PATH."}});
        if (!failure) failure = meaning_of_engine_noise(outcome);
        if (!failure)
            failure =
                meaning_of_noise(outcome, {{"shell server terminated", FailureKind::container_unavailable,
                                            "Check that the container is running and has /bin/sh."}});
        return failure;
    }

    /// The CLI's option parser reads arguments that look like numbers as numbers, so `1.0` arrives as `1`,
    /// replaces what is not UTF-8, and runs `undefined` for an empty text. It may say so of an argument that
    /// would arrive unchanged, never the other way round.
    bool rewrites(std::string_view argument) const {
        return argument.empty() || !detail::utf8_valid(argument) || looks_like_number(argument);
    }

private:
    // The engine's own words are lost when the CLI gives up before its first exec.
    static std::optional<Failure> explain_silence(LaunchOutcome const& outcome) {
        constexpr auto podman_unknown_container = 125;
        if (outcome.transport_exit == podman_unknown_container)
            return Failure{FailureKind::container_unavailable,
                           "the devcontainer CLI found no such container and said nothing",
                           "Check container_id: `podman ps` lists the running containers."};
        return Failure{FailureKind::cli_failed, "the devcontainer CLI failed and said nothing",
                       "It does so when the engine is missing or down, and when Docker has no such "
                       "container. Check `docker ps`. DOCKER_HOST and CONTAINER_HOST reach the CLI only when "
                       "forward_environment names them."};
    }

    static bool looks_like_number(std::string_view text) {
        auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
        if (text.starts_with('-')) text.remove_prefix(1);
        if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return false;
        auto const may_stand_in_number = [&](char c) {
            return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == 'x' || c == 'X' ||
                   c == '.' || c == '+' || c == '-' || c == ' ' || c == '\t' || c == '\n';
        };
        if (!std::all_of(text.begin(), text.end(), may_stand_in_number)) return false;
        return !is_plain_integer(text);
    }

    // Whole numbers that a double holds exactly come out as they went in.
    static bool is_plain_integer(std::string_view text) {
        constexpr std::size_t exact_digits = 15;
        return text.size() <= exact_digits && text.front() != '0' &&
               std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    }

    std::string binary_;
    std::string version_;
};

static_assert(ContainerCli<DevcontainerCli>);

} // namespace longshore::inline v0

#endif
