// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/start_child.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace process_support;

namespace {

struct Refusal {
    int error = 0;
    std::string text{};
};

Refusal refusal_of(Job const& job, SystemFeatures const& features = {}) {
    try {
        auto const child = start(job, features);
        return {};
    } catch (std::system_error const& failure) {
        return {failure.code().value(), failure.what()};
    }
}

bool names(Refusal const& refusal, std::string_view what) {
    return refusal.text.find(what) != std::string::npos;
}

::pid_t host = 0;
int report = -1;

// It tells through a pipe, because a child may share the host's memory or have a copy.
void report_a_stranger(int) {
    if (::getpid() != host) [[maybe_unused]]
        auto const sent = ::write(report, "x", 1);
}

} // namespace

TEST_CASE("A start that fails says why and names the program") {
    struct Case {
        std::string program;
        int error;
    };
    for (auto const& way : every_way())
        for (auto const& failure : std::vector<Case>{{"/does/not/exist", ENOENT},
                                                     {"/etc/passwd", EACCES}, // not executable
                                                     {"/tmp", EACCES},        // a directory
                                                     {"/etc/passwd/x", ENOTDIR}}) {
            CAPTURE(way.name);
            CAPTURE(failure.program);
            auto const refusal = refusal_of({.arguments = {failure.program, "argument"}}, way.features);
            CHECK(refusal.error == failure.error);
            CHECK(names(refusal, failure.program));
        }
    CHECK_FALSE(has_children());
}

TEST_CASE("A program without an absolute path is refused") {
    for (auto const* program : {"sh", "./sh", "bin/sh", ""}) {
        auto const refusal = refusal_of({.arguments = {program}});
        CHECK(refusal.error == ENOENT);
        CHECK(names(refusal, "'" + std::string{program} + "'"));
    }
    CHECK(refusal_of({.arguments = {}}).error == ENOENT);
}

TEST_CASE("A working directory that cannot be entered fails the start") {
    for (auto const& way : every_way())
        for (auto const& [directory, error] : std::vector<std::pair<std::string, int>>{
                 {"/does/not/exist", ENOENT}, {"/etc/passwd", ENOTDIR}}) {
            CAPTURE(way.name);
            auto const refusal =
                refusal_of({.arguments = {"/bin/true"}, .working_directory = directory}, way.features);
            CHECK(refusal.error == error);
            CHECK(names(refusal, "/bin/true"));
            CHECK(names(refusal, directory));
        }
    CHECK_FALSE(has_children());
}

TEST_CASE("Arguments and environments that are too large for the system fail the start") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        auto const argument =
            refusal_of({.arguments = {"/bin/true", std::string(200 << 10, 'x')}}, way.features);
        CHECK(argument.error == E2BIG);
        CHECK(names(argument, "/bin/true"));
        CHECK(argument.text.size() < 200);

        std::vector<std::string> environment(30, "LARGE=" + std::string(100 << 10, 'x'));
        auto const refusal =
            refusal_of({.arguments = {"/bin/true"}, .environment = std::move(environment)}, way.features);
        CHECK(refusal.error == E2BIG);
        CHECK(names(refusal, "/bin/true"));
    }
}

TEST_CASE("A NUL byte that would cut a text short is refused") {
    std::string const cut{"a\0b", 3};
    CHECK(refusal_of({.arguments = {"/bin/true", cut}}).error == EINVAL);
    CHECK(refusal_of({.arguments = {"/bin/true"}, .environment = {cut}}).error == EINVAL);
    CHECK(refusal_of({.arguments = {"/bin/true"}, .working_directory = "/tmp" + cut}).error == EINVAL);
}

TEST_CASE("Starts that fail leave neither descriptors nor zombies") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        refusal_of({.arguments = {"/does/not/exist"}}, way.features);
        auto const before = count_open_descriptors();
        for (int count = 0; count < 200; ++count)
            REQUIRE(refusal_of({.arguments = {"/does/not/exist"}}, way.features).error == ENOENT);
        CHECK(count_open_descriptors() == before);
        CHECK_FALSE(has_children());
    }
}

