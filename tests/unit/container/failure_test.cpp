// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/failure.hpp>
#include <longshore/testing/mock_call.hpp>

#include "failure_support.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

using longshore::ContainerConfig;
using longshore::Failure;
using longshore::FailureKind;
using longshore::MockCall;
using longshore::Reached;
using support::Judged;
using support::mentions;

TEST_CASE("a tool that exits with 0 did not fail, whatever it wrote to standard error") {
    CHECK(Judged{}(MockCall{}.prints("{}").prints_error("No such container")) == Failure{});
}

TEST_CASE(
    "a tool that ran and failed is told from all else, by the guard and not by its words or its number") {
    auto const words = {"Dev container not found.", "No such container", "is not running",
                        "OCI runtime exec failed: executable file not found"};
    for (auto const exit : {1, 2, 125, 126, 127, 255})
        for (auto const* text : words) {
            CAPTURE(exit);
            CAPTURE(text);
            auto const failure = Judged{}(MockCall{}.prints(text).prints_error(text).exits(exit));
            CHECK(failure.kind == FailureKind::tool_failed);
            CHECK(failure.text ==
                  "Container execution failed (exit code " + std::to_string(exit) + "): " + text);
        }
}

TEST_CASE("a command line tool that is missing or may not be executed is tool_not_found, and named") {
    auto const missing = Judged{}(MockCall{}.misses_tool());
    CHECK(missing.kind == FailureKind::tool_not_found);
    CHECK(missing.text ==
          "Container execution failed (exit code 127): 'lint' was not found in the container");
    auto const forbidden = Judged{}(MockCall{}.misses_tool(126));
    CHECK(forbidden.kind == FailureKind::tool_not_found);
    CHECK(mentions(forbidden.text, "(exit code 126): 'lint' is not executable"));
}

TEST_CASE("a workspace folder that is not there makes the container unavailable, not the tool fail") {
    auto const failure = Judged{}(MockCall{}.misses_directory());
    CHECK(failure.kind == FailureKind::container_unavailable);
    CHECK(mentions(failure.text, "workspace_folder '/workspace' does not exist in the container"));
}

TEST_CASE("a CLI that fails before the tool is explained by its model, under the CLI's exit code") {
    Failure const explanation{FailureKind::container_unavailable, "Dev container not found.\n",
                              "devcontainer up"};
    auto const failure = Judged{}(MockCall{}.cli_fails(1, "noise"), explanation);
    CHECK(failure == Failure{FailureKind::container_unavailable,
                             "Container execution failed (exit code 1): Dev container not found.",
                             "devcontainer up"});
}

TEST_CASE("a CLI that fails without an explanation says its own words, or that it had none") {
    auto const spoken = Judged{}(MockCall{}.cli_fails(2, "usage: ...\n"));
    CHECK(spoken.kind == FailureKind::cli_failed);
    CHECK(spoken.text == "Container execution failed (exit code 2): usage: ...");
    auto const silent = Judged{}(MockCall{}.cli_fails(1, ""));
    CHECK(silent.kind == FailureKind::cli_failed);
    CHECK(mentions(silent.text, "ended before the tool was reached"));
}

TEST_CASE("an explanation counts only where the guard never spoke") {
    Failure const explanation{FailureKind::container_unavailable, "no container", ""};
    CHECK(Judged{}(MockCall{}.exits(1), explanation).kind == FailureKind::tool_failed);
    CHECK(Judged{}(MockCall{}.exits(0), explanation).kind == FailureKind::none);
    auto const request = Judged{}.request();
    CHECK(longshore::needs_explanation(request, MockCall{}.cli_fails(1, "").play(request)));
    CHECK_FALSE(longshore::needs_explanation(request, MockCall{}.exits(1).play(request)));
    CHECK_FALSE(longshore::needs_explanation(request, MockCall{}.times_out(Reached::unknown).play(request)));
}

TEST_CASE("a CLI that ends well without the tool ever being reached is no success") {
    CHECK(Judged{}.kind(MockCall{}.cli_fails(0, "")) == FailureKind::cli_failed);
}

