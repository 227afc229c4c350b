// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_TRANSPORT_HPP
#define LONGSHORE_CONTAINER_TRANSPORT_HPP

#include <longshore/container/cli.hpp>
#include <longshore/container/config.hpp>
#include <longshore/detail/resolve_binary.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/launch/request.hpp>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// The environment of a container CLI, built from nothing: `PATH`, `LANG` and `TERM`, then the names given,
/// each as this process has it and only where it has it.
/// Source: execution-environment.md, "Environment Variable Filtering".
inline std::vector<std::string> transport_environment(std::vector<std::string> const& forwarded_names) {
    std::vector<std::string> names{"PATH", "LANG", "TERM"};
    for (auto const& name : forwarded_names)
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    std::vector<std::string> environment;
    for (auto const& name : names)
        if (auto const* const value = std::getenv(name.c_str())) environment.push_back(name + '=' + value);
    return environment;
}

/// The way into the container of one configuration.
///
/// The CLI's binary and the environment are looked up once, at construction, so that a `PATH` that changes
/// later changes nothing; only absolute entries of `PATH` count. Thread safety: as the CLI model's `const`
/// functions.
/// Source: execution-environment.md, "Permission Model".
template <ContainerCli Cli>
class ContainerTransport {
public:
    ContainerTransport(Cli cli, ContainerConfig const& config)
        : cli_{std::move(cli)}, binary_{std::string_view{cli_.binary()}}, environment_{transport_environment(
                                                                              config.forward_environment)} {
        auto const* const search_path = std::getenv("PATH");
        if (binary_.empty())
            found_ = true;
        else if (auto path = detail::resolve_binary(binary_, search_path == nullptr ? "" : search_path)) {
            path_ = std::move(*path);
            found_ = true;
        }
    }

    Cli const& cli() const noexcept { return cli_; }

    /// The binary as the model names it.
    std::string const& binary() const noexcept { return binary_; }
    bool binary_is_missing() const noexcept { return !found_; }

    /// The transport to launch behind. A binary that was not found stands there by its bare name, which a
    /// mock launcher does not mind and a real one cannot start.
    /// Throws `ValueError` for a configuration that the CLI cannot honour.
    Transport to(ContainerConfig const& config) const {
        auto arguments = cli_.target_arguments(config);
        if (!binary_.empty()) arguments.insert(arguments.begin(), path_.empty() ? binary_ : path_);
        return {std::move(arguments), environment_};
    }

    /// What is wrong when the binary is missing, and what to install.
    Failure missing_binary() const {
        auto const is_path = binary_.find('/') != std::string::npos;
        return {FailureKind::os_error,
                detail::shown_text(binary_) + (is_path ? " is no executable file" : " was not found in PATH"),
                install_hint(cli_)};
    }

private:
    Cli cli_;
    std::string binary_;
    std::string path_{};
    std::vector<std::string> environment_;
    bool found_ = false;
};

} // namespace longshore::inline v0

#endif
