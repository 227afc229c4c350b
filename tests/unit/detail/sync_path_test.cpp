// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/sync_path.hpp>

#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <sys/stat.h>

using longshore::ContainerConfig;
using longshore::Mount;
using longshore::PathMapper;
using longshore::SandboxEscape;
using longshore::SandboxEscapeError;
using longshore::ValueError;
using longshore::detail::open_sandbox;
using longshore::detail::sent_file_path;
using longshore::detail::sent_file_target;
using longshore::detail::sync_file_path;
using longshore::detail::sync_path;
using namespace std::string_view_literals;

namespace {

PathMapper mapper() {
    return PathMapper{{Mount{"/tmp/sandbox", "/workspace"}, Mount{"/srv/cache", "/workspace/cache"}}};
}

} // namespace

TEST_CASE("a path in the container is resolved, and placed in the sandbox") {
    auto const path = sync_file_path(mapper(), "/workspace//a/./b/../c");
    CHECK(path.container == "/workspace/a/c");
    CHECK(path.host == "/tmp/sandbox/a/c");
    CHECK(path.relative == "a/c");
    CHECK(sync_path(mapper(), "/workspace/").relative == ".");
}

TEST_CASE("a path that is not below the sandbox is a traversal, decided by component") {
    for (auto const path : {"/workspace2/x"sv, "/workspace-evil"sv, "/workspace/../x"sv, "/"sv,
                            "/tmp/sandbox/x"sv, "/workspace/cache/x"sv, "/srv/cache/x"sv}) {
        CAPTURE(path);
        CHECK_THROWS_AS(sync_path(mapper(), path), SandboxEscapeError);
    }
}

TEST_CASE("a file's path names a file, and no temporary") {
    for (auto const path : {"/workspace"sv, "/workspace/a/"sv, "/workspace/a/.."sv, "/workspace/a/."sv,
                            "/workspace/.longshore-0123456789abcdef.part"sv, "a"sv, "/workspace/a\0b"sv})
        CHECK_THROWS_AS(sync_file_path(mapper(), path), ValueError);
    CHECK_THROWS_AS(sync_file_path(mapper(), "/workspace/" + std::string(256, 'a')), std::system_error);
}

TEST_CASE("what is sent stands in the sandbox, and goes to where the container shares something") {
    CHECK(sent_file_path(mapper(), "/tmp/sandbox/./a/b") == "a/b");
    for (auto const path :
         {"/tmp/sandbox-evil/a"sv, "/tmp/sandbox/../a"sv, "/etc/passwd"sv, "/srv/cache/a"sv})
        CHECK_THROWS_AS(sent_file_path(mapper(), path), SandboxEscapeError);
    CHECK_THROWS_AS(sent_file_path(mapper(), "a"), ValueError);
    CHECK_THROWS_AS(sent_file_path(mapper(), "/tmp/sandbox/a/"), ValueError);
    CHECK(sent_file_target(mapper(), "/workspace/a/../b") == "/workspace/b");
    CHECK(sent_file_target(mapper(), "/workspace/cache/b") == "/workspace/cache/b");
    for (auto const path : {"/etc/passwd"sv, "/workspace/../etc/passwd"sv, "/workspace2/a"sv})
        CHECK_THROWS_AS(sent_file_target(mapper(), path), SandboxEscapeError);
    CHECK_THROWS_AS(sent_file_target(mapper(), "/workspace/\0"sv), ValueError);
    CHECK_THROWS_AS(sent_file_target(mapper(), "/workspace/a/"), ValueError);
}

TEST_CASE("the default sandbox is refused when it is a link or open to others, one that was chosen is not") {
    support::TemporaryDirectory const directory;
    std::filesystem::create_directory_symlink(directory.make("real"), directory.path() + "/link");
    ::chmod(directory.make("open").c_str(), 0777);
    ContainerConfig const by_default;
    for (std::string const name : {"/link", "/open"}) {
        auto const path = directory.path() + name;
        PathMapper const to{path, "/workspace"};
        try {
            open_sandbox(by_default, to, {});
            FAIL("it was trusted");
        } catch (SandboxEscapeError const& error) {
            CHECK(error.reason() == SandboxEscape::untrusted_root);
        }
        CHECK_NOTHROW(open_sandbox({.host_sandbox_path = path}, to, {}));
    }
    PathMapper const missing{directory.path() + "/new", "/workspace"};
    CHECK_THROWS_AS(open_sandbox(by_default, missing, {}), std::system_error);
    CHECK_NOTHROW(open_sandbox(by_default, missing, {.create_root = true}));
    CHECK(PathMapper{longshore::sandbox_path(by_default), "/workspace"}.host_root() == "/tmp/sandbox");
}
