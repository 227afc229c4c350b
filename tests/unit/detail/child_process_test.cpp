// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/child_process.hpp>

#include <longshore/config.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

using longshore::detail::ExitStatus;
using namespace process_support;

static_assert(!std::is_copy_constructible_v<ChildProcess> &&
              std::is_nothrow_move_constructible_v<ChildProcess>);

namespace {

// A number on a line of its own.
::pid_t read_process(longshore::detail::FileDescriptor& from) {
    std::string text;
    eventually([&] { return read_some(from, text) && text.back() == '\n'; });
    return std::stoi(text);
}

bool ends(::pid_t process) {
    return eventually([&] { return !is_running(process); });
}

} // namespace

TEST_CASE("The exit status is the program's own") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        for (auto const status : {0, 1, 7, 126, 127, 137, 255})
            CHECK(run(shell("exit " + std::to_string(status)), way.features).status == status);
        for (auto const signal : {SIGTERM, SIGKILL, SIGABRT, SIGPIPE})
            CHECK(run(shell("kill -" + std::to_string(signal) + " $$"), way.features).status == -signal);
    }
}

TEST_CASE("A running program has no exit status, and an ended one keeps its own") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(shell("read line; exit 7"), way.features);
        CHECK(child.try_reap() == std::nullopt);
        CHECK(child.process() > 0);
        child.input.reset();
        CHECK(wait_status(child) == 7);
        CHECK(child.try_reap() == std::optional{ExitStatus{7}});
        CHECK(child.exit_descriptor() == -1);
        CHECK(child.process() == -1);
        child.kill_group();
        CHECK_FALSE(has_children());
    }
}

TEST_CASE("The exit descriptor becomes readable at the end and not before") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(shell("read line"), way.features);
        auto const has_pidfd = LONGSHORE_LINUX && (way.features.pidfd || way.features.pidfd_at_start);
        CHECK((child.exit_descriptor() >= 0) == has_pidfd);
        if (child.exit_descriptor() < 0) continue;
        CHECK((::fcntl(child.exit_descriptor(), F_GETFD) & FD_CLOEXEC) != 0);
        ::pollfd entry{child.exit_descriptor(), POLLIN, 0};
        CHECK(::poll(&entry, 1, 0) == 0);
        child.input.reset();
        CHECK(::poll(&entry, 1, 30'000) == 1);
        CHECK(child.try_reap().has_value());
    }
}

TEST_CASE("Our ends of the pipes are non-blocking and close-on-exec, and the program's ends block") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(shell("for n in 0 1 2; do grep flags /proc/$$/fdinfo/$n; done"), way.features);
        for (auto const* end : {&child.input, &child.output, &child.error}) {
            CHECK((::fcntl(end->get(), F_GETFL) & O_NONBLOCK) != 0);
            CHECK((::fcntl(end->get(), F_GETFD) & FD_CLOEXEC) != 0);
        }
        CHECK(finish(std::move(child)).output == "flags:\t00\nflags:\t01\nflags:\t01\n");
    }
}

TEST_CASE("The head of the input is in the pipe before the program starts") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto job = shell("cat");
        job.input = std::string{"bytes\0and more", 14};
        auto child = start(job, way.features);
        CHECK(child.input_written == job.input.size());
        CHECK(finish(std::move(child)).output == job.input);

        job.input.assign(std::size_t{1} << 20, 'x');
        auto large = start(job, way.features);
        CHECK(large.input_written > 0);
        CHECK(large.input_written < job.input.size());
        auto const written = large.input_written;
        CHECK(finish(std::move(large)).output.size() == written);
    }
}

TEST_CASE("What a program leaves behind in its group is killed before its leader is reaped") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(shell("sleep 300 & echo $!; exit 7"), way.features);
        auto const left_behind = read_process(child.output);
        CHECK(wait_status(child) == 7);
        CHECK(ends(left_behind));
    }
}

TEST_CASE("Killing the group ends the program and its children") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(shell("trap '' TERM INT HUP; sleep 300 & echo $!; wait"), way.features);
        auto const grandchild = read_process(child.output);
        child.kill_group();
        CHECK(wait_status(child) == -SIGKILL);
        CHECK(ends(grandchild));
    }
}

