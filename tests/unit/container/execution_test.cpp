// SPDX-License-Identifier: BSL-1.0
// The course of a call: its options, its turn, its clock, and who hears of it.
#include "executor_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <future>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

using longshore::FailureKind;
using longshore::Flow;
using longshore::LaunchRequest;
using longshore::MockCall;
using longshore::Stream;
using longshore::ValueError;
using support::mentions;
using support::MockedExecutor;
using namespace std::chrono_literals;

TEST_CASE("a call has the configuration's bounds unless it has its own") {
    auto config = MockedExecutor::standard();
    config.timeout_seconds = 7;
    config.no_output_timeout = 3;
    config.drain_grace = 10ms;
    config.kill_grace = 20ms;
    config.output_limit = 99;
    MockedExecutor mocked{config};
    mocked.run();
    auto const request = mocked.last_request();
    CHECK(request.timeout == longshore::Timeout{7});
    CHECK(request.no_output_timeout == longshore::Timeout{3});
    CHECK(request.drain_grace == 10ms);
    CHECK(request.kill_grace == 20ms);
    CHECK(request.output.keep == 99);
    CHECK(request.error.keep == 99);
    CHECK(request.guarded);
    mocked.run("lint", {.timeout = 1500ms, .no_output_timeout = 1s});
    CHECK(mocked.last_request().timeout == longshore::Timeout{1500ms});
    CHECK(mocked.last_request().no_output_timeout == longshore::Timeout{1});
    mocked.launcher.times_out();
    CHECK(mocked.run("lint", {.timeout = 1500ms}).error() == "Container execution timed out after 1.5s");
}

TEST_CASE("a tool's variables travel with the command and never on a command line") {
    MockedExecutor mocked;
    mocked.run("lint", {.environment = {{"TOKEN", "hunter2"}, {"EMPTY", ""}}});
    auto const request = mocked.last_request();
    CHECK(request.command.environment == std::vector<std::string>{"EMPTY=", "TOKEN=hunter2"});
    for (auto const& argument : request.transport.arguments)
        CHECK_FALSE(mentions(argument, "hunter2"));
    for (auto const& variable : request.transport.environment)
        CHECK_FALSE(mentions(variable, "hunter2"));
}

TEST_CASE("a tool's variable that no shell can export is refused, without showing its value") {
    MockedExecutor mocked;
    for (auto const* name : {"", "A=B", "1A", "A-B", "LONGSHORE_CALL"})
        try {
            mocked.run("lint", {.environment = {{name, "hunter2"}}});
            FAIL("nothing was thrown");
        } catch (ValueError const& error) {
            CHECK_FALSE(mentions(error.what(), "hunter2"));
        }
    CHECK(mocked.launcher.runs() == 0);
}

TEST_CASE("a working directory is a path of the host or of the container") {
    MockedExecutor mocked;
    mocked.run("lint", {.working_directory = "/tmp/sandbox/sub"});
    CHECK(mocked.last_request().command.working_directory == "/workspace/sub");
    mocked.run("lint", {.working_directory = "/workspace/sub"});
    CHECK(mocked.last_request().command.working_directory == "/workspace/sub");
    CHECK_THROWS_AS(mocked.run("lint", {.working_directory = "sub"}), ValueError);
    CHECK_THROWS_AS(mocked.run("lint", {.working_directory = std::string{"/a\0b", 4}}), ValueError);
    mocked.launcher.then(MockCall{}.misses_directory());
    CHECK(mentions(mocked.run("lint", {.working_directory = "/workspace/sub"}).error(),
                   "working_directory '/workspace/sub' does not exist in the container"));
}

TEST_CASE("on_output hears both streams while the tool runs, and the result holds them as well") {
    MockedExecutor mocked;
    mocked.launcher.then(MockCall{}.prints(R"({"a":1})").prints_error("warning"));
    std::string output;
    std::string error;
    auto const result = mocked.run("lint", {.on_output = [&](Stream stream, std::string_view bytes) {
                                       (stream == Stream::output ? output : error) += bytes;
                                       return Flow::go_on;
                                   }});
    CHECK(result.output().at("a") == 1);
    CHECK(output == R"({"a":1})");
    CHECK(error == "warning");
    CHECK(result.standard_error().bytes == "warning");
}

TEST_CASE("on_output that has enough cancels the call, and keeps what came") {
    MockedExecutor mocked;
    mocked.launcher.prints("step 1");
    auto const result =
        mocked.run("lint", {.on_output = [](Stream, std::string_view) { return Flow::stop; }});
    CHECK(result.failure_kind() == FailureKind::cancelled);
    CHECK(result.standard_output().bytes == "step 1");
}

TEST_CASE("what on_output throws leaves execute_tool as it is, even where it looks like a failed start") {
    MockedExecutor mocked;
    mocked.launcher.prints("step 1");
    auto const run_throwing = [&](auto error) {
        mocked.run("lint", {.on_output = [error](Stream, std::string_view) -> Flow { throw error; }});
    };
    CHECK_THROWS_AS(run_throwing(std::runtime_error{"enough"}), std::runtime_error);
    CHECK_THROWS_AS(run_throwing(std::system_error{ENOSPC, std::generic_category()}), std::system_error);
}

TEST_CASE("a call's time is the clock's, and its wait inside the launcher is told apart") {
    MockedExecutor mocked;
    mocked.launcher.then(MockCall{}.takes(10s, 2s).meanwhile(
        [clock = mocked.clock](LaunchRequest const&) { clock.advance(12s); }));
    auto const result = mocked.run();
    CHECK(result.container()->exec_time_ms() == 10000);
    CHECK(result.container()->queued_ms() == 2000);
    CHECK(result.duration_ms() == 12000);
}

