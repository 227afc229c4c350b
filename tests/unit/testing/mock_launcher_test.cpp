// SPDX-License-Identifier: BSL-1.0
#include <longshore/testing/mock_launcher.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

using longshore::LaunchRequest;
using longshore::MockCall;
using longshore::MockLauncher;

namespace {

LaunchRequest request_for(std::string tool) {
    LaunchRequest request;
    request.command.arguments = {std::move(tool)};
    return request;
}

} // namespace

TEST_CASE("a mock launcher plays its calls in order, and the last one stays") {
    MockLauncher launcher;
    launcher.prints("one").prints("two", 2);
    CHECK(launcher.run({}).output.bytes == "one");
    CHECK(launcher.run({}).output.bytes == "two");
    CHECK(launcher.run({}).command_exit == 2);
    launcher.prints("three");
    CHECK(launcher.run({}).output.bytes == "three");
    CHECK(launcher.runs() == 4);
}

TEST_CASE("a mock launcher without a script plays tools that print nothing and end well") {
    MockLauncher launcher;
    CHECK(launcher.run({}).exit_code() == 0);
}

TEST_CASE("a mock launcher's rules come before its calls, the latest first, and do not use them up") {
    MockLauncher launcher;
    auto const is_lint = [](LaunchRequest const& request) {
        return !request.command.arguments.empty() && request.command.arguments.front() == "lint";
    };
    launcher.prints("other").when(is_lint, MockCall{}.prints("linted"));
    CHECK(launcher.run(request_for("lint")).output.bytes == "linted");
    CHECK(launcher.run(request_for("lint")).output.bytes == "linted");
    CHECK(launcher.run(request_for("count")).output.bytes == "other");
    launcher.when(is_lint, MockCall{}.prints("linted again"));
    CHECK(launcher.run(request_for("lint")).output.bytes == "linted again");
}

TEST_CASE("copies of a mock launcher share script and memory") {
    MockLauncher const kept;
    auto inside = kept;
    MockLauncher{kept}.prints("shared");
    CHECK(inside.run(request_for("lint")).output.bytes == "shared");
    REQUIRE(kept.runs() == 1);
    CHECK(kept.requests().front().command.arguments.front() == "lint");
}

TEST_CASE("a mock launcher's shorthands are what their names say") {
    MockLauncher launcher;
    launcher.exits(3, "oops")
        .times_out("step 1")
        .killed_by_signal(11)
        .killed_on_host(9)
        .cli_fails(1, "noise")
        .fails_to_start(ENOENT);
    auto const failed = launcher.run({});
    CHECK(failed.command_exit == 3);
    CHECK(failed.error.bytes == "oops");
    auto const late = launcher.run({});
    CHECK(late.ended == longshore::Ended::timed_out);
    CHECK(late.output.bytes == "step 1");
    CHECK(launcher.run({}).command_exit == 139);
    CHECK(launcher.run({}).transport_exit == -9);
    CHECK(launcher.run({}).transport_noise == "noise");
    CHECK_THROWS_AS(launcher.run({}), std::system_error);
    CHECK(launcher.runs() == 6);
}

TEST_CASE("a mock launcher may be run from several threads at once") {
    MockLauncher launcher;
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([launcher]() mutable {
            for (int round = 0; round < 50; ++round)
                launcher.run({});
        });
    threads.clear();
    CHECK(launcher.runs() == 200);
}
