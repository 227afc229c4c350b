// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/file_sync.hpp>

#include "sync_support.hpp"

#include <longshore/container/docker_cli.hpp>

#include <support/environment.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

using longshore::ContainerExecutionError;
using longshore::ContainerTimeoutError;
using longshore::ContainerToolExecutor;
using longshore::MockLauncher;
using longshore::SandboxEscape;
using longshore::SandboxEscapeError;
using longshore::SyncOptions;
using longshore::ValueError;
using namespace sync_support;
using namespace std::string_view_literals;

namespace {

// "a mock that succeeds on sync using a temp dir"
struct Mocked {
    support::TemporaryDirectory sandbox{};
    MockLauncher launcher{};
    ContainerConfig config{.container_id = "test-ctr", .host_sandbox_path = sandbox.path()};
    ContainerToolExecutor<MockLauncher> executor{config, launcher};

    Mocked() { launcher.holds("/workspace/output.txt", "built\n"); }

    auto sync(std::string_view path) {
        return [this, path] { return executor.sync_results_to_host(path); };
    }
    // A mock that says no file is there, but what happens.
    explicit Mocked(MockCall const& call) { launcher.then(call); }
};

} // namespace

SCENARIO("sync_results_to_host maps container path to host") {
    Mocked mocked;
    auto const path = mocked.executor.sync_results_to_host("/workspace/output.txt");
    CHECK(path == mocked.sandbox.path() + "/output.txt");
    CHECK(mocked.sandbox.read("output.txt") == "built\n");
}

SCENARIO("sync_results_to_host rejects path traversal attempts") {
    Mocked mocked;
    for (auto const path : {"/workspace/../../etc/passwd"sv, "/workspace/.."sv, "/etc/passwd"sv,
                            "/workspace-evil/x"sv, "/workspace.bak/x"sv, "/workspace2/output.txt"sv, "/"sv}) {
        CAPTURE(path);
        auto const error = error_of<SandboxEscapeError>(mocked.sync(path));
        REQUIRE(error);
        CHECK(error->reason() == SandboxEscape::traversal);
        CHECK(holds(error->what(), "path traversal"));
    }
    CHECK_THROWS_AS(mocked.sync("/workspace/../../etc/passwd")(), ContainerExecutionError);
    CHECK(mocked.launcher.runs() == 0);
    CHECK(names_in(mocked.sandbox.path()).empty());
}

SCENARIO("sync_results_to_host rejects null bytes in container_path") {
    Mocked mocked;
    auto const error = error_of<ValueError>(mocked.sync("/workspace/out\0put.txt"sv));
    REQUIRE(error);
    CHECK(holds(error->what(), "null"));
    CHECK(mocked.launcher.runs() == 0);
}

SCENARIO("sync_results_to_host rejects relative container_path") {
    Mocked mocked;
    for (auto const path : {"output.txt"sv, ""sv, "./output.txt"sv, "../output.txt"sv}) {
        auto const error = error_of<ValueError>(mocked.sync(path));
        REQUIRE(error);
        CHECK(holds(error->what(), "absolute"));
    }
    CHECK(mocked.launcher.runs() == 0);
}

SCENARIO("sync_results_to_host raises on timeout during file sync") {
    Mocked mocked{MockCall{}.times_out()};
    auto const error = error_of<ContainerTimeoutError>(
        [&] { mocked.executor.sync_results_to_host("/workspace/output.txt", {.timeout = 30}); });
    REQUIRE(error);
    CHECK(error->timeout_seconds() == 30.0);
    CHECK(error->timed_out());
    CHECK(names_in(mocked.sandbox.path()).empty());
}

SCENARIO("sync_results_to_host raises on non-zero exit during file sync") {
    Mocked mocked{MockCall{}.exits(3).prints_error("no such device\n")};
    auto const error = error_of<ContainerExecutionError>(mocked.sync("/workspace/output.txt"));
    REQUIRE(error);
    CHECK(error->exit_code() == 3);
    CHECK(error->standard_error() == "no such device");
    CHECK(error->what() == "Container execution failed (exit code 3): no such device"sv);
    CHECK(names_in(mocked.sandbox.path()).empty());
}

