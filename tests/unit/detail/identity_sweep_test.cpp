// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/identity_sweep.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

using longshore::detail::kill_by_identity;
using longshore::detail::SystemFeatures;
using process_support::eventually;
using process_support::is_running;

namespace {

std::string unique_identity() {
    static int count = 0;
    return "test-" + std::to_string(::getpid()) + '-' + std::to_string(++count);
}

process_support::Job carrying(std::string const& identity, std::string script) {
    auto job = process_support::shell(std::move(script));
    job.environment.push_back("LONGSHORE_CALL=" + identity);
    return job;
}

std::vector<SystemFeatures> both_ways() {
    SystemFeatures without;
    without.pidfd = false;
    return {SystemFeatures{}, without};
}

// The first line that the program prints, as a process's number.
::pid_t announced_process(longshore::detail::ChildProcess& child) {
    std::string text;
    eventually([&] { return process_support::read_some(child.output, text) && text.back() == '\n'; });
    return std::stoi(text);
}

} // namespace

TEST_CASE("A process that left its group and session is killed by the identity that it carries") {
    for (auto const& features : both_ways()) {
        CAPTURE(features.pidfd);
        auto const identity = unique_identity();
        auto child =
            process_support::start(carrying(identity, "setsid sh -c 'echo $$; exec sleep 300' & wait"));
        auto const escaped = announced_process(child);
        child.kill_group();
        CHECK(process_support::wait_status(child) == -SIGKILL);
        CHECK(is_running(escaped));
        CHECK(kill_by_identity(identity, features) == std::optional{true});
        CHECK_FALSE(is_running(escaped));
    }
}

TEST_CASE("A sweep goes on until processes that keep starting others are gone") {
    auto const identity = unique_identity();
    auto child = process_support::start(carrying(
        identity, "for i in 1 2 3; do (while :; do sh -c 'sleep 300 & :'; done) & done; echo 1; wait"));
    announced_process(child);
    CHECK(eventually([&] { return kill_by_identity(identity) == std::optional{true}; }));
    CHECK(process_support::wait_status(child) == -SIGKILL);
    CHECK(kill_by_identity(identity) == std::optional{true});
}

TEST_CASE("Only the exact identity is killed") {
    auto const identity = unique_identity();
    std::vector<std::string> const others{
        "LONGSHORE_CALL=" + identity + "x",     "LONGSHORE_CALL=x" + identity,
        "XLONGSHORE_CALL=" + identity,          "OTHER=LONGSHORE_CALL=" + identity,
        "LONGSHORE_CALL=" + identity.substr(1), "LONGSHORE_CALL="};
    for (auto const& entry : others) {
        CAPTURE(entry);
        auto job = process_support::shell("echo $$; exec sleep 300");
        job.environment.push_back(entry);
        auto child = process_support::start(job);
        auto const process = announced_process(child);
        CHECK(kill_by_identity(identity) == std::optional{true});
        CHECK(is_running(process));
        CHECK_FALSE(child.try_reap().has_value());
    }
}

TEST_CASE("An identity is found at the first, a middle and the last place of a large environment") {
    std::string const large = "LARGE=" + std::string(100'000, 'x');
    for (std::size_t place = 0; place < 3; ++place) {
        CAPTURE(place);
        auto const identity = unique_identity();
        std::vector<std::string> environment{large, large};
        environment.insert(environment.begin() + static_cast<std::ptrdiff_t>(place),
                           "LONGSHORE_CALL=" + identity);
        auto child = process_support::start({.arguments = {"/bin/sleep", "300"}, .environment = environment});
        CHECK(kill_by_identity(identity) == std::optional{true});
        CHECK(process_support::wait_status(child) == -SIGKILL);
    }
}

TEST_CASE("A sweep never kills the process that sweeps") {
    // /proc shows the environment that a program was started with, so this test runs itself as a program that
    // carries the identity.
    if (auto const* identity = std::getenv("LONGSHORE_CALL")) {
        auto child = process_support::start(carrying(identity, "exec sleep 300"));
        CHECK(kill_by_identity(identity) == std::optional{true});
        CHECK(process_support::wait_status(child) == -SIGKILL);
        return;
    }
    process_support::Job job{.arguments = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                           "--test-case=A sweep never kills the process that sweeps"}};
    job.environment.push_back("LONGSHORE_CALL=" + unique_identity());
    auto const finished = process_support::run(job);
    CHECK_MESSAGE(finished.status == 0, finished.output);
    CHECK(finished.output.find("1 passed") != std::string::npos);
}

TEST_CASE("A sweep says so when processes cannot be listed") {
    CHECK(kill_by_identity("any", {}, "/does/not/exist") == std::nullopt);
    CHECK(kill_by_identity("any", {}, "/") == std::nullopt);
}
