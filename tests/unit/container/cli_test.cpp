// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/cli.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

// A model in its shortest form, as a user would write it.
struct SshCli {
    std::string host;
    std::string binary() const { return "ssh"; }
    std::vector<std::string> target_arguments(longshore::ContainerConfig const&) const { return {host}; }
    std::vector<std::string> environment_names() const { return {"SSH_AUTH_SOCK"}; }
    std::optional<longshore::Failure> explain(longshore::LaunchOutcome const&) const { return {}; }
};
static_assert(longshore::ContainerCli<SshCli>);

struct TalkativeCli : SshCli {
    std::string_view install_hint() const { return "install it"; }
    std::string version() const { return "9.2"; }
    bool rewrites(std::string_view argument) const { return argument == "x"; }
};

} // namespace

TEST_CASE("what a CLI's model does not say is empty, and what it says is used") {
    CHECK(longshore::install_hint(SshCli{}).empty());
    CHECK(longshore::cli_version(SshCli{}).empty());
    CHECK_FALSE(longshore::rewrites(SshCli{}, "x"));
    CHECK(longshore::install_hint(TalkativeCli{}) == "install it");
    CHECK(longshore::cli_version(TalkativeCli{}) == "9.2");
    CHECK(longshore::rewrites(TalkativeCli{}, "x"));
    CHECK_FALSE(longshore::rewrites(TalkativeCli{}, "y"));
}
