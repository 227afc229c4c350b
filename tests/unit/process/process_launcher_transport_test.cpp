// SPDX-License-Identifier: BSL-1.0
#include <longshore/process/process_launcher.hpp>

#include <support/launch.hpp>
#include <support/process_list.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>

using namespace std::chrono_literals;
using longshore::Ended;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::ProcessLauncher;
using longshore::Reached;
using support::FakeCli;
using support::guarded_and_not;
using support::on_host;

namespace {

LaunchOutcome run(LaunchRequest const& request) { return ProcessLauncher{}.run(request); }

// Runs the guard, waits until it has told the end, then passes on what `cut` leaves of its output and exits
// with 0, as engines do.
std::string losing_tail(std::string const& cut) {
    return "case $* in *run_command*) ;; *) exec \"$@\" ;; esac\n" // a clean-up
           "rm -f in out; mkfifo in; exec 3<&0\n"
           "cat <&3 >in & \"$@\" <in >out &\n"
           "until grep -q ' end ' out; do sleep 0.01; done\n" +
           cut + " out\nexit 0";
}

} // namespace

TEST_CASE("exact arguments, variables and input pass a transport that joins nothing and splits nothing") {
    FakeCli const cli{"exec \"$@\""};
    auto request = cli.call({"/bin/sh", "-c", "printf '[%s]' \"$@\"; cat; printf '%s' \"$TOKEN\"; pwd",
                             "tool", "1.0", "", "a b\n", "\xff"});
    request.input = "in";
    request.command.environment = {"TOKEN=secret\n"};
    request.command.working_directory = "/usr";
    auto const outcome = run(request);
    CHECK(outcome.output.bytes == "[1.0][][a b\n][\xff]insecret\n/usr\n");
    CHECK(outcome.reached == Reached::end);
    CHECK(outcome.everything_killed == true);
    CHECK(outcome.transport_exit == 0);
    CHECK(outcome.transport_noise.empty());
}

TEST_CASE("what a transport prints around the tool's output is noise, never output") {
    FakeCli const cli{
        "echo banner; echo warning >&2; printf '\\036fake begin 1 2\\n'; \"$@\"; echo bye; exit 5"};
    auto const outcome = run(cli.call_script("echo out; echo err >&2; exit 2"));
    CHECK(outcome.output.bytes == "out\n");
    CHECK(outcome.error.bytes == "err\n");
    CHECK(outcome.command_exit == 2);
    CHECK(outcome.transport_exit == 5);
    CHECK(outcome.exit_code() == 2);
    CHECK(outcome.transport_noise == "banner\n\036"
                                     "fake begin 1 2\nbye\nwarning\n");
}

TEST_CASE("a transport that fails before the tool is told by its status and its words") {
    FakeCli const cli{"echo 'no such container' >&2; exit 125"};
    for (auto request : guarded_and_not(cli.call({"/bin/true"}))) {
        request.input = std::string(1000000, 'x');
        auto const outcome = run(request);
        CHECK(outcome.ended == Ended::exited);
        CHECK(outcome.reached == Reached::unknown);
        CHECK(outcome.command_exit == std::nullopt);
        CHECK(outcome.transport_exit == 125);
        CHECK((request.guarded ? outcome.transport_noise : outcome.error.bytes) == "no such container\n");
    }
}

TEST_CASE("a transport that is killed is told by its signal") {
    FakeCli const cli{"kill -KILL $$"};
    CHECK(run(cli.call({"/bin/true"})).transport_exit == -9);
}

TEST_CASE("a tail that the transport lost is seen, wherever it cut, though it exits with 0") {
    FakeCli const faithful{losing_tail("cat")};
    auto const whole = run(faithful.call_script("printf 123456; exit 3"));
    CHECK(whole.output.bytes == "123456");
    CHECK(whole.output.complete);
    CHECK(whole.everything_killed == true); // though the guard's last word came too late for this transport
    auto const end_word = std::string{"\036 end 3\n"}.size() + 32;
    for (std::size_t const lost :
         {std::size_t{1}, end_word - 1, end_word, end_word + 1, end_word + 6, end_word + 7}) {
        CAPTURE(lost);
        FakeCli const cli{losing_tail("head -c -" + std::to_string(lost))};
        auto const outcome = run(cli.call_script("printf 123456; exit 3"));
        CHECK(outcome.ended == Ended::exited);
        CHECK(outcome.transport_exit == 0);
        CHECK_FALSE(outcome.output.complete);
        CHECK(outcome.command_exit == 3); // told on the other stream as well
        CHECK(outcome.error.complete);
        CHECK(outcome.everything_killed == true);
        auto const left = lost < end_word ? 6 : 6 - (std::min)(std::size_t{6}, lost - end_word);
        CHECK(outcome.output.bytes.substr(0, 6) == std::string{"123456"}.substr(0, left));
    }
}

