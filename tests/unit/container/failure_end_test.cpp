// SPDX-License-Identifier: BSL-1.0
// What ended a call: a deadline, a caller, a signal; and what its texts may show.
#include <longshore/container/failure.hpp>
#include <longshore/testing/mock_call.hpp>

#include "failure_support.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using longshore::Ended;
using longshore::FailureKind;
using longshore::MockCall;
using longshore::Reached;
using support::Judged;
using support::mentions;
using namespace std::chrono_literals;

TEST_CASE("longshore's own kill decides before any exit code: a deadline is never out of memory") {
    Judged const judged;
    auto const request = judged.request();
    auto outcome = MockCall{}.times_out(Reached::end).play(request);
    outcome.command_exit = 137; // the guard tells how it ended the tool
    auto const failure = longshore::failure_of(request, outcome, judged.config);
    CHECK(failure.kind == FailureKind::timed_out);
    CHECK(failure.text == "Container execution timed out after 30s");
}

TEST_CASE("a deadline without a word from the container is an engine that hangs, in the same words") {
    auto const failure = Judged{}(MockCall{}.times_out(Reached::unknown));
    CHECK(failure.kind == FailureKind::engine_hang);
    CHECK(failure.text == "Container execution timed out after 30s");
    CHECK(mentions(failure.hint, "never reached"));
}

TEST_CASE("a CLI that does not return after the tool has ended is an engine that hangs") {
    Judged const judged;
    auto const request = judged.request();
    auto outcome = MockCall{}.prints("{}").times_out(Reached::end).play(request);
    outcome.command_exit = 0;
    auto const failure = longshore::failure_of(request, outcome, judged.config);
    CHECK(failure.kind == FailureKind::engine_hang);
    CHECK(mentions(failure.hint, "exit code 0"));
}

TEST_CASE("a deadline of part of a second is told as it was set") {
    Judged judged;
    judged.config.timeout_seconds = 1500ms;
    CHECK(judged(MockCall{}.times_out()).text == "Container execution timed out after 1.5s");
}

TEST_CASE("a call that was stopped tells whether something is left running") {
    CHECK(mentions(Judged{}(MockCall{}.times_out()).hint, "Nothing of it is left"));
    CHECK(mentions(Judged{}(MockCall{}.times_out().leaves_running(true)).hint, "may still be running"));
    Judged const judged;
    auto const request = judged.request();
    auto outcome = MockCall{}.times_out().play(request);
    outcome.everything_killed.reset();
    CHECK(mentions(longshore::failure_of(request, outcome, judged.config).hint, "not known"));
}

TEST_CASE("silence, cancellation, a listener that has enough and too much output have kinds of their own") {
    Judged judged;
    judged.config.no_output_timeout = 5;
    auto const silent = judged(MockCall{}.no_output());
    CHECK(silent.kind == FailureKind::no_output);
    CHECK(mentions(silent.text, "5s"));
    CHECK(judged(MockCall{}.is_cancelled()).text == "Container execution was cancelled");
    CHECK(judged.kind(MockCall{}.is_cancelled()) == FailureKind::cancelled);
    longshore::LaunchOutcome outcome{.ended = Ended::stopped_by_sink, .reached = Reached::command};
    CHECK(longshore::failure_of(judged.request(), outcome, judged.config).kind == FailureKind::cancelled);
    outcome.ended = Ended::limit;
    CHECK(longshore::failure_of(judged.request(), outcome, judged.config).kind ==
          FailureKind::output_incomplete);
}

TEST_CASE(
    "exit code 137 that is not longshore's doing may be out of memory, and other signals are the tool's") {
    auto const killed = Judged{}(MockCall{}.prints_error("big").killed_by_signal(9));
    CHECK(killed.kind == FailureKind::killed_maybe_out_of_memory);
    CHECK(killed.text == "Container execution failed (exit code 137): big");
    CHECK(mentions(killed.hint, "memory"));
    CHECK(Judged{}.kind(MockCall{}.killed_by_signal(11)) == FailureKind::tool_failed);
    CHECK(Judged{}.kind(MockCall{}.exits(255)) == FailureKind::tool_failed);
}

TEST_CASE("a signal on the host makes the exit code negative, and only that does") {
    auto const killed = Judged{}(MockCall{}.killed_on_host(9));
    CHECK(killed.kind == FailureKind::killed_maybe_out_of_memory);
    CHECK(killed.text == "Container execution failed (exit code -9): ");
    CHECK(mentions(killed.hint, "Signal 9"));
    auto const ended = Judged{}(MockCall{}.prints("{}").killed_on_host(15));
    CHECK(ended.kind == FailureKind::output_incomplete);
    CHECK(mentions(ended.text, "exit code -15"));
    Judged const judged;
    longshore::LaunchOutcome const before_start{.transport_exit = -15};
    CHECK(longshore::failure_of(judged.request(), before_start, judged.config).kind ==
          FailureKind::cli_failed);
}

TEST_CASE("a CLI killed after the tool's end was seen changes nothing of it") {
    Judged const judged;
    auto const request = judged.request();
    auto outcome = MockCall{}.prints("{}").play(request);
    outcome.transport_exit = -9;
    CHECK(longshore::failure_of(request, outcome, judged.config).kind == FailureKind::none);
}

TEST_CASE("an error text holds the end of a long standard error, and no secrets") {
    Judged judged;
    judged.config.redact = {"hunter2", "lint"};
    auto const failure =
        judged(MockCall{}.prints_error(std::string(1U << 20U, 'x') + "the password is hunter2\n").exits(1));
    CHECK(failure.text.size() < longshore::error_text_limit + 100);
    CHECK(failure.text.ends_with("the password is [redacted]"));
    CHECK_FALSE(mentions(judged(MockCall{}.misses_tool()).text, "lint"));
    CHECK_FALSE(mentions(judged(MockCall{}.cli_fails(1, "token hunter2")).text, "hunter2"));
}

TEST_CASE("a standard error that was cut off shows no beginning of a secret") {
    Judged judged;
    judged.config.redact = {"hunter2"};
    auto request = judged.request();
    request.error.keep = 8;
    auto const outcome = MockCall{}.prints_error("is: hunter2").exits(1).play(request);
    CHECK(longshore::failure_of(request, outcome, judged.config).text ==
          "Container execution failed (exit code 1): is:");
}

TEST_CASE("an error text is valid UTF-8, whatever the tool wrote") {
    CHECK(Judged{}(MockCall{}.prints_error("a\xFFz").exits(1)).text ==
          "Container execution failed (exit code 1): a\xEF\xBF\xBDz");
}