TEST_CASE("a container that goes away while the tool runs is container_gone") {
    CHECK(Judged{}.kind(MockCall{}.loses_container()) == FailureKind::container_gone);
    auto const spoken = Judged{}(MockCall{}.prints("step 1").loses_container("Error: container died\n"));
    CHECK(spoken.kind == FailureKind::container_gone);
    CHECK(spoken.text == "Container execution failed (exit code 137): the container went away while the tool "
                         "ran: Error: container died");
}

TEST_CASE(
    "a container that is removed while the tool runs is container_gone, whatever status podman ends with") {
    auto const request = Judged{}.request();
    longshore::LaunchOutcome outcome{.reached = Reached::command, .transport_exit = 255};
    outcome.error.bytes = "Error: container has already been removed\n";
    outcome.error.complete = outcome.output.complete = false;
    auto const failure = longshore::failure_of(request, outcome, Judged{}.config);
    CHECK(failure.kind == FailureKind::container_gone);
    CHECK(failure.text ==
          "Container execution failed (exit code 255): the container went away while the tool "
          "ran: Error: container has already been removed");
}

TEST_CASE("an output whose end is missing is a failure, even though the CLI ended with 0") {
    auto const lost = Judged{}(MockCall{}.prints(R"({"complete": "to the eye"})").loses_tail());
    CHECK(lost.kind == FailureKind::output_incomplete);
    CHECK(mentions(lost.text, "the end of the output is missing"));
}

TEST_CASE("a standard output that was not read to its end is a failure, a standard error is not") {
    Judged const judged;
    auto const request = judged.request();
    auto outcome = MockCall{}.prints("{}").play(request);
    outcome.error.complete = false;
    CHECK(longshore::failure_of(request, outcome, judged.config).kind == FailureKind::none);
    outcome.output.complete = false;
    CHECK(longshore::failure_of(request, outcome, judged.config).kind == FailureKind::output_incomplete);
}

TEST_CASE("a status that another part of the program took is unknown, never a success") {
    Judged const judged;
    auto const request = judged.request();
    for (auto const reached : {Reached::unknown, Reached::command}) {
        longshore::LaunchOutcome const outcome{.reached = reached};
        auto const failure = longshore::failure_of(request, outcome, judged.config);
        CHECK(failure.kind == FailureKind::exit_status_unknown);
        CHECK(mentions(failure.text, "exit code -1"));
    }
    CHECK(judged.kind(MockCall{}.loses_status()) == FailureKind::none);
    CHECK(judged.kind(MockCall{}.exits(3).loses_status()) == FailureKind::tool_failed);
}

TEST_CASE("the noise of a CLI explains a call even when its status was taken") {
    Failure const explanation{FailureKind::container_unavailable, "No such container", ""};
    auto const call = MockCall{}.cli_fails(1, "No such container").loses_status();
    CHECK(Judged{}(call, explanation).kind == FailureKind::container_unavailable);
    CHECK(Judged{}(call).kind == FailureKind::exit_status_unknown);
}

TEST_CASE("without the guard a failure is told as what it may be, and a success still has its end") {
    Judged judged;
    judged.config.guard = false;
    CHECK(judged.kind(MockCall{}.prints("{}")) == FailureKind::none);
    auto const failure = judged(MockCall{}.prints_error("oops").exits(127));
    CHECK(failure.kind == FailureKind::tool_failed);
    CHECK(failure.text == "Container execution failed (exit code 127): oops");
    CHECK(mentions(failure.hint, "not known"));
    CHECK(judged.kind(MockCall{}.exits(137)) == FailureKind::killed_maybe_out_of_memory);
    CHECK(judged.kind(MockCall{}.loses_status()) == FailureKind::exit_status_unknown);
    CHECK(judged.kind(MockCall{}.prints("{").loses_tail()) == FailureKind::output_incomplete);
    CHECK(judged.kind(MockCall{}.times_out()) == FailureKind::timed_out);
}
