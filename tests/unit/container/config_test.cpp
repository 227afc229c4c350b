// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/config.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using longshore::ContainerConfig;
using longshore::ValueError;

namespace {

template <typename Config>
concept Positional = requires {
    Config{"/workspace", "id"};
};
static_assert(!Positional<ContainerConfig>);

// What a refused configuration says.
template <typename Make>
std::string refusal(Make make) {
    try {
        static_cast<void>(make());
    } catch (ValueError const& error) {
        return error.what();
    }
    return {};
}

bool mentions(std::string const& text, std::string const& word) {
    return text.find(word) != std::string::npos;
}

std::string with_null(std::string text) { return text + '\0' + "tail"; }

} // namespace

SCENARIO("ContainerConfig has sensible defaults") {
    ContainerConfig const config{};
    CHECK(config.workspace_folder == "/workspace");
    CHECK(config.timeout_seconds.seconds() == 120);
    CHECK(config.container_id.empty());
    CHECK(config.image.empty());
    CHECK(config.user.empty());
    CHECK(config.host_sandbox_path.empty());
    CHECK(longshore::sandbox_path(config) == "/tmp/sandbox");
    CHECK(config.output_limit == std::size_t{50} * 1024 * 1024);
    CHECK(config.concurrency_limit == std::size_t{0});
    CHECK_FALSE(config.no_output_timeout.has_value());
    CHECK(config.drain_grace.value() == 500ms);
    CHECK(config.kill_grace.value() == 1s);
    CHECK(config.guard);
    CHECK(config.mounts.empty());
    CHECK(config.forward_environment.empty());
    CHECK(config.tool_command.empty());
    CHECK(config.redact.empty());
}

SCENARIO("ContainerConfig rejects relative workspace_folder") {
    auto const text = refusal([] { return ContainerConfig{.workspace_folder = "relative/path"}; });
    CHECK(mentions(text, "absolute"));
    CHECK(mentions(text, "workspace_folder"));
    CHECK(mentions(text, "relative/path"));
}

SCENARIO("ContainerConfig rejects workspace_folder that normalises to root") {
    for (auto const* root : {"/.", "/", "//", "/./", "/.//./"}) {
        CAPTURE(root);
        CHECK(mentions(refusal([&] { return ContainerConfig{.workspace_folder = root}; }), "root"));
    }
}

SCENARIO("ContainerConfig rejects workspace_folder with dotdot traversal") {
    for (auto const* path : {"/workspace/../etc", "/..", "/../a", "/a/.."}) {
        CAPTURE(path);
        CHECK(mentions(refusal([&] { return ContainerConfig{.workspace_folder = path}; }), ".."));
    }
    CHECK(ContainerConfig{.workspace_folder = "/a..b/..c"}.workspace_folder == "/a..b/..c");
}

TEST_CASE("ContainerConfig takes all its fields by name") {
    ContainerConfig const config{.workspace_folder = "/work",
                                 .container_id = "4f5e",
                                 .image = "ghcr.io/org/image:latest",
                                 .user = "1000:1000",
                                 .timeout_seconds = 1500ms,
                                 .host_sandbox_path = "/srv/sandbox, with 'quotes'",
                                 .mounts = {{"/srv/data", "/data"}},
                                 .forward_environment = {"DOCKER_HOST"},
                                 .tool_command = {"/usr/bin/env", "-S"},
                                 .output_limit = 1,
                                 .concurrency_limit = 4,
                                 .no_output_timeout = 5s,
                                 .drain_grace = 0s,
                                 .kill_grace = 2s,
                                 .guard = false,
                                 .redact = {"secret"},
                                 .path_mapping = {.map_keys = true}};
    CHECK(config.timeout_seconds.value() == 1500ms);
    CHECK(config.mounts.values().front().container == "/data");
    CHECK(config.no_output_timeout->value() == 5s);
    CHECK(longshore::sandbox_path(config) == "/srv/sandbox, with 'quotes'");
}

