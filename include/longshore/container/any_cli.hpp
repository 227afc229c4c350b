// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_ANY_CLI_HPP
#define LONGSHORE_CONTAINER_ANY_CLI_HPP

#include <longshore/container/cli.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// Holds any `ContainerCli`, for programs that choose theirs at run time:
/// `AnyContainerCli cli = use_podman ? AnyContainerCli{PodmanCli{}} : AnyContainerCli{DockerCli{}};`
///
/// Copies share one immutable model, which is thread safe as far as its `const` functions are.
class AnyContainerCli {
public:
    template <typename Cli>
    requires(!std::same_as<std::remove_cvref_t<Cli>, AnyContainerCli> &&
             ContainerCli<std::remove_cvref_t<Cli>>) AnyContainerCli(Cli&& cli)
        : model_{std::make_shared<Model<std::remove_cvref_t<Cli>>>(std::forward<Cli>(cli))},
          binary_{model_->binary()} {}

    std::string_view binary() const noexcept { return binary_; }
    std::string version() const { return model_->version(); }
    std::string install_hint() const { return model_->install_hint(); }
    bool rewrites(std::string_view argument) const { return model_->rewrites(argument); }
    std::vector<std::string> target_arguments(ContainerConfig const& config) const {
        return model_->target_arguments(config);
    }
    std::vector<std::string> environment_names() const { return model_->environment_names(); }
    std::optional<Failure> explain(LaunchOutcome const& outcome) const { return model_->explain(outcome); }

private:
    struct Interface {
        Interface() = default;
        Interface(Interface const&) = delete;
        Interface& operator=(Interface const&) = delete;
        virtual ~Interface() = default;
        virtual std::string binary() const = 0;
        virtual std::string version() const = 0;
        virtual std::string install_hint() const = 0;
        virtual bool rewrites(std::string_view argument) const = 0;
        virtual std::vector<std::string> target_arguments(ContainerConfig const& config) const = 0;
        virtual std::vector<std::string> environment_names() const = 0;
        virtual std::optional<Failure> explain(LaunchOutcome const& outcome) const = 0;
    };

    template <ContainerCli Cli>
    struct Model final : Interface {
        explicit Model(Cli model) : cli{std::move(model)} {}
        std::string binary() const override { return std::string{std::string_view{cli.binary()}}; }
        std::string version() const override { return cli_version(cli); }
        std::string install_hint() const override { return v0::install_hint(cli); }
        bool rewrites(std::string_view argument) const override { return v0::rewrites(cli, argument); }
        std::vector<std::string> target_arguments(ContainerConfig const& config) const override {
            return cli.target_arguments(config);
        }
        std::vector<std::string> environment_names() const override { return cli.environment_names(); }
        std::optional<Failure> explain(LaunchOutcome const& outcome) const override {
            return cli.explain(outcome);
        }
        Cli cli;
    };

    std::shared_ptr<Interface const> model_;
    std::string binary_;
};

static_assert(ContainerCli<AnyContainerCli>);

} // namespace longshore::inline v0

#endif
