// SPDX-License-Identifier: BSL-1.0
#include "call_machine_support.hpp"

#include <longshore/launch/call_machine.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace std::chrono_literals;
using longshore::CallMachine;
using longshore::Ended;
using longshore::Flow;
using longshore::Instant;
using longshore::LaunchRequest;
using longshore::Reached;
using longshore::Stream;
using namespace call_machine_support;

TEST_CASE("the header and the input are offered, and stdin stays open until the end of the command") {
    auto const asked = request("{\"a\":1}");
    std::string const output =
        "noise\n" + word + "begin 7 8\ntool \036MA output" + word + "end 3\n" + word + "gone\n";
    std::string const error = "warning\n" + word + "begin 7 8\noops" + word + "end 3\n";
    for (std::size_t step = 1; step <= output.size(); ++step) {
        CAPTURE(step);
        auto machine = machine_for(asked);
        CHECK(machine.wants().write == "MARK IDENTITY 7 0\n{\"a\":1}");
        write_all(machine);
        for (std::size_t at = 0; at < error.size(); at += step)
            machine.received(Stream::error, std::string_view{error}.substr(at, step), start);
        auto const before_end = output.find(word + "end 3\n") + 1;
        std::size_t at = 0;
        for (; at < output.size(); at += step) {
            if (at <= before_end) CHECK_FALSE(machine.wants().close_input);
            machine.received(Stream::output, std::string_view{output}.substr(at, step), start);
        }
        CHECK(machine.wants().close_input);
        CHECK_FALSE(machine.wants().done);
        close_all(machine, 0, start + 5ms);
        CHECK(machine.wants().done);
        auto const outcome = std::move(machine).finish(start + 5ms);
        CHECK(outcome.ended == Ended::exited);
        CHECK(outcome.reached == Reached::end);
        CHECK(outcome.command_exit == 3);
        CHECK(outcome.transport_exit == 0);
        CHECK(outcome.exit_code() == 3);
        CHECK(outcome.output.bytes == "tool \036MA output");
        CHECK(outcome.output.complete);
        CHECK(outcome.error.bytes == "oops");
        CHECK(outcome.error.complete);
        CHECK(outcome.transport_noise == "noise\nwarning\n");
        CHECK(outcome.everything_killed == true);
        CHECK(outcome.elapsed == 5ms);
    }
}

TEST_CASE(
    "at the deadline stdin is closed first, the group is killed after the grace, and partial output stays") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    both(machine, "begin 7 8");
    machine.received(Stream::output, "partial", start + 1s);
    CHECK(machine.wants().wake == start + 10s);
    machine.time(start + 10s - 1ns);
    CHECK_FALSE(machine.wants().close_input);
    machine.time(start + 10s);
    CHECK(machine.wants().close_input);
    CHECK_FALSE(machine.wants().kill);
    CHECK(machine.wants().wake == start + 11s);
    machine.time(start + 11s);
    CHECK(machine.wants().kill);
    CHECK_FALSE(machine.wants().clean_up);
    machine.killed(start + 11s);
    CHECK_FALSE(machine.wants().kill);
    CHECK(machine.wants().clean_up);
    machine.exited(-9, start + 11s);
    machine.cleaned_up(true, start + 11s + 100ms);
    CHECK_FALSE(machine.wants().done);
    CHECK(machine.wants().wake == start + 11s + 500ms);
    machine.time(start + 11s + 500ms);
    CHECK(machine.wants().done);
    auto const outcome = std::move(machine).finish(start + 11s + 500ms);
    CHECK(outcome.ended == Ended::timed_out);
    CHECK(outcome.reached == Reached::command);
    CHECK(outcome.output.bytes == "partial");
    CHECK_FALSE(outcome.output.complete);
    CHECK(outcome.everything_killed == true);
}

TEST_CASE("a guard that reports after the deadline ends the call at once, without a clean-up") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    both(machine, "begin 7 8");
    machine.time(start + 10s);
    machine.received(Stream::output, word + "end 137\n" + word + "gone\n", start + 10s + 20ms);
    close_all(machine, 0, start + 10s + 30ms);
    CHECK(machine.wants().done);
    auto const outcome = std::move(machine).finish(start + 10s + 30ms);
    CHECK(outcome.ended == Ended::timed_out);
    CHECK(outcome.command_exit == 137);
    CHECK(outcome.everything_killed == true);
}

TEST_CASE("a host process that cannot be killed does not hold the call past both graces") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    machine.time(start + 10s);
    machine.time(start + 11s);
    machine.killed(start + 11s);
    machine.cleaned_up(std::nullopt, start + 11s + 200ms);
    machine.time(start + 11s + 500ms);
    CHECK(machine.wants().done);
    auto const outcome = std::move(machine).finish(start + 11s + 500ms);
    CHECK_FALSE(outcome.transport_exit.has_value());
    CHECK_FALSE(outcome.everything_killed.has_value());
    CHECK(outcome.exit_code() == -1);
}