TEST_CASE("ContainerConfig checks each field again when it is assigned later") {
    ContainerConfig config{.container_id = "4f5e"};
    CHECK_THROWS_AS(config.workspace_folder = "relative", ValueError);
    CHECK_THROWS_AS(config.container_id = "--privileged", ValueError);
    CHECK_THROWS_AS(config.timeout_seconds = 0, ValueError);
    CHECK_THROWS_AS(config.output_limit = 0, ValueError);
    CHECK_THROWS_AS(config.concurrency_limit = -1, ValueError);
    CHECK_THROWS_AS((config.forward_environment = {"A=b"}), ValueError);
    CHECK_THROWS_AS((config.mounts = {{"relative", "/data"}}), ValueError);
    CHECK(config.container_id == "4f5e");
    CHECK(config.workspace_folder == "/workspace");
}

TEST_CASE("ContainerConfig refuses null bytes in every field of text") {
    CHECK(mentions(refusal([] { return ContainerConfig{.workspace_folder = with_null("/w")}; }), "null"));
    CHECK(mentions(refusal([] { return ContainerConfig{.container_id = with_null("c")}; }), "null"));
    CHECK(mentions(refusal([] { return ContainerConfig{.image = with_null("i")}; }), "null"));
    CHECK(mentions(refusal([] { return ContainerConfig{.user = with_null("u")}; }), "null"));
    CHECK(mentions(refusal([] { return ContainerConfig{.host_sandbox_path = with_null("/h")}; }), "null"));
    CHECK(mentions(refusal([] { return ContainerConfig{.tool_command = {with_null("t")}}; }), "null"));
    CHECK(mentions(refusal([] { return ContainerConfig{.forward_environment = {with_null("E")}}; }), "null"));
    CHECK(mentions(refusal([] { return ContainerConfig{.mounts = {{with_null("/a"), "/b"}}}; }), "null"));
}

TEST_CASE("ContainerConfig refuses values that would be options or several arguments of a command line") {
    for (auto const* value : {"-v", "--privileged", "a b", "a\tb", "a\nb", "a\x7f"}) {
        CAPTURE(value);
        CHECK(mentions(refusal([&] { return ContainerConfig{.container_id = value}; }), "container_id"));
        CHECK(mentions(refusal([&] { return ContainerConfig{.image = value}; }), "image"));
        CHECK(mentions(refusal([&] { return ContainerConfig{.user = value}; }), "user"));
    }
    CHECK(
        mentions(refusal([] { return ContainerConfig{.container_id = "--privileged"}; }), "'--privileged'"));
    CHECK(mentions(refusal([] { return ContainerConfig{.image = "a\nb"}; }), "'a\\x0ab'"));
}

TEST_CASE("ContainerConfig refuses a sandbox that is relative or the root") {
    CHECK(mentions(refusal([] { return ContainerConfig{.host_sandbox_path = "sandbox"}; }), "absolute"));
    CHECK(mentions(refusal([] { return ContainerConfig{.host_sandbox_path = "/a/.."}; }), "root"));
}

TEST_CASE("ContainerConfig refuses names and arguments that cannot be, and never shows a secret") {
    CHECK_FALSE(refusal([] { return ContainerConfig{.forward_environment = {""}}; }).empty());
    CHECK_FALSE(refusal([] { return ContainerConfig{.forward_environment = {"A B"}}; }).empty());
    auto const assignment = refusal([] { return ContainerConfig{.forward_environment = {"TOKEN=hunter2"}}; });
    CHECK(mentions(assignment, "'TOKEN'"));
    CHECK_FALSE(mentions(assignment, "hunter2"));
    CHECK_FALSE(refusal([] { return ContainerConfig{.tool_command = {"", "a"}}; }).empty());
    CHECK(ContainerConfig{.tool_command = {"a", ""}}.tool_command.size() == 2);
    CHECK_FALSE(mentions(refusal([] { return ContainerConfig{.redact = {"hunter2", ""}}; }), "hunter2"));
    CHECK_FALSE(refusal([] { return ContainerConfig{.redact = {""}}; }).empty());
    CHECK_FALSE(refusal([] { return ContainerConfig{.timeout_seconds = -1}; }).empty());
    CHECK_FALSE(refusal([] { return ContainerConfig{.kill_grace = -1ms}; }).empty());
}
