// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_CLI_HPP
#define LONGSHORE_CONTAINER_CLI_HPP

#include <longshore/container/config.hpp>
#include <longshore/error.hpp>
#include <longshore/launch/outcome.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0 {

/// A program on the host that gets a command into a container.
///
/// Requirements on a type `C` and a `const` object `cli` of it:
/// 1. `C` is copyable.
/// 2. `cli.binary()` converts to `std::string_view`: a name that is looked up in `PATH`, or an absolute path.
///    Empty: no program at all, the command runs on the host.
/// 3. `cli.target_arguments(config)` returns `std::vector<std::string>`: what stands between the binary and
///    the command. It throws `ValueError` for a configuration that names no target, and for fields that the
///    CLI cannot honour.
/// 4. `cli.environment_names()` converts to `std::vector<std::string>`: host variables that the CLI
///    understands. They are suggestions for texts; only `forward_environment` passes any.
/// 5. `cli.explain(outcome)`, with a `LaunchOutcome const&`, returns `std::optional<Failure>`: why the
/// command
///    was not reached, out of `transport_exit` and `transport_noise`; empty when it cannot tell. The text is
///    the reason alone. It is asked only when the guard never spoke, so that nothing a tool printed is
///    misread.
///
/// Not required, but used where they are: `cli.install_hint()` and `cli.version()`, which convert to
/// `std::string_view`; `cli.rewrites(argument)`, which tells whether the CLI would change that argument.
template <typename C>
concept ContainerCli = std::copyable<C> &&
    requires(C const& cli, ContainerConfig const& config, LaunchOutcome const& outcome) {
    { cli.binary() } -> std::convertible_to<std::string_view>;
    { cli.target_arguments(config) } -> std::same_as<std::vector<std::string>>;
    { cli.environment_names() } -> std::convertible_to<std::vector<std::string>>;
    { cli.explain(outcome) } -> std::same_as<std::optional<Failure>>;
};

/// How to get the CLI, as far as its model says.
template <ContainerCli Cli>
std::string install_hint(Cli const& cli) {
    if constexpr (requires {
                      { cli.install_hint() } -> std::convertible_to<std::string_view>;
                  })
        return std::string{std::string_view{cli.install_hint()}};
    else
        return {};
}

/// The CLI's version, as far as its model says.
template <ContainerCli Cli>
std::string cli_version(Cli const& cli) {
    if constexpr (requires {
                      { cli.version() } -> std::convertible_to<std::string_view>;
                  })
        return std::string{std::string_view{cli.version()}};
    else
        return {};
}

/// Whether the CLI would hand this argument on as another one, as far as its model says.
template <ContainerCli Cli>
bool rewrites(Cli const& cli, std::string_view argument) {
    if constexpr (requires {
                      { cli.rewrites(argument) } -> std::convertible_to<bool>;
                  })
        return cli.rewrites(argument);
    else
        return false;
}

} // namespace longshore::inline v0

#endif