TEST_CASE("Starts without descriptors left fail cleanly at every step") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        CHECK(in_own_process([&] {
            auto const job = shell("exit 7");
            if (run(job, way.features).status != 7) return false;
            auto const open = static_cast<::rlim_t>(count_open_descriptors());
            bool failed = false;
            bool started = false;
            for (::rlim_t more = 0; more < 16; ++more) {
                ::rlimit limit{};
                ::getrlimit(RLIMIT_NOFILE, &limit);
                auto const before = count_open_descriptors();
                limit.rlim_cur = open + more;
                ::setrlimit(RLIMIT_NOFILE, &limit);
                int error = 0;
                int status = -1;
                try {
                    status = run(job, way.features).status;
                } catch (std::system_error const& failure) {
                    error = failure.code().value();
                }
                limit.rlim_cur = limit.rlim_max;
                ::setrlimit(RLIMIT_NOFILE, &limit);
                if (error == 0 ? status != 7 : error != EMFILE) return false;
                if (count_open_descriptors() != before || has_children()) return false;
                (error == 0 ? started : failed) = true;
            }
            return failed && started;
        }));
    }
}

TEST_CASE("A host with closed standard streams starts programs like any other") {
    for (auto const& way : every_way())
        for (int closed = 1; closed < 8; ++closed) {
            CAPTURE(way.name);
            CAPTURE(closed);
            CHECK(in_own_process([&] {
                for (int number = 0; number < 3; ++number)
                    if ((closed >> number & 1) != 0) ::close(number);
                auto job = shell("cat; echo error >&2; exit 7");
                job.input = "input";
                auto child = start(job, way.features);
                if (child.input.get() < 3 || child.output.get() < 3 || child.error.get() < 3) return false;
                if (child.exit_descriptor() >= 0 && child.exit_descriptor() < 3) return false;
                auto const finished = finish(std::move(child));
                return finished.output == "input" && finished.error == "error\n" && finished.status == 7;
            }));
        }
}

TEST_CASE("Programs start while other threads allocate without a pause") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        std::atomic<bool> stop{false};
        std::atomic<int> good{0};
        std::vector<std::thread> threads;
        for (int count = 0; count < 3; ++count)
            threads.emplace_back([&stop] {
                std::vector<void*> blocks(64, nullptr);
                for (std::size_t at = 0; !stop; ++at) {
                    auto& block = blocks[at % blocks.size()];
                    std::free(block);
                    block = std::malloc(1 + at % 100'000);
                }
                for (auto* block : blocks)
                    std::free(block);
            });
        std::vector<std::thread> starters;
        for (int count = 0; count < 2; ++count)
            starters.emplace_back([&good, &way] {
                for (int turn = 0; turn < 20; ++turn) {
                    auto job = shell("cat; exit 7");
                    job.input = "input";
                    auto const finished = run(job, way.features);
                    if (finished.output == "input" && finished.status == 7) ++good;
                }
            });
        for (auto& thread : starters)
            thread.join();
        stop = true;
        for (auto& thread : threads)
            thread.join();
        CHECK(good == 40);
    }
    CHECK_FALSE(has_children());
}

TEST_CASE("The mask of the thread that starts a program is what it was") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        ::sigset_t mask;
        ::sigemptyset(&mask);
        ::sigaddset(&mask, SIGUSR1);
        ::sigset_t before;
        ::pthread_sigmask(SIG_SETMASK, &mask, &before);
        CHECK(run(shell("exit 7"), way.features).status == 7);
        refusal_of({.arguments = {"/does/not/exist"}}, way.features);
        ::sigset_t after;
        ::pthread_sigmask(SIG_SETMASK, &before, &after);
        for (int signal = 1; signal < 32; ++signal)
            CHECK(::sigismember(&after, signal) == (signal == SIGUSR1 ? 1 : 0));
    }
}

TEST_CASE("A handler of the host never runs in the child") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        CHECK(in_own_process([&] {
            // A child is in its host's group until it has made its own.
            ::setpgid(0, 0);
            auto pipe = longshore::detail::make_pipe();
            make_non_blocking(pipe.reader);
            host = ::getpid();
            report = pipe.writer.get();
            Disposition const handled{SIGUSR1, report_a_stranger};
            std::atomic<bool> stop{false};
            std::thread sender{[&stop] {
                while (!stop)
                    ::kill(-host, SIGUSR1);
            }};
            auto const job = shell("exit 7");
            bool good = true;
            for (int count = 0; count < 40; ++count) {
                auto child = start(job, way.features);
                auto const status = wait_status(child);
                good = good && (status == 7 || status == -SIGUSR1);
            }
            stop = true;
            sender.join();
            char byte = 0;
            return good && ::read(pipe.reader.get(), &byte, 1) < 0;
        }));
    }
}