TEST_CASE("a transport that loses the ends of both streams leaves the exit status unknown") {
    FakeCli const cli{losing_tail("head -c -1")};
    auto request = cli.call_script("printf 123456; exit 3");
    request.transport.arguments = {"/bin/sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null",
                                   request.transport.arguments.front()};
    auto const outcome = run(request);
    CHECK(outcome.ended == Ended::exited);
    CHECK(outcome.reached == Reached::command);
    CHECK(outcome.command_exit == std::nullopt);
    CHECK(outcome.transport_exit == 0);
    CHECK_FALSE(outcome.output.complete);
    CHECK_FALSE(outcome.error.complete);
    CHECK(outcome.everything_killed == true);
}

TEST_CASE("a transport that closes stdout early costs output, not the call") {
    auto const sleep = support::unique_sleep();
    FakeCli const cli{"\"$@\" | head -c 60; exit 0"};
    auto request = cli.call_script("yes; exec sleep " + sleep);
    request.timeout = 300ms;
    request.kill_grace = 200ms;
    auto const outcome = run(request);
    CHECK(outcome.ended == Ended::timed_out);
    CHECK(outcome.elapsed < support::longest(request));
    CHECK_FALSE(outcome.output.complete);
    CHECK(support::tools_with(sleep).empty());
    FakeCli const closed{"exec \"$@\" >&-"};
    auto const nothing = run(closed.call({"/bin/true"}));
    CHECK(nothing.reached == Reached::unknown);
    CHECK(nothing.transport_exit != 0);
}

TEST_CASE("the mark of an earlier call means nothing in the next") {
    FakeCli const cli{"\"$@\" | tee -a seen"};
    CHECK(run(cli.call({"/bin/echo", "first"})).output.bytes == "first\n");
    auto const earlier = cli.directory().read("seen");
    CHECK(earlier.find(" begin ") != std::string::npos);
    CHECK(earlier.find(" end 0\n") != std::string::npos);
    cli.directory().write("earlier", earlier);
    auto const outcome = run(cli.call_script("cat earlier; cat earlier >&2; exit 7"));
    CHECK(outcome.output.bytes == earlier);
    CHECK(outcome.error.bytes == earlier);
    CHECK(outcome.command_exit == 7);
}

TEST_CASE("marks are fresh for each call") {
    FakeCli const cli{"\"$@\" | tee -a seen"};
    for (int call = 0; call < 3; ++call)
        run(cli.call({"/bin/true"}));
    auto const seen = cli.directory().read("seen");
    std::vector<std::string> marks;
    for (auto at = seen.find('\036'); at != std::string::npos; at = seen.find('\036', at + 1))
        marks.push_back(seen.substr(at + 1, seen.find(' ', at) - at - 1));
    CHECK(marks.size() == 9); // begin, end, gone
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    CHECK(marks.size() == 3);
    for (auto const& mark : marks)
        CHECK(mark.size() == 32);
}

TEST_CASE("a tool is started exactly once, whatever becomes of the call") {
    for (auto const* cli_script :
         {"exec \"$@\"", "\"$@\"; exit 1", "\"$@\" | head -c 40", "trap '' TERM; \"$@\"; exec sleep 1000",
          "exec 3<&0; setsid \"$@\" <&3 3<&- & exec sleep 1000", "\"$@\" >/dev/null; exit 1"})
        for (auto const* ending : {"exit 1", "exec sleep 1000"}) {
            CAPTURE(cli_script);
            CAPTURE(ending);
            FakeCli const cli{cli_script};
            auto request = cli.call_script(std::string{"echo started >>started; "} + ending);
            request.timeout = 200ms;
            request.kill_grace = 50ms;
            request.drain_grace = 50ms;
            run(request);
            CHECK(cli.directory().read("started") == "started\n");
        }
}

TEST_CASE("what cannot be had behind a transport is refused before anything starts") {
    FakeCli const cli{"echo started >>started; exec \"$@\""};
    auto limited = cli.call({"/bin/true"});
    limited.limits.memory_bytes = 1 << 30;
    CHECK_THROWS_AS(run(limited), longshore::ValueError);
    auto plain = cli.call({"/bin/true"});
    plain.guarded = false;
    plain.command.environment = {"TOKEN=secret"};
    try {
        run(plain);
        FAIL("it was accepted");
    } catch (longshore::ValueError const& error) {
        CHECK(std::string{error.what()}.find("TOKEN") != std::string::npos);
        CHECK(std::string{error.what()}.find("secret") == std::string::npos);
    }
    plain.command.environment = {};
    plain.merge_error = true; // the host's end can do that
    CHECK_NOTHROW(run(plain));
    CHECK(cli.directory().read("started") == "started\n");
}

TEST_CASE("an argument beyond what the system takes is an error of the system, and starts nothing") {
    FakeCli const cli{"echo started >>started"};
    for (auto request : guarded_and_not(cli.call({"/bin/true", std::string(200000, 'x')}))) {
        try {
            run(request);
            FAIL("it was started");
        } catch (std::system_error const& error) {
            CHECK(error.code() == std::errc::argument_list_too_long);
        }
    }
    auto request = cli.call({"/bin/true"});
    request.transport.environment.assign(30, "A=" + std::string(100000, 'x'));
    CHECK_THROWS_AS(run(request), std::system_error);
    CHECK(cli.directory().read("started").empty());
    request = on_host({"/bin/cat"});
    request.input = std::string(10000000, 'x');
    CHECK(run(request).output.total == 10000000);
}
