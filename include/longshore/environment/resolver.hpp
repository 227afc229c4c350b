// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_ENVIRONMENT_RESOLVER_HPP
#define LONGSHORE_ENVIRONMENT_RESOLVER_HPP

#include <longshore/designated_only.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/environment/execution_environment.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// The levels that can choose an environment, the strongest first.
/// Source: execution-environment.md, "Execution Environment Resolution".
enum class EnvironmentLevel : std::uint8_t { tool, plan, project, system };

/// The enumerator's name, such as `"plan"`.
constexpr std::string_view to_string(EnvironmentLevel level) noexcept {
    switch (level) {
    case EnvironmentLevel::tool:
        return "tool";
    case EnvironmentLevel::plan:
        return "plan";
    case EnvironmentLevel::project:
        return "project";
    case EnvironmentLevel::system:
        return "system";
    }
    return "unknown";
}

/// The types of resource that a container can be had from.
inline constexpr std::array<std::string_view, 3> container_resource_types{
    "devcontainer-instance", "container-instance", "devcontainer-file"};

/// A resource that is linked to a project, such as `{"devcontainer-file",
/// ".devcontainer/devcontainer.json"}`.
struct LinkedResource {
    std::string type{}; ///< one of `container_resource_types`, or a type that has no container
    std::string name{}; ///< what people call it

    friend bool operator==(LinkedResource const&, LinkedResource const&) = default;
};

/// What a project says about where its tools run, written with designated initialisers.
struct ContextConfig {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// Empty: the project leaves it to the system.
    std::optional<ExecutionEnvironment> execution_environment = {};

    std::vector<LinkedResource> linked_resources = {};

    friend bool operator==(ContextConfig const&, ContextConfig const&) = default;
};

/// What an environment is chosen by: what each level says, and what there is to run in.
struct EnvironmentRequest {
    DesignatedOnly designated_only = DesignatedOnly{};
    std::string tool_name = {};
    std::optional<ExecutionEnvironment> tool = {};    ///< the tool's own override
    std::optional<ExecutionEnvironment> plan = {};    ///< such as `--execution-environment container`
    std::optional<ExecutionEnvironment> project = {}; ///< `ContextConfig::execution_environment`
    std::vector<LinkedResource> linked_resources = {};

    friend bool operator==(EnvironmentRequest const&, EnvironmentRequest const&) = default;
};

/// Where a tool runs, and who said so.
struct EnvironmentDecision {
    ExecutionEnvironment environment = ExecutionEnvironment::host;
    EnvironmentLevel level = EnvironmentLevel::system;

    friend bool operator==(EnvironmentDecision const&, EnvironmentDecision const&) = default;
};

/// A container was asked for, and the project has none.
/// Source: container_tool_exec.feature, "container env resolver raises ContainerUnavailableError".
class ContainerUnavailableError : public std::runtime_error {
public:
    /// @param text what is missing. @param looked_for the types of resource that would have done.
    explicit ContainerUnavailableError(std::string const& text, std::vector<std::string> looked_for = {})
        : std::runtime_error{text}, looked_for_{std::move(looked_for)} {}

    std::vector<std::string> const& looked_for() const noexcept { return looked_for_; }

private:
    std::vector<std::string> looked_for_;
};

/// Chooses where a tool runs. Any callable is a model that takes an `EnvironmentRequest const&` and returns
/// an `EnvironmentDecision`, so a lambda is one.
///
/// It throws `ContainerUnavailableError` when a container is asked for and there is none. It is copyable and
/// may be called from several threads at once.
template <typename R>
concept EnvironmentResolver = std::copy_constructible<R> &&
    requires(R& resolver, EnvironmentRequest const& request) {
    { resolver(request) } -> std::same_as<EnvironmentDecision>;
};

/// The strongest level that says anything decides: the tool, the plan, the project, and then the system,
/// which says `host`. A container is only chosen when the project has a linked resource to get one from.
///
/// Stateless; thread safe.
/// Source: execution-environment.md, "Execution Environment Resolution".
class PriorityChainResolver {
public:
    /// Throws `ContainerUnavailableError` that tells what was looked for and what there is.
    EnvironmentDecision operator()(EnvironmentRequest const& request) const {
        auto const decision = first_word(request);
        auto const& linked = request.linked_resources;
        if (decision.environment == ExecutionEnvironment::container &&
            std::none_of(linked.begin(), linked.end(), has_container))
            throw unavailable(decision.level, request);
        return decision;
    }

private:
    static EnvironmentDecision first_word(EnvironmentRequest const& request) {
        if (request.tool) return {*request.tool, EnvironmentLevel::tool};
        if (request.plan) return {*request.plan, EnvironmentLevel::plan};
        if (request.project) return {*request.project, EnvironmentLevel::project};
        return {ExecutionEnvironment::host, EnvironmentLevel::system};
    }

    static bool has_container(LinkedResource const& resource) {
        auto const& types = container_resource_types;
        return std::find(types.begin(), types.end(), resource.type) != types.end();
    }

    static ContainerUnavailableError unavailable(EnvironmentLevel level, EnvironmentRequest const& request) {
        std::string text{
            "the " + std::string{to_string(level)} +
            " asks for a container, but no container resource is linked to the project: looked for "};
        for (auto const type : container_resource_types)
            text.append(type).append(type == container_resource_types.back() ? "; linked: " : ", ");
        text += request.linked_resources.empty() ? "nothing" : listed(request.linked_resources);
        return ContainerUnavailableError{text,
                                         {container_resource_types.begin(), container_resource_types.end()}};
    }

    static std::string listed(std::vector<LinkedResource> const& resources) {
        std::string text;
        for (auto const& resource : resources)
            text.append(text.empty() ? "" : ", ")
                .append(resource.type)
                .append(" ")
                .append(detail::shown_text(resource.name));
        return text;
    }
};

static_assert(EnvironmentResolver<PriorityChainResolver>);

} // namespace longshore::inline v0

#endif