SCENARIO("sync_results_to_host raises on OSError during file write") {
    Mocked mocked;
    mocked.launcher.holds("/workspace/file/output.txt", "built\n");
    mocked.sandbox.write("file", "in the way");
    auto const error = error_of<ContainerExecutionError>(mocked.sync("/workspace/file/output.txt"));
    REQUIRE(error);
    CHECK(holds(error->what(), "Not a directory"));
    CHECK(mocked.sandbox.read("file") == "in the way");
}

TEST_CASE("a file that is fetched has mode 0600, its new parents 0700, and existing parents keep theirs") {
    Mocked mocked;
    mocked.launcher.holds("/workspace/old/new/deep/a", "a");
    ::chmod(mocked.sandbox.make("old").c_str(), 0755);
    CHECK(mocked.sync("/workspace/old/new/deep/a")() == mocked.sandbox.path() + "/old/new/deep/a");
    CHECK(mode_of(mocked.sandbox.path() + "/old") == 0755);
    CHECK(mode_of(mocked.sandbox.path() + "/old/new") == 0700);
    CHECK(mode_of(mocked.sandbox.path() + "/old/new/deep") == 0700);
    CHECK(mode_of(mocked.sandbox.path() + "/old/new/deep/a") == 0600);
}

TEST_CASE("a path to fetch is resolved as text, so that both sides mean the same") {
    Mocked mocked;
    CHECK(mocked.sync("/workspace/./sub/..//output.txt")() == mocked.sandbox.path() + "/output.txt");
    for (auto const path : {"/workspace"sv, "/workspace/"sv, "/workspace/output.txt/"sv, "/workspace/a/."sv,
                            "/workspace/a/b/.."sv})
        CHECK(holds(text_of(mocked.sync(path)), "must name a file, not a directory"));
}

TEST_CASE("a link in the path or in the place of the file on the host is refused") {
    Mocked mocked;
    support::TemporaryDirectory const outside;
    outside.write("secret", "secret");
    std::filesystem::create_symlink(outside.path(), mocked.sandbox.path() + "/link");
    std::filesystem::create_symlink(outside.path() + "/secret", mocked.sandbox.path() + "/output.txt");
    mocked.launcher.holds("/workspace/link/secret", "overwritten");
    for (auto const path : {"/workspace/link/secret"sv, "/workspace/output.txt"sv}) {
        auto const error = error_of<SandboxEscapeError>(mocked.sync(path));
        REQUIRE(error);
        CHECK(error->reason() == SandboxEscape::symbolic_link);
    }
    CHECK(outside.read("secret") == "secret");
    CHECK(names_in(outside.path()) == Names{"secret"});
}

TEST_CASE("a special file in the place of the file on the host is refused and never opened") {
    Mocked mocked;
    REQUIRE(::mkfifo((mocked.sandbox.path() + "/output.txt").c_str(), 0600) == 0);
    auto const error = error_of<SandboxEscapeError>(mocked.sync("/workspace/output.txt"));
    REQUIRE(error);
    CHECK(error->reason() == SandboxEscape::not_a_regular_file);
    CHECK(names_in(mocked.sandbox.path()) == Names{"output.txt"});
}

TEST_CASE("a hard link in the place of the file on the host keeps what it has elsewhere") {
    Mocked mocked;
    support::TemporaryDirectory const outside;
    std::filesystem::create_hard_link(outside.write("secret", "secret"),
                                      mocked.sandbox.path() + "/output.txt");
    CHECK_NOTHROW(mocked.sync("/workspace/output.txt")());
    CHECK(mocked.sandbox.read("output.txt") == "built\n");
    CHECK(outside.read("secret") == "secret");
}

TEST_CASE("a missing sandbox is made, and only for its user") {
    support::TemporaryDirectory const directory;
    MockLauncher launcher;
    launcher.holds("/workspace/a", "a");
    ContainerToolExecutor executor{
        ContainerConfig{.container_id = "4f5e", .host_sandbox_path = directory.path() + "/new"}, launcher};
    CHECK(executor.sync_results_to_host("/workspace/a") == directory.path() + "/new/a");
    CHECK(mode_of(directory.path() + "/new") == 0700);
}

TEST_CASE("a file of a mount whose host side is not in the sandbox is not fetched") {
    Mocked mocked;
    mocked.config.mounts = {{"/srv/cache", "/workspace/cache"}, {mocked.sandbox.path() + "/data", "/data"}};
    ContainerToolExecutor executor{mocked.config, mocked.launcher};
    mocked.launcher.holds("/workspace/cache/a", "a").holds("/data/b", "b");
    CHECK_THROWS_AS(executor.sync_results_to_host("/workspace/cache/a"), SandboxEscapeError);
    CHECK(executor.sync_results_to_host("/data/b") == mocked.sandbox.path() + "/data/b");
}

