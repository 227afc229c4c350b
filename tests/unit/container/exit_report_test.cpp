// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/exit_report.hpp>

#include <doctest/doctest.h>

using longshore::Ended;
using longshore::LaunchOutcome;
using longshore::reported_exit_code;
using longshore::reported_signal;
using longshore::signal_in;

TEST_CASE("the command's own status is reported before the transport's") {
    CHECK(reported_exit_code({.command_exit = 3, .transport_exit = 0}) == 3);
    CHECK(reported_exit_code({.transport_exit = 1}) == 1);
    CHECK(reported_exit_code({}) == -1);
}

TEST_CASE("only a signal on the host makes a negative exit code, and longshore's own kill makes none") {
    CHECK(reported_exit_code({.transport_exit = -9}) == -9);
    CHECK(reported_exit_code({.ended = Ended::timed_out, .transport_exit = -9}) == -1);
    CHECK(reported_exit_code({.ended = Ended::cancelled, .command_exit = 137, .transport_exit = -9}) == 137);
}

TEST_CASE("a signal is read out of 128 + n, and out of no other exit code") {
    CHECK(signal_in(137) == 9);
    CHECK(signal_in(129) == 1);
    CHECK(signal_in(192) == 64);
    for (auto const code : {-9, 0, 1, 127, 128, 193, 255})
        CHECK_FALSE(signal_in(code).has_value());
}

TEST_CASE("the signal is the command's, or the transport's when the command's end was not seen") {
    CHECK(reported_signal({.command_exit = 143, .transport_exit = -9}, true) == 15);
    CHECK(reported_signal({.transport_exit = -9}, true) == 9);
    CHECK_FALSE(reported_signal({.transport_exit = 137}, true).has_value());
    CHECK(reported_signal({.transport_exit = 137}, false) == 9);
    CHECK_FALSE(reported_signal({.ended = Ended::timed_out, .transport_exit = -9}, true).has_value());
    CHECK_FALSE(reported_signal({}, true).has_value());
}
