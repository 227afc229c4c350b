// SPDX-License-Identifier: BSL-1.0
#include <longshore/process/process_launcher.hpp>
#include <longshore/testing/manual_clock.hpp>

#include <support/launch.hpp>
#include <support/process_list.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <thread>

using namespace std::chrono_literals;
using longshore::Ended;
using longshore::InputStream;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::ProcessLauncher;
using longshore::Reached;
using support::FakeCli;
using support::guarded_and_not;
using support::on_host;
using support::script_on_host;

namespace {

// Runs a call that ends at its deadline, and holds it to its bound.
LaunchOutcome run_out(LaunchRequest& request) {
    request.timeout = 300ms;
    request.kill_grace = 200ms;
    request.drain_grace = 100ms;
    auto const start = std::chrono::steady_clock::now();
    auto const outcome = ProcessLauncher{}.run(request);
    CHECK(std::chrono::steady_clock::now() - start < support::longest(request));
    CHECK(outcome.ended == Ended::timed_out);
    CHECK(outcome.elapsed >= 300ms);
    return outcome;
}

} // namespace

TEST_CASE("at the deadline a tool and everything that it started are gone, and its output so far is kept") {
    for (auto const* tool :
         {"echo step 1; exec sleep SLEEP", "echo step 1; sleep SLEEP & sleep SLEEP",
          "echo step 1; setsid sleep SLEEP & trap '' TERM; sleep SLEEP",
          "echo step 1; (setsid sh -c '(trap \"\" TERM HUP; exec sleep SLEEP) &' &); exec sleep SLEEP"}) {
        std::string script = tool;
        auto const sleep = support::unique_sleep();
        for (auto at = script.find("SLEEP"); at != std::string::npos; at = script.find("SLEEP"))
            script.replace(at, 5, sleep);
        for (auto request : guarded_and_not(script_on_host("echo trouble >&2; " + script))) {
            CAPTURE(request.guarded);
            CAPTURE(script);
            auto const outcome = run_out(request);
            CHECK(outcome.output.bytes == "step 1\n");
            CHECK(outcome.error.bytes == "trouble\n");
            CHECK(outcome.everything_killed == true);
            CHECK(outcome.reached >= (request.guarded ? Reached::command : Reached::unknown));
            CHECK(support::tools_with(sleep).empty());
        }
    }
}

TEST_CASE("a grandchild that holds the pipes never holds the call") {
    auto const sleep = support::unique_sleep();
    support::TemporaryDirectory const directory;
    auto const script =
        "cd " + directory.path() + "; " + support::leave_behind_sleep(sleep) + "echo out; exit 6";
    for (auto request : guarded_and_not(script_on_host(script))) {
        CAPTURE(request.guarded);
        request.drain_grace = 100ms;
        auto const outcome = ProcessLauncher{}.run(request);
        CHECK(outcome.ended == Ended::exited);
        CHECK(outcome.exit_code() == 6);
        CHECK(outcome.elapsed < request.drain_grace + 1s + support::scheduling);
        CHECK(outcome.output.bytes == "out\n");
        CHECK(outcome.output.complete == request.guarded); // without the frame nobody knows what would follow
        if (request.guarded) CHECK(outcome.everything_killed == true);
        for (auto const process : support::who_has(support::sleeping(sleep)))
            ::kill(process, SIGKILL);
    }
}

TEST_CASE("a deadline passes whatever the transport does") {
    auto const sleep = support::unique_sleep();
    for (auto const& script : {
             std::string{"kill -STOP $$; exec \"$@\""},
             "trap '' TERM INT HUP PIPE; exec <&- >&- 2>&-; while :; do sleep " + sleep + "; done",
             "setsid sleep " + sleep + " & exec sleep " + sleep,
             std::string{"yes banner"},
             "\"$@\" </dev/null; exec sleep " + sleep,
         }) {
        CAPTURE(script);
        FakeCli const cli{script};
        auto request = cli.call({"/bin/echo", "never"});
        request.input = std::string(1000000, 'x');
        auto const outcome = run_out(request);
        CHECK(outcome.reached == Reached::unknown);
        CHECK(outcome.everything_killed != true); // nobody could say so
        request.guarded = false;
        if (script.find("STOP") != std::string::npos) CHECK(run_out(request).everything_killed != true);
        for (auto const process : support::who_has(support::sleeping(sleep)))
            ::kill(process, SIGKILL);
    }
}

TEST_CASE(
    "a tool behind a transport is gone after the deadline, though killing the transport would not reach it") {
    auto const sleep = support::unique_sleep();
    FakeCli const cli{"exec setsid -w \"$@\""};
    for (auto const* ending : {"", "trap '' TERM; setsid sleep SLEEP & "}) {
        std::string script{ending};
        if (!script.empty()) script.replace(script.find("SLEEP"), 5, sleep);
        auto request = cli.call_script("echo step 1; " + script + "sleep " + sleep);
        auto const outcome = run_out(request);
        CHECK(outcome.reached >= Reached::command);
        CHECK(outcome.output.bytes == "step 1\n");
        CHECK(outcome.everything_killed == true);
        CHECK(support::tools_with(sleep).empty());
    }
}