TEST_CASE("A leader that moved to another group is killed all the same") {
    // This test runs itself as the leader. Its parent is in its session, so it may join the parent's group.
    if (std::getenv("LONGSHORE_TEST_LEAVE_GROUP") != nullptr) {
        ::setpgid(0, ::getpgid(::getppid()));
        auto const group = std::to_string(::getpgrp()) + '\n';
        CHECK(::write(STDERR_FILENO, group.data(), group.size()) > 0);
        ::poll(nullptr, 0, -1);
    }
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child =
            start({.arguments = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                 "--test-case=A leader that moved to another group is killed all the same"},
                   .environment = {"LONGSHORE_TEST_LEAVE_GROUP=1"}},
                  way.features);
        CHECK(read_process(child.error) == ::getpgrp());
        child.kill_group();
        CHECK(wait_status(child) == -SIGKILL);
    }
}

TEST_CASE("A child process that goes out of scope leaves nothing behind") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto const before = count_open_descriptors();
        ::pid_t grandchild = 0;
        {
            auto child = start(shell("sleep 300 & echo $!; wait"), way.features);
            grandchild = read_process(child.output);
        }
        CHECK(ends(grandchild));
        CHECK_FALSE(has_children());
        CHECK(count_open_descriptors() == before);
    }
}

TEST_CASE("A moved child process has one owner, and assignment ends what was held") {
    auto first = start(shell("read line; exit 7"));
    auto const process = first.process();
    ChildProcess second{std::move(first)};
    CHECK(first.process() == -1);
    CHECK(first.try_reap() == std::nullopt);
    CHECK(second.process() == process);

    auto third = start(shell("sleep 300"));
    auto const replaced = third.process();
    third = std::move(second);
    CHECK_FALSE(is_running(replaced));
    auto& same = third;
    third = std::move(same);
    CHECK(third.process() == process);
    third.input.reset();
    CHECK(wait_status(third) == 7);
    CHECK_FALSE(has_children());
}

TEST_CASE("The status is lost and never invented when the host ignores SIGCHLD") {
    Disposition const ignored{SIGCHLD, SIG_IGN};
    for (auto const& way : every_way())
        for (auto const* script : {"exit 7", "exit 0", "kill -9 $$"}) {
            CAPTURE(way.name);
            auto child = start(shell(script), way.features);
            CHECK(eventually([&] { return child.try_reap(); }) == std::optional{ExitStatus{std::nullopt}});
        }
}

TEST_CASE("A program that is killed while the host ignores SIGCHLD is gone with its children") {
    Disposition const ignored{SIGCHLD, SIG_IGN};
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(shell("sleep 300 & echo $!; wait"), way.features);
        auto const grandchild = read_process(child.output);
        child.kill_group();
        CHECK(eventually([&] { return child.try_reap(); }) == std::optional{ExitStatus{std::nullopt}});
        CHECK(ends(grandchild));
    }
}

TEST_CASE("The status is lost and never invented when another thread reaps every child") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto child = start(shell("exit 7"), way.features);
        ::pid_t taken = 0;
        std::thread{[&taken] { taken = ::waitpid(-1, nullptr, 0); }}.join();
        CHECK(taken == child.process());
        CHECK(child.try_reap() == std::optional{ExitStatus{std::nullopt}});
    }
}

TEST_CASE("A race with another reaper yields the true status or none") {
    for (int turn = 0; turn < 50; ++turn) {
        auto child = start(shell("exit 7"));
        std::thread thief{[] { ::waitpid(-1, nullptr, 0); }};
        auto const status = wait_status(child);
        CHECK((status == 7 || status == -999));
        auto last = status == 7 ? ::fork() : -1; // gives a thief that came too late something to take
        if (last == 0) ::_exit(0);
        thief.join();
        while (::waitpid(-1, nullptr, 0) > 0) {
        }
    }
}

TEST_CASE("Failures to start are reported when the host ignores SIGCHLD") {
    Disposition const ignored{SIGCHLD, SIG_IGN};
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        try {
            start({.arguments = {"/does/not/exist"}}, way.features);
            FAIL("it started");
        } catch (std::system_error const& failure) {
            CHECK(failure.code().value() == ENOENT);
        }
    }
}

TEST_CASE("A thread that is cancelled leaves no process behind") {
    auto const body = [](void*) -> void* {
        ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
        ::pthread_cancel(::pthread_self());
        auto job = shell("sleep 300");
        job.input = "input";
        ::pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
        auto const child = start(job);
        ::pthread_testcancel();
        return nullptr;
    };
    ::pthread_t thread{};
    REQUIRE(::pthread_create(&thread, nullptr, body, nullptr) == 0);
    void* result = nullptr;
    ::pthread_join(thread, &result);
    CHECK(result == PTHREAD_CANCELED);
    CHECK_FALSE(has_children());
}
