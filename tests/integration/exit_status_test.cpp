// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <optional>
#include <string>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;

namespace {

FailureKind kind_of_exit(int status) {
    if (status == 0) return FailureKind::none;
    return status == 137 ? FailureKind::killed_maybe_out_of_memory : FailureKind::tool_failed;
}

} // namespace

TEST_CASE("the exit status of a tool is told as its own, also where CLIs and engines use the same number") {
    in_every_place([](Place const& place) {
        for (int const status : {0, 1, 3, 125, 126, 127, 137, 255}) {
            CAPTURE(status);
            auto executor = place.shell("echo '{\"a\":1}'; echo oops >&2; exit " + std::to_string(status));
            auto const result = executor.execute_tool("tool", object{});
            CHECK(result.failure_kind() == kind_of_exit(status));
            CHECK(result.container().value().exit_code() == status);
            CHECK(result.standard_output().bytes == "{\"a\":1}\n");
            CHECK(result.standard_error().bytes == "oops\n");
            CHECK_FALSE(result.output_incomplete());
            if (status != 0)
                CHECK(result.error() ==
                      "Container execution failed (exit code " + std::to_string(status) + "): oops");
        }
    });
}

TEST_CASE("a signal that ends a tool is told") {
    in_places(few_ways(), [](Place const& place) {
        for (int const signal : {SIGKILL, SIGTERM, SIGSEGV}) {
            CAPTURE(signal);
            auto executor = place.shell("kill -" + std::to_string(signal) + " $$");
            auto const result = executor.execute_tool("tool", object{});
            CHECK(result.failure_kind() == kind_of_exit(128 + signal));
            CHECK(result.container().value().exit_code() == 128 + signal);
            CHECK(result.container().value().signal() == signal);
        }
    });
}

TEST_CASE("the text of an engine's error is only text when a tool prints it") {
    in_places(few_ways(), [](Place const& place) {
        auto executor =
            place.shell("echo 'Error: No such container: abc' >&2; echo 'OCI runtime exec failed: exec "
                        "failed: executable file not found'; exit 1");
        auto const result = executor.execute_tool("tool", object{});
        CHECK(result.failure_kind() == FailureKind::tool_failed);
        CHECK(result.container().value().exit_code() == 1);
    });
}

TEST_CASE("a container CLI that is killed on the host is told by its signal, and leaves no tool behind") {
    in_places(ways_into_containers(), [](Place const& place) {
        auto const name = unique_name("tool");
        auto executor = place.shell("echo started; while :; do sleep 0.05; done");
        auto const result =
            executor.execute_tool(name, object{}, {.on_output = [](longshore::Stream, std::string_view) {
                                      for (auto const& process : all_processes())
                                          if (parent_of(process.id) == ::getpid())
                                              ::kill(process.id, SIGKILL);
                                      return longshore::Flow::go_on;
                                  }});
        CHECK(result.failure_kind() == FailureKind::killed_maybe_out_of_memory);
        CHECK(result.container().value().exit_code() == -SIGKILL);
        CHECK(result.container().value().signal() == SIGKILL);
        is_gone(place, name);
    });
}
