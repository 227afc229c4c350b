// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/bubblewrap_cli.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using longshore::BubblewrapCli;
using longshore::ContainerConfig;
using longshore::FailureKind;
using longshore::ValueError;

namespace {

using Arguments = std::vector<std::string>;

// Where a run of arguments stands; the end of the arguments when it does not.
std::ptrdiff_t place(Arguments const& arguments, Arguments const& run) {
    return std::search(arguments.begin(), arguments.end(), run.begin(), run.end()) - arguments.begin();
}

bool holds(Arguments const& arguments, Arguments const& run) {
    return place(arguments, run) != static_cast<std::ptrdiff_t>(arguments.size());
}

ContainerConfig sandbox() { return {.host_sandbox_path = "/srv/a, b's"}; }

FailureKind kind_of(std::string noise) {
    auto const failure = BubblewrapCli{}.explain({.transport_exit = 1, .transport_noise = std::move(noise)});
    return failure ? failure->kind : FailureKind::none;
}

} // namespace

TEST_CASE("BubblewrapCli takes away namespaces and capabilities, and binds the sandbox as the workspace") {
    auto const arguments = BubblewrapCli{}.target_arguments(sandbox());
    CHECK(place(arguments, {"--unshare-all", "--cap-drop", "ALL"}) == 0);
    CHECK(holds(arguments, {"--ro-bind", "/usr", "/usr"}));
    CHECK(holds(arguments, {"--proc", "/proc"}));
    CHECK(holds(arguments, {"--dev", "/dev"}));
    CHECK(holds(arguments, {"--tmpfs", "/tmp"}));
    CHECK(holds(arguments, {"--bind", "/srv/a, b's", "/workspace"}));
    CHECK(holds(arguments, {"--chdir", "/workspace", "--"}));
    CHECK(arguments.back() == "--");
    CHECK_FALSE(holds(arguments, {"--share-net"}));
}

TEST_CASE("BubblewrapCli never binds all of /etc, nor anything with secrets in it") {
    for (auto const& cli : {BubblewrapCli{}, BubblewrapCli{{.network = true}}}) {
        auto const arguments = cli.target_arguments(sandbox());
        for (auto const* path : {"/etc", "/etc/", "/etc/shadow", "/etc/ssl", "/root", "/home", "/var", "/"})
            for (auto const* option : {"--bind", "--ro-bind", "--ro-bind-try"})
                CHECK_FALSE(holds(arguments, {option, path}));
    }
}

TEST_CASE("BubblewrapCli ties the sandbox to its parent only where no guard watches it") {
    auto config = sandbox();
    CHECK_FALSE(holds(BubblewrapCli{}.target_arguments(config), {"--die-with-parent"}));
    CHECK_FALSE(holds(BubblewrapCli{}.target_arguments(config), {"--new-session"}));
    config.guard = false;
    CHECK(holds(BubblewrapCli{}.target_arguments(config), {"--new-session", "--die-with-parent"}));
}

TEST_CASE("BubblewrapCli binds outer folders before those inside them, whatever their order") {
    auto config = sandbox();
    config.workspace_folder = "/data/deep/workspace";
    config.mounts = {{"/srv/data", "/data"}};
    BubblewrapCli const cli{{.read_only = {{"/opt/tools", "/data/deep"}}}};
    auto const arguments = cli.target_arguments(config);
    auto const outer = place(arguments, {"--bind", "/srv/data", "/data"});
    auto const middle = place(arguments, {"--ro-bind", "/opt/tools", "/data/deep"});
    auto const inner = place(arguments, {"--bind", "/srv/a, b's", "/data/deep/workspace"});
    CHECK(place(arguments, {"--tmpfs", "/tmp"}) < outer);
    CHECK(outer < middle);
    CHECK(middle < inner);
    CHECK(inner < place(arguments, {"--remount-ro", "/"}));
}

TEST_CASE("BubblewrapCli gives the network only when asked, with what names need") {
    auto const arguments = BubblewrapCli{{.network = true}}.target_arguments(sandbox());
    CHECK(holds(arguments, {"--share-net"}));
    CHECK(holds(arguments, {"--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"}));
    CHECK(place(arguments, {"--unshare-all"}) < place(arguments, {"--share-net"}));
}

TEST_CASE("BubblewrapCli refuses what a sandbox does not have") {
    CHECK_THROWS_AS(BubblewrapCli{}.target_arguments({}), ValueError);
    auto config = sandbox();
    config.container_id = "4f5e";
    CHECK_THROWS_AS(BubblewrapCli{}.target_arguments(config), ValueError);
    config = sandbox();
    config.user = "me";
    CHECK_THROWS_AS(BubblewrapCli{}.target_arguments(config), ValueError);
}

TEST_CASE("BubblewrapCli tells a sandbox that cannot be from a missing shell") {
    CHECK(kind_of("bwrap: Can't find source path /srv: No such file or directory") ==
          FailureKind::container_unavailable);
    CHECK(kind_of("bwrap: No permissions to create new namespace, likely because the kernel does not allow "
                  "non-privileged user namespaces.") == FailureKind::container_unavailable);
    CHECK(kind_of("bwrap: setting up uid map: Permission denied") == FailureKind::container_unavailable);
    CHECK(kind_of("bwrap: execvp sh: No such file or directory") == FailureKind::tool_not_found);
    CHECK(kind_of("bwrap: Unknown option --new") == FailureKind::none);
}

TEST_CASE("BubblewrapCli is looked up by name or taken by path") {
    CHECK(BubblewrapCli{}.binary() == "bwrap");
    BubblewrapCli const cli{{.binary = "/opt/bwrap", .version = "0.8.0"}};
    CHECK(cli.binary() == "/opt/bwrap");
    CHECK(longshore::cli_version(cli) == "0.8.0");
    CHECK_FALSE(longshore::install_hint(cli).empty());
}
