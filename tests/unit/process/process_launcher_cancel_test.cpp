// SPDX-License-Identifier: BSL-1.0
#include <longshore/process/process_launcher.hpp>

#include <support/launch.hpp>
#include <support/process_list.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <ctime>
#include <stop_token>
#include <string>
#include <thread>

using namespace std::chrono_literals;
using longshore::Ended;
using longshore::Flow;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::ProcessLauncher;
using longshore::Reached;
using support::FakeCli;
using support::guarded_and_not;
using support::on_host;
using support::script_on_host;

namespace {

// Runs the request in a thread and asks to stop once the command's sleep runs.
LaunchOutcome cancel_when_asleep(LaunchRequest request, std::string const& sleep) {
    std::stop_source source;
    request.stop_token = source.get_token();
    LaunchOutcome outcome;
    std::thread caller{[&] { outcome = ProcessLauncher{}.run(request); }};
    CHECK(support::wait_for_processes(support::sleeping(sleep), 1));
    source.request_stop();
    caller.join();
    return outcome;
}

} // namespace

TEST_CASE("a call that is cancelled beforehand starts nothing") {
    support::TemporaryDirectory const directory;
    std::stop_source source;
    source.request_stop();
    for (auto request : guarded_and_not(script_on_host("echo x >" + directory.path() + "/started"))) {
        request.stop_token = source.get_token();
        auto const outcome = ProcessLauncher{}.run(request);
        CHECK(outcome.ended == Ended::cancelled);
        CHECK(outcome.everything_killed == true);
        CHECK(outcome.reached == Reached::unknown);
        CHECK(directory.read("started").empty());
    }
}

TEST_CASE("a cancellation from another thread ends a silent command at once, and keeps what it wrote") {
    for (auto const* input : {"", "some input"})
        for (std::string const start : {"exec sleep ", "trap '' TERM; sleep "}) {
            auto const sleep = support::unique_sleep();
            auto const tool = "echo out; setsid sleep " + sleep + "1 & " + start + sleep;
            for (auto request : guarded_and_not(script_on_host(tool))) {
                CAPTURE(request.guarded);
                CAPTURE(tool);
                request.input = input;
                request.timeout = longshore::Timeout::unlimited();
                auto const outcome = cancel_when_asleep(request, sleep);
                CHECK(outcome.ended == Ended::cancelled);
                CHECK(outcome.output.bytes == "out\n");
                CHECK(outcome.everything_killed == true);
                CHECK(outcome.elapsed < 20s);
                CHECK(support::tools_with(sleep).empty());
            }
        }
}

TEST_CASE("a cancelled call behind a transport still has its clean-up, with a deadline of its own") {
    auto const sleep = support::unique_sleep();
    // The transport dies of the end of stdin, before its guard, which it had given another stdin.
    FakeCli const cli{"case $* in *run_command*) ;; *) echo >>cleaned; exec \"$@\" ;; esac\n"
                      "[ -e in ] || mkfifo in\n"
                      "setsid sleep " +
                      sleep +
                      "1 3<>in >/dev/null 2>&1 <&- &\n"
                      "{ setsid \"$@\" <in; } & exec cat >in"};
    auto request = cli.call_script("echo out; exec sleep " + sleep);
    auto const outcome = cancel_when_asleep(request, sleep);
    CHECK(outcome.ended == Ended::cancelled);
    CHECK(outcome.output.bytes == "out\n");
    CHECK(outcome.everything_killed == true);
    CHECK(support::who_has(support::sleeping(sleep)).empty());
    CHECK(cli.directory().read("cleaned") == "\n");
    for (auto const process : support::who_has(support::sleeping(sleep + '1')))
        ::kill(process, SIGKILL);
}

TEST_CASE("a cancellation after the end of the command changes nothing") {
    std::stop_source source;
    for (auto request : guarded_and_not(script_on_host("echo out; exit 3"))) {
        CAPTURE(request.guarded);
        request.stop_token = source.get_token();
        auto const outcome = ProcessLauncher{}.run(request);
        CHECK(outcome.ended == Ended::exited);
        CHECK(outcome.exit_code() == 3);
    }
    source.request_stop(); // nobody listens any more
}

TEST_CASE("a cancellation that is asked for while a sink runs is taken") {
    for (auto request : guarded_and_not(script_on_host("echo out; sleep 1000"))) {
        std::stop_source own;
        request.stop_token = own.get_token();
        request.output.sink = [&](std::string_view) {
            own.request_stop();
            return Flow::go_on;
        };
        CHECK(ProcessLauncher{}.run(request).ended == Ended::cancelled);
    }
}

TEST_CASE("a call that waits for the ends of its pipes after a cancellation does not spin") {
    auto const sleep = support::unique_sleep();
    auto const cpu = [] {
        ::timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
    };
    // The command ends, somebody holds its pipes, and then the caller asks to stop.
    FakeCli const cli{support::leave_behind_sleep(sleep) + "exec \"$@\""};
    for (auto request : guarded_and_not(cli.call({"/bin/echo", "out"}))) {
        CAPTURE(request.guarded);
        std::stop_source own;
        request.stop_token = own.get_token();
        request.drain_grace = 1500ms;
        std::thread stopper{[&] {
            CHECK(support::wait_for_processes(support::sleeping(sleep), 1));
            while (!support::who_has("/bin/echo").empty())
                ::poll(nullptr, 0, 1);
            own.request_stop();
        }};
        auto const before = cpu();
        auto const outcome = ProcessLauncher{}.run(request);
        CHECK(cpu() - before < 500ms);
        stopper.join();
        CHECK(outcome.output.bytes == "out\n");
        for (auto const process : support::who_has(support::sleeping(sleep)))
            ::kill(process, SIGKILL);
        CHECK(support::wait_for_processes(support::sleeping(sleep), 0));
    }
}
