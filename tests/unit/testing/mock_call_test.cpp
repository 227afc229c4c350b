// SPDX-License-Identifier: BSL-1.0
#include <longshore/testing/mock_call.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

using longshore::Ended;
using longshore::Flow;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::MockCall;
using longshore::Reached;
using namespace std::chrono_literals;

namespace {

LaunchOutcome played(MockCall const& call, LaunchRequest const& request = {}) { return call.play(request); }

} // namespace

TEST_CASE("a mock call without more prints nothing and ends well") {
    auto const outcome = played(MockCall{});
    CHECK(outcome.ended == Ended::exited);
    CHECK(outcome.reached == Reached::end);
    CHECK(outcome.exit_code() == 0);
    CHECK(outcome.output.bytes.empty());
    CHECK(outcome.output.complete);
}

TEST_CASE("a mock tool prints to both streams and ends with a status or a signal") {
    auto const outcome = played(MockCall{}.prints("out").prints_error("err").exits(3));
    CHECK(outcome.output.bytes == "out");
    CHECK(outcome.error.bytes == "err");
    CHECK(outcome.command_exit == 3);
    CHECK(outcome.transport_exit == 3);
    CHECK(played(MockCall{}.killed_by_signal(15)).command_exit == 143);
}

TEST_CASE("a mock call reaches the milestone that its failure is about") {
    CHECK(played(MockCall{}.cli_fails(1, "noise")).reached == Reached::unknown);
    CHECK(played(MockCall{}.cli_fails(1, "noise")).transport_noise == "noise");
    CHECK(played(MockCall{}.misses_directory()).reached == Reached::transport);
    CHECK(played(MockCall{}.misses_tool()).reached == Reached::directory);
    CHECK(played(MockCall{}.misses_tool(126)).command_exit == 126);
    auto const gone = played(MockCall{}.prints("part").loses_container("died"));
    CHECK(gone.reached == Reached::command);
    CHECK(gone.transport_exit == 137);
    CHECK(gone.output.bytes == "part");
    CHECK_FALSE(gone.output.complete);
    auto const lost = played(MockCall{}.loses_tail());
    CHECK(lost.reached == Reached::command);
    CHECK(lost.transport_exit == 0);
    CHECK_FALSE(lost.error.complete);
    auto const killed = played(MockCall{}.killed_on_host(9));
    CHECK(killed.reached == Reached::command);
    CHECK(killed.exit_code() == -9);
    CHECK_FALSE(played(MockCall{}.loses_status()).transport_exit.has_value());
}

TEST_CASE("a mock call that longshore stops keeps what was printed so far") {
    auto const outcome = played(MockCall{}.prints("step 1").times_out());
    CHECK(outcome.ended == Ended::timed_out);
    CHECK(outcome.output.bytes == "step 1");
    CHECK(outcome.everything_killed == true);
    CHECK(played(MockCall{}.times_out().leaves_running(true)).everything_killed == false);
    CHECK(played(MockCall{}.no_output()).ended == Ended::no_output);
    CHECK(played(MockCall{}.is_cancelled()).ended == Ended::cancelled);
    CHECK(played(MockCall{}.times_out(Reached::unknown)).reached == Reached::unknown);
}

TEST_CASE("a mock call that fails to start throws the system's error and runs nothing") {
    bool ran = false;
    auto const call = MockCall{}.fails_to_start(ENOENT).meanwhile([&](LaunchRequest const&) { ran = true; });
    try {
        played(call);
        FAIL("nothing was thrown");
    } catch (std::system_error const& error) {
        CHECK(error.code() == std::errc::no_such_file_or_directory);
    }
    CHECK_FALSE(ran);
}

TEST_CASE("a mock call honours what a request keeps, accepts and listens to") {
    LaunchRequest request;
    std::string heard;
    request.output.keep = 2;
    request.output.sink = [&](std::string_view bytes) {
        heard += bytes;
        return Flow::go_on;
    };
    auto const cut = played(MockCall{}.prints("12345"), request);
    CHECK(cut.output.bytes == "12");
    CHECK(cut.output.total == 5);
    CHECK(cut.output.cut);
    CHECK(heard == "12345");
    request.output.accept = 4;
    CHECK(played(MockCall{}.prints("12345"), request).ended == Ended::limit);
    request.output.sink = [](std::string_view) { return Flow::stop; };
    CHECK(played(MockCall{}.prints("12345"), request).ended == Ended::stopped_by_sink);
    request.output.sink = [](std::string_view) -> Flow { throw std::runtime_error{"enough"}; };
    CHECK_THROWS_AS(played(MockCall{}.prints("12345"), request), std::runtime_error);
}

TEST_CASE("a mock call merges the streams when a request asks for it") {
    LaunchRequest request;
    request.merge_error = true;
    auto const outcome = played(MockCall{}.prints("out ").prints_error("err"), request);
    CHECK(outcome.output.bytes == "out err");
    CHECK(outcome.error.bytes.empty());
}

TEST_CASE("a mock call without a guard tells nothing but the transport's status") {
    LaunchRequest request;
    request.guarded = false;
    auto const outcome = played(MockCall{}.exits(3), request);
    CHECK(outcome.reached == Reached::unknown);
    CHECK_FALSE(outcome.command_exit.has_value());
    CHECK(outcome.transport_exit == 3);
}

TEST_CASE("a mock call tells how long it took, and runs the test's own code meanwhile") {
    std::string tool;
    auto const call = MockCall{}.takes(5s, 1s).meanwhile(
        [&](LaunchRequest const& request) { tool = request.command.arguments.front(); });
    LaunchRequest request;
    request.command.arguments = {"lint"};
    auto const outcome = played(call, request);
    CHECK(outcome.elapsed == 5s);
    CHECK(outcome.queued == 1s);
    CHECK(tool == "lint");
}