TEST_CASE("nothing is fetched without the guard") {
    Mocked mocked;
    mocked.config.guard = false;
    ContainerToolExecutor executor{mocked.config, mocked.launcher};
    CHECK_THROWS_AS(executor.sync_results_to_host("/workspace/output.txt"), ValueError);
    CHECK(mocked.launcher.runs() == 0);
}

TEST_CASE("a missing container CLI makes a fetch throw what to install") {
    support::ChangedEnvironment const no_binary{{{"PATH", "/nowhere"}}};
    support::TemporaryDirectory const sandbox;
    ContainerToolExecutor executor{
        ContainerConfig{.container_id = "4f5e", .host_sandbox_path = sandbox.path()}, longshore::DockerCli{}};
    auto const text = text_of([&] { executor.sync_results_to_host("/workspace/a"); });
    CHECK(holds(text, "'docker' was not found in PATH"));
    CHECK(holds(text, longshore::DockerCli{}.install_hint()));
}

TEST_CASE("what the system, the CLI or the container do to a fetch is an error of its kind") {
    struct Case {
        MockCall call;
        std::string_view text;
    };
    for (auto const& [call, text] :
         {Case{MockCall{}.fails_to_start(EAGAIN), "Resource temporarily unavailable"},
          {MockCall{}.cli_fails(1, "Dev container not found.\n"), "Dev container not found."},
          {MockCall{}.loses_tail(), "the end of the output is missing"},
          {MockCall{}.loses_container("gone"), "went away"},
          {MockCall{}.is_cancelled(), "was cancelled"},
          {MockCall{}, "the end of the container's answer is missing"},
          {MockCall{}.prints("a banner\n"), "the end of the container's answer is missing"},
          {MockCall{}.prints(std::string{"built\0", 6}), "cannot be trusted"}}) {
        Mocked mocked{call};
        auto const error = error_of<ContainerExecutionError>(mocked.sync("/workspace/output.txt"));
        REQUIRE(error);
        CAPTURE(error->what());
        CHECK(holds(error->what(), text));
        CHECK(mocked.launcher.runs() == 1);
        CHECK(names_in(mocked.sandbox.path()).empty());
    }
}

TEST_CASE("a fetch waits for its turn, and a stop ends the wait") {
    Mocked mocked;
    mocked.config.concurrency_limit = 1;
    ContainerToolExecutor executor{mocked.config, mocked.launcher};
    auto const permit = executor.execution().limit().acquire(std::stop_token{});
    std::stop_source source;
    source.request_stop();
    CHECK(holds(text_of([&] {
                    executor.sync_results_to_host("/workspace/output.txt",
                                                  {.stop_token = source.get_token()});
                }),
                "was cancelled"));
    CHECK(mocked.launcher.runs() == 0);
}

TEST_CASE("hooks hear of a fetch and of its failure, without secrets") {
    support::TemporaryDirectory const sandbox;
    MockLauncher launcher;
    launcher.holds("/workspace/hunter2.txt", "x");
    std::string heard;
    longshore::Hooks hooks;
    hooks.log = [&](longshore::LogLevel, std::string_view text) { heard.append(text).append("\n"); };
    hooks.span = [&](longshore::SpanStart const& start) {
        heard.append(start.operation).append(" ").append(start.tool_name).append("\n");
        return [&](longshore::SpanEnd const& end) { heard.append(to_string(end.failure_kind)).append("\n"); };
    };
    ContainerConfig config{.container_id = "4f5e", .host_sandbox_path = sandbox.path()};
    config.redact = {"hunter2"};
    ContainerToolExecutor executor{config, launcher, hooks};
    executor.sync_results_to_host("/workspace/hunter2.txt");
    CHECK(heard == "sync_results_to_host /workspace/[redacted].txt\nnone\n");
    heard.clear();
    auto const text = text_of([&] { executor.sync_results_to_host("/workspace/hunter2"); });
    CHECK(text == "'/workspace/[redacted]' does not exist in the container");
    CHECK(heard == "sync_results_to_host /workspace/[redacted]\n"
                   "sync_results_to_host of '/workspace/[redacted]': " +
                       text + "\ntool_failed\n");
}
