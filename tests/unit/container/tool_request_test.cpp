// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/tool_request.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using longshore::ContainerConfig;
using longshore::Flow;
using longshore::OutputTap;
using longshore::PathMapper;
using longshore::Stream;
using longshore::ValueError;

TEST_CASE("a tool's name is shown in the refusal with its control characters escaped") {
    CHECK_THROWS_WITH_AS(longshore::check_tool_name("a\nb"),
                         "tool_name must not hold null bytes or control characters: 'a\\x0ab'", ValueError);
    CHECK_THROWS_WITH_AS(longshore::check_tool_name("-v"), "tool_name must not start with '-': '-v'",
                         ValueError);
    CHECK_NOTHROW(longshore::check_tool_name("lint"));
}

TEST_CASE("a tool call owns its parts and has no sinks where nobody listens") {
    ContainerConfig const config{.container_id = "4f5e", .tool_command = {"run"}};
    auto const call = longshore::make_tool_call(config, PathMapper{"/tmp/sandbox", "/workspace"}, "lint", {});
    CHECK(call.tool_name == "lint");
    CHECK(call.request.command.arguments == std::vector<std::string>{"run", "lint"});
    CHECK(call.request.command.working_directory == "/workspace");
    CHECK_FALSE(call.request.output.sink);
    CHECK(call.tap == nullptr);
}

TEST_CASE("a tap passes bytes on until its listener throws, and then keeps what it threw") {
    std::string heard;
    OutputTap tap{[&](Stream, std::string_view bytes) {
        heard += bytes;
        if (bytes == "bad") throw std::runtime_error{"enough"};
        return Flow::go_on;
    }};
    CHECK(tap(Stream::output, "good ") == Flow::go_on);
    CHECK_NOTHROW(tap.rethrow());
    CHECK(tap(Stream::error, "bad") == Flow::stop);
    CHECK(tap(Stream::output, "more") == Flow::stop);
    CHECK(heard == "good bad");
    CHECK_THROWS_WITH_AS(tap.rethrow(), "enough", std::runtime_error);
}