TEST_CASE("a transport that does not pass on the end of stdin is made good by a second way in") {
    auto const sleep = support::unique_sleep();
    // The guard's stdin is held open by somebody whom nothing of this call reaches.
    FakeCli const cli{"[ -e in ] || mkfifo in\n"
                      "case $* in *run_command*) ;; *) exec \"$@\" ;; esac\n"
                      "setsid sleep " +
                      sleep +
                      "1 3<>in & exec 3<&0\n"
                      "setsid sh -c 'cat <&3 >in; sleep " +
                      sleep +
                      "1' 2>/dev/null 1>in &\n"
                      "exec setsid -w \"$@\" <in"};
    auto request = cli.call_script("echo step 1; setsid sleep " + sleep + " & exec sleep " + sleep);
    auto const outcome = run_out(request);
    CHECK(outcome.output.bytes == "step 1\n");
    CHECK(outcome.reached >= Reached::command);
    CHECK(outcome.everything_killed == true);
    CHECK(support::who_has(support::sleeping(sleep)).empty());
    for (auto const process : support::who_has(support::sleeping(sleep + '1')))
        ::kill(process, SIGKILL);
}

TEST_CASE("a transport that stays although the tool has ended is ended after the grace") {
    auto const sleep = support::unique_sleep();
    FakeCli const cli{"trap '' TERM HUP PIPE; \"$@\"; while :; do sleep " + sleep + "; done"};
    auto request = cli.call_script("echo out; exit 3");
    request.kill_grace = 200ms;
    request.drain_grace = 100ms;
    auto const outcome = ProcessLauncher{}.run(request);
    CHECK(outcome.ended == Ended::exited);
    CHECK(outcome.reached == Reached::end);
    CHECK(outcome.command_exit == 3);
    CHECK(outcome.output.bytes == "out\n");
    CHECK(outcome.output.complete);
    CHECK(outcome.everything_killed == true);
    CHECK(outcome.elapsed < request.kill_grace + request.drain_grace + 1s + support::scheduling);
    CHECK(support::who_has(support::sleeping(sleep)).empty());
}

TEST_CASE("a source that is slower than the command does not keep the deadline away") {
    for (auto request : guarded_and_not(script_on_host("exec cat >/dev/null"))) {
        CAPTURE(request.guarded);
        request.input = InputStream{std::uint64_t{1} << 60U, [](std::span<char> room) {
                                        ::poll(nullptr, 0, 5);
                                        return (std::min)(room.size(), std::size_t{10});
                                    }};
        run_out(request);
    }
}

TEST_CASE("silence is ended by its own limit, and a command that speaks now and then is not") {
    auto const sleep = support::unique_sleep();
    for (auto request : guarded_and_not(script_on_host("echo out; sleep " + sleep))) {
        CAPTURE(request.guarded);
        request.no_output_timeout = 200ms;
        auto const outcome = ProcessLauncher{}.run(request);
        CHECK(outcome.ended == Ended::no_output);
        CHECK(outcome.output.bytes == "out\n");
        CHECK(outcome.everything_killed == true);
        CHECK(support::tools_with(sleep).empty());
    }
    for (auto request :
         guarded_and_not(script_on_host("for i in 1 2 3 4 5 6; do echo x >&2; sleep 0.1; done"))) {
        request.no_output_timeout = 20s;
        CHECK(ProcessLauncher{}.run(request).ended == Ended::exited);
    }
}

TEST_CASE("time spent on the way in counts: a slow transport is waited for, and its time is told") {
    FakeCli const cli{"sleep 0.4; exec \"$@\""};
    auto request = cli.call({"/bin/echo", "out"});
    auto const outcome = ProcessLauncher{}.run(request);
    CHECK(outcome.output.bytes == "out\n");
    CHECK(outcome.elapsed >= 400ms);
    request.timeout = 100ms;
    request.kill_grace = 50ms;
    auto const late = ProcessLauncher{}.run(request);
    CHECK(late.ended == Ended::timed_out);
    CHECK(late.reached == Reached::unknown);
    CHECK(late.output.bytes.empty());
}

TEST_CASE("a clock moved by hand drives the deadline, and nothing else does") {
    longshore::ManualClock const clock;
    longshore::BasicProcessLauncher<longshore::ManualClock> launcher{clock};
    auto const sleep = support::unique_sleep();
    auto request = script_on_host("echo out; exec sleep " + sleep);
    request.timeout = 1h;
    LaunchOutcome outcome;
    std::thread caller{[&] { outcome = launcher.run(request); }};
    CHECK(support::wait_for_processes(support::sleeping(sleep), 1));
    clock.advance(1h - 1ns);
    CHECK_FALSE(support::wait_for_processes(support::sleeping(sleep), 0, 100ms));
    clock.advance(1ns);
    CHECK(support::wait_for_processes(support::sleeping(sleep), 0));
    caller.join();
    CHECK(outcome.ended == Ended::timed_out);
    CHECK(outcome.elapsed == 1h);
    CHECK(outcome.output.bytes == "out\n");
}
