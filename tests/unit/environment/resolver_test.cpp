// SPDX-License-Identifier: BSL-1.0
#include <longshore/environment/resolver.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

using longshore::ContainerUnavailableError;
using longshore::EnvironmentDecision;
using longshore::EnvironmentLevel;
using longshore::EnvironmentRequest;
using longshore::ExecutionEnvironment;
using longshore::LinkedResource;

namespace {

constexpr auto host = ExecutionEnvironment::host;
constexpr auto container = ExecutionEnvironment::container;

EnvironmentDecision resolve(EnvironmentRequest request) {
    if (request.linked_resources.empty()) request.linked_resources = {{"container-instance", "c"}};
    return longshore::PriorityChainResolver{}(request);
}

std::string refusal(std::vector<LinkedResource> linked) {
    try {
        longshore::PriorityChainResolver{}({.plan = container, .linked_resources = std::move(linked)});
    } catch (ContainerUnavailableError const& error) {
        CHECK(error.looked_for() ==
              std::vector<std::string>{"devcontainer-instance", "container-instance", "devcontainer-file"});
        return error.what();
    }
    return "it was not refused";
}

} // namespace

TEST_CASE("the strongest level that says anything decides") {
    CHECK(resolve({}) == EnvironmentDecision{host, EnvironmentLevel::system});
    CHECK(resolve({.project = container}) == EnvironmentDecision{container, EnvironmentLevel::project});
    CHECK(resolve({.plan = host, .project = container}) == EnvironmentDecision{host, EnvironmentLevel::plan});
    CHECK(resolve({.tool = container, .plan = host, .project = host}) ==
          EnvironmentDecision{container, EnvironmentLevel::tool});
    CHECK(resolve({.tool = host, .plan = container, .project = container}) ==
          EnvironmentDecision{host, EnvironmentLevel::tool});
    CHECK(resolve({.tool = container, .project = host}) ==
          EnvironmentDecision{container, EnvironmentLevel::tool});
}

TEST_CASE("a container needs a linked resource that it can be had from") {
    for (auto const type : longshore::container_resource_types) {
        CAPTURE(type);
        CHECK(resolve({.plan = container,
                       .linked_resources = {{"git-checkout", "g"}, {std::string{type}, "r"}}}) ==
              EnvironmentDecision{container, EnvironmentLevel::plan});
    }
    CHECK(longshore::PriorityChainResolver{}({.plan = host}).environment == host);
}

TEST_CASE("without a container the error tells who asked, what was looked for and what there is") {
    CHECK(refusal({}) ==
          "the plan asks for a container, but no container resource is linked to the project: looked "
          "for devcontainer-instance, container-instance, devcontainer-file; linked: nothing");
    auto const text = refusal({{"git-checkout", "repo"}, {"Container-Instance", "c\n"}});
    CHECK(text.ends_with("; linked: git-checkout 'repo', Container-Instance 'c\\x0a'"));
}

TEST_CASE("each level has a name") {
    CHECK(to_string(EnvironmentLevel::tool) == "tool");
    CHECK(to_string(EnvironmentLevel::plan) == "plan");
    CHECK(to_string(EnvironmentLevel::project) == "project");
    CHECK(to_string(EnvironmentLevel::system) == "system");
}

TEST_CASE("a lambda is a resolver") {
    auto const always = [](EnvironmentRequest const&) { return EnvironmentDecision{}; };
    CHECK(longshore::EnvironmentResolver<decltype(always)>);
    auto const wrong = [](EnvironmentRequest const&) { return container; };
    CHECK_FALSE(longshore::EnvironmentResolver<decltype(wrong)>);
}