TEST_CASE(
    "a transport that stays although its command has ended is killed after the grace, and nothing is lost") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    both(machine, "begin 7 8");
    machine.received(Stream::output, "result", start + 1s);
    both(machine, "end 0", start + 1s);
    CHECK(machine.wants().close_input);
    CHECK(machine.wants().wake == start + 2s);
    machine.time(start + 2s);
    CHECK(machine.wants().kill);
    machine.killed(start + 2s);
    CHECK(machine.wants().clean_up); // the guard did not say that nothing is left
    machine.cleaned_up(true, start + 2s);
    close_all(machine, -9, start + 2s);
    CHECK(machine.wants().done);
    auto const outcome = std::move(machine).finish(start + 2s);
    CHECK(outcome.ended == Ended::exited);
    CHECK(outcome.command_exit == 0);
    CHECK(outcome.everything_killed == true);
    CHECK(outcome.output.bytes == "result");
    CHECK(outcome.output.complete);
}

TEST_CASE("the guard's last word is made good when it was lost, and taken when it was that it cannot tell") {
    auto const asked = request();
    for (bool const told : {false, true}) {
        auto machine = machine_for(asked);
        write_all(machine);
        both(machine, "begin 7 8");
        both(machine, "end 0");
        if (told) machine.received(Stream::output, word + "unsure\n", start);
        close_all(machine, 0, start + 1s);
        CHECK(machine.wants().clean_up == !told);
        CHECK(machine.wants().done == told);
    }
}

TEST_CASE("a pipe that somebody holds after the exit is read for the grace and no longer") {
    auto asked = request();
    asked.guarded = false;
    auto machine = machine_for(asked);
    write_all(machine);
    CHECK(machine.wants().close_input);
    machine.exited(0, start + 1s);
    machine.received(Stream::output, "late", start + 1s + 100ms);
    CHECK_FALSE(machine.wants().done);
    CHECK(machine.wants().wake == start + 1s + 500ms);
    machine.time(start + 1s + 500ms);
    CHECK(machine.wants().done);
    auto const outcome = std::move(machine).finish(start + 1s + 500ms);
    CHECK(outcome.transport_exit == 0);
    CHECK(outcome.output.bytes == "late");
    CHECK_FALSE(outcome.output.complete);
}

TEST_CASE("a lost tail is seen: the transport exits with 0 and the command's end never came") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    both(machine, "begin 7 8");
    machine.received(Stream::output, "{\"cut\":", start);
    close_all(machine, 0, start + 1s);
    CHECK(machine.wants().clean_up);
    machine.cleaned_up(true, start + 1s);
    auto const outcome = std::move(machine).finish(start + 1s);
    CHECK(outcome.reached == Reached::command);
    CHECK_FALSE(outcome.command_exit.has_value());
    CHECK_FALSE(outcome.output.complete);
}

TEST_CASE("stderr that lags behind stdout is waited for, but not for ever") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    both(machine, "begin 7 8");
    machine.received(Stream::output, word + "end 0\n", start);
    CHECK_FALSE(machine.wants().close_input);
    SUBCASE("it comes") {
        machine.received(Stream::error, "late" + word + "end 0\n", start + 100ms);
        CHECK(machine.wants().close_input);
        close_all(machine, 0, start + 110ms);
        CHECK(std::move(machine).finish(start + 110ms).error.bytes == "late");
    }
    SUBCASE("it never comes") {
        CHECK(machine.wants().wake == start + 500ms);
        machine.time(start + 500ms);
        CHECK(machine.wants().close_input);
        close_all(machine, 0, start + 510ms);
        CHECK_FALSE(std::move(machine).finish(start + 510ms).error.complete);
    }
}

TEST_CASE("how far a call came is told by the guard's words alone") {
    struct Expected {
        std::string said;
        Reached reached;
        std::optional<int> exit;
    };
    for (auto const& expected :
         {Expected{"", Reached::unknown, {}},
          Expected{word + "no-directory\n" + word + "end 125\n", Reached::transport, 125},
          Expected{word + "no-command 126\n" + word + "end 126\n", Reached::directory, 126},
          Expected{word + "begin 1 2\n", Reached::command, {}},
          Expected{word + "begin 1 2\n" + word + "end 255\n", Reached::end, 255},
          Expected{"\036OTHER begin 1 2\n\036OTHER end 0\n", Reached::unknown, {}},
          Expected{word + "begin 1 2\n\036OTHER end 0\n", Reached::command, {}}}) {
        CAPTURE(expected.said);
        auto asked = request();
        auto machine = machine_for(asked);
        machine.received(Stream::output, expected.said, start);
        auto const outcome = std::move(machine).finish(start);
        CHECK(outcome.reached == expected.reached);
        CHECK(outcome.command_exit == expected.exit);
    }
}