TEST_CASE("a launcher that tells a longer wait than the clock saw makes no time negative") {
    MockedExecutor mocked;
    mocked.launcher.then(MockCall{}.takes(0s, 2s));
    auto const result = mocked.run();
    CHECK(result.container()->exec_time_ms() == 0);
    CHECK(result.container()->queued_ms() == 0);
}

TEST_CASE("a slow way into the container shows in exec_time_ms, and a deadline before its end is told") {
    MockedExecutor mocked;
    mocked.launcher.then(MockCall{}.prints("{}").meanwhile(
        [clock = mocked.clock](LaunchRequest const&) { clock.advance(10s); }));
    CHECK(mocked.run("lint", {.timeout = 30}).container()->exec_time_ms() == 10000);
    mocked.launcher.then(MockCall{}
                             .times_out(longshore::Reached::unknown)
                             .meanwhile([clock = mocked.clock](LaunchRequest const&) { clock.advance(5s); }));
    auto const late = mocked.run("lint", {.timeout = 5});
    CHECK(late.failure_kind() == FailureKind::engine_hang);
    CHECK(late.error() == "Container execution timed out after 5s");
    CHECK(late.container()->exec_time_ms() == 5000);
    CHECK(late.container()->timed_out());
}

TEST_CASE("calls beyond concurrency_limit wait for their turn, and the wait is no part of the run time") {
    auto config = MockedExecutor::standard();
    config.concurrency_limit = 1;
    MockedExecutor mocked{config};
    std::promise<void> first_runs;
    std::promise<void> first_may_end;
    mocked.launcher.when(
        [](LaunchRequest const& request) { return request.command.arguments.front() == "first"; },
        MockCall{}.meanwhile([&](LaunchRequest const&) {
            first_runs.set_value();
            first_may_end.get_future().wait();
        }));
    auto first = std::async(std::launch::async, [&] { return mocked.run("first"); });
    first_runs.get_future().wait();
    auto permit_when_free = std::async(std::launch::async, [&] { return mocked.run("second"); });
    CHECK(mocked.launcher.runs() == 1);
    first_may_end.set_value();
    CHECK(first.get());
    CHECK(permit_when_free.get());
    CHECK(mocked.launcher.runs() == 2);
}

TEST_CASE("the wait for a turn is told as queued_ms") {
    auto config = MockedExecutor::standard();
    config.concurrency_limit = 1;
    MockedExecutor mocked{config};
    auto& execution = mocked.executor.execution();
    longshore::ToolCall const call{.tool_name = "lint"};
    auto const entered = execution.now();
    mocked.clock.advance(3s);
    auto const started = execution.now();
    mocked.clock.advance(1s);
    auto const result = execution.finish(call, MockCall{}.play({}), {entered, started});
    CHECK(result.container()->queued_ms() == 3000);
    CHECK(result.container()->exec_time_ms() == 1000);
    CHECK(result.duration_ms() == 4000);
}

TEST_CASE("a call that is cancelled before its turn never starts") {
    auto config = MockedExecutor::standard();
    config.concurrency_limit = 1;
    MockedExecutor mocked{config};
    auto const taken = mocked.executor.execution().limit().acquire();
    std::stop_source stop;
    auto waiting =
        std::async(std::launch::async, [&] { return mocked.run("lint", {.stop_token = stop.get_token()}); });
    stop.request_stop();
    auto const result = waiting.get();
    CHECK(result.failure_kind() == FailureKind::cancelled);
    CHECK(mentions(result.hint(), "did not start"));
    CHECK(result.container()->exit_code() == -1);
    CHECK(mocked.launcher.runs() == 0);
}

TEST_CASE("hooks hear the start and the end of a call, and of failures, without secrets") {
    auto config = MockedExecutor::standard();
    config.redact = {"hunter2"};
    MockedExecutor mocked{config};
    mocked.run("lint");
    CHECK(mocked.spans == std::vector<std::string>{"start lint", "end none"});
    CHECK(mocked.logged.empty());
    mocked.launcher.exits(1, "the password is hunter2");
    auto const result = mocked.run("lint");
    CHECK(mocked.spans.back() == "end tool_failed");
    REQUIRE(mocked.logged.size() == 1);
    CHECK(mocked.logged.front() ==
          "error: tool 'lint': Container execution failed (exit code 1): the password is [redacted]");
    CHECK(result.error() == "Container execution failed (exit code 1): the password is [redacted]");
}

TEST_CASE("secrets are gone from metadata and from texts about inputs") {
    auto config = MockedExecutor::standard();
    config.image = "registry/hunter2/image";
    config.redact = {"hunter2"};
    MockedExecutor mocked{config};
    auto const result =
        mocked.executor.execute_tool("lint", {{"hunter2", std::numeric_limits<double>::infinity()}});
    CHECK(result.container()->image() == "registry/[redacted]/image");
    CHECK(mentions(result.error(), "'/[redacted]'"));
    CHECK_FALSE(mentions(longshore::BoostJson::serialize(result.metadata()), "hunter2"));
}

TEST_CASE("hooks that throw change nothing of a call") {
    longshore::ContainerToolExecutor executor{
        MockedExecutor::standard(), longshore::MockLauncher{}.exits(1, "oops"),
        longshore::Hooks{.log = [](auto, auto) { throw std::runtime_error{"disk full"}; }}};
    CHECK(executor.execute_tool("lint", {}).error() == "Container execution failed (exit code 1): oops");
}
