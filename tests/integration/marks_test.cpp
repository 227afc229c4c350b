// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <longshore/process/process_launcher.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using longshore::LaunchOutcome;
using longshore::ProcessLauncher;
using longshore::Reached;
using namespace longshore_test;

namespace {

// A transport that writes down all that comes back through it.
void record(longshore::LaunchRequest& request, Workspace const& workspace) {
    workspace.write_program("recorder", "#!/bin/sh\nrecord=$1\nshift\n\"$@\" | tee \"$record\"\n");
    auto& arguments = request.transport.arguments;
    arguments.insert(arguments.begin(), {workspace.path("recorder"), workspace.path("recorded")});
}

} // namespace

TEST_CASE("a tool that prints the frame of an earlier call prints text") {
    in_places(every_program(), [](Place const& place) {
        auto earlier = place.request({"sh", "-c", "echo earlier; exit 0"});
        record(earlier, place.workspace());
        REQUIRE(ProcessLauncher{}.run(earlier).output.bytes == "earlier\n");
        auto const frame = place.workspace().read("recorded");
        REQUIRE(frame.find("\036") != std::string::npos);
        REQUIRE(frame.find(" end 0\n") != std::string::npos);

        auto const outcome = ProcessLauncher{}.run(
            place.request({"sh", "-c", "cat recorded; cat recorded >&2; echo after; exit 3"}));
        CHECK(outcome.reached == Reached::end);
        CHECK(outcome.command_exit == 3);
        CHECK(outcome.output.bytes == frame + "after\n");
        CHECK(outcome.error.bytes == frame);
        CHECK(outcome.output.complete);
        CHECK(outcome.transport_noise == "");
    });
}

TEST_CASE("a tool finds its call's mark in no argument and in no environment that it can read") {
    in_places(every_program(), [](Place const& place) {
        auto request = place.request(
            {"sh", "-c", "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'"});
        record(request, place.workspace());
        auto const outcome = ProcessLauncher{}.run(request);
        auto const frame = place.workspace().read("recorded");
        auto const at = frame.find('\036');
        REQUIRE(at != std::string::npos);
        auto const mark = frame.substr(at + 1, 32);
        CHECK(mark.find_first_not_of("0123456789abcdef") == std::string::npos);
        CHECK(outcome.output.bytes.find("LONGSHORE_CALL=") != std::string::npos);
        CHECK(outcome.output.bytes.find(mark) == std::string::npos);
    });
}