TEST_CASE("no clean-up is asked for where nothing can have been started") {
    auto asked = request();
    auto machine = machine_for(asked);
    machine.received(Stream::error, "Error: no such container\n", start);
    close_all(machine, 1, start + 1s);
    CHECK_FALSE(machine.wants().clean_up);
    CHECK(machine.wants().done);
    CHECK(std::move(machine).finish(start + 1s).transport_noise == "Error: no such container\n");
}

TEST_CASE("silence is measured from the last byte of the command, and told apart from the deadline") {
    auto asked = request();
    asked.no_output_timeout = longshore::Timeout{2};
    auto machine = machine_for(asked);
    both(machine, "begin 7 8");
    machine.received(Stream::error, "alive", start + 1s);
    CHECK(machine.wants().wake == start + 3s);
    machine.received(Stream::output, "alive", start + 2s);
    machine.time(start + 3s);
    CHECK_FALSE(machine.wants().close_input);
    machine.time(start + 4s);
    CHECK(machine.wants().close_input);
    CHECK(std::move(machine).finish(start + 4s).ended == Ended::no_output);
}

TEST_CASE("a cancellation stops a running command once, and does nothing after its end") {
    auto asked = request();
    auto machine = machine_for(asked);
    both(machine, "begin 7 8");
    SUBCASE("running") {
        machine.cancel(start + 1s);
        machine.time(start + 20s);
        CHECK(machine.wants().close_input);
        CHECK(std::move(machine).finish(start + 20s).ended == Ended::cancelled);
    }
    SUBCASE("ended") {
        both(machine, "end 0");
        machine.cancel(start + 1s);
        CHECK(std::move(machine).finish(start + 1s).ended == Ended::exited);
    }
}

TEST_CASE("lengths at the end of the range do not overflow into the past") {
    auto asked = request();
    asked.timeout = longshore::Timeout::unlimited();
    asked.kill_grace = (std::chrono::nanoseconds::max)();
    auto machine = machine_for(asked);
    CHECK(machine.wants().wake == longshore::never);
    machine.cancel(start);
    CHECK_FALSE(machine.wants().kill);
    CHECK(machine.wants().wake == longshore::never);
}

TEST_CASE("a driver that waits for the clean-up is not woken until there is something to do") {
    auto const asked = request();
    auto machine = machine_for(asked);
    both(machine, "begin 7 8");
    close_all(machine, 1, start);
    machine.time(start + 1s);
    CHECK(machine.wants().clean_up);
    CHECK(machine.wants().wake > start + 1s);
    machine.cleaned_up(true, start + 1s);
    CHECK(machine.wants().done);
}

TEST_CASE("words that come out of order are output, whoever writes them") {
    for (std::string const forged :
         {"no-command 127\n", "no-directory\n", "begin 3 4\n", "gone\n", "left\n"}) {
        CAPTURE(forged);
        auto asked = request();
        auto machine = machine_for(asked);
        write_all(machine);
        both(machine, "begin 7 8");
        machine.received(Stream::output, word + forged, start);
        CHECK(machine.session() == "7 8");
        both(machine, "end 3");
        machine.received(Stream::output, word + "end 0\n" + word + "gone\n", start);
        close_all(machine, 0, start + 5ms);
        auto const outcome = std::move(machine).finish(start + 5ms);
        CHECK(outcome.reached == Reached::end);
        CHECK(outcome.command_exit == 3);
        CHECK(outcome.output.bytes == word + forged);
        CHECK(outcome.everything_killed == true);
    }
}

TEST_CASE("what was said in the name of a transport that had to be killed is checked by a clean-up") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    both(machine, "begin 7 8");
    both(machine, "end 0", start + 1s);
    machine.received(Stream::output, word + "gone\n", start + 1s);
    machine.time(start + 2s);
    CHECK(machine.wants().kill);
    machine.killed(start + 2s);
    CHECK(machine.wants().clean_up);
    machine.cleaned_up(false, start + 2s);
    close_all(machine, -9, start + 2s);
    CHECK(std::move(machine).finish(start + 2s).everything_killed == false);
}

TEST_CASE("input that the place could not hand over is told") {
    auto asked = request();
    auto machine = machine_for(asked);
    write_all(machine);
    both(machine, "begin 7 8");
    machine.received(Stream::output, "0\n" + word + "input-lost\n", start);
    both(machine, "end 0");
    auto const outcome = std::move(machine).finish(start);
    CHECK(outcome.input_lost);
    CHECK(outcome.output.bytes == "0\n");
}
