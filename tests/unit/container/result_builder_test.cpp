// SPDX-License-Identifier: BSL-1.0
// What becomes of output: parsed, kept, cut, incomplete.
#include "executor_support.hpp"

#include <longshore/container/result_builder.hpp>
#include <longshore/detail/utf8.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using longshore::BoostJson;
using longshore::ContainerConfig;
using longshore::FailureKind;
using longshore::MockCall;
using longshore::ToolResult;
using longshore::ToolStream;
using namespace std::chrono_literals;

namespace {

// What a call that went like this gives, with the default configuration and a mapper of the scenarios.
struct Built {
    ContainerConfig config{.container_id = "4f5e", .image = "node:20"};
    longshore::PathMapper mapper{"/tmp/sandbox", "/workspace"};

    ToolResult operator()(MockCall const& call, std::size_t keep = 1000) const {
        longshore::LaunchRequest request;
        request.output.keep = request.error.keep = keep;
        longshore::ResultBuilder<BoostJson> const builder{config, mapper, "docker", "20.10"};
        return builder.interpret(request, call.play(request), {1500ms, 250ms});
    }
};

std::string raw(ToolResult const& result) {
    return std::string{result.output().at("raw_output").as_string()};
}

} // namespace

TEST_CASE("a result tells the figures of its call") {
    auto const result =
        Built{}(MockCall{}.prints("{}").prints_error("warn").exits(143).leaves_running(false));
    auto const container = result.container();
    REQUIRE(container.has_value());
    CHECK(container->container_id() == "4f5e");
    CHECK(container->image() == "node:20");
    CHECK(container->workspace_folder() == "/workspace");
    CHECK(container->exec_time_ms() == 1500);
    CHECK(container->queued_ms() == 250);
    CHECK(container->exit_code() == 143);
    CHECK(container->signal() == 15);
    CHECK(container->standard_output().total == 2);
    CHECK(container->standard_error().kept == 4);
    CHECK(container->container_process_killed() == true);
    CHECK(container->cli() == "docker");
    CHECK(container->cli_version() == "20.10");
    CHECK(result.duration_ms() == 1750);
}

TEST_CASE("an output that was cut is never parsed, even where the rest would still be JSON") {
    auto const number = Built{}(MockCall{}.prints("123456"), 3);
    CHECK(number);
    CHECK(number.output() == boost::json::object{{"raw_output", "123"}});
    CHECK(number.standard_output() == ToolStream{"123", 6, true});
    auto const object = Built{}(MockCall{}.prints(R"({"a":1}   )"), 8);
    CHECK(raw(object) == R"({"a":1} )");
    CHECK(Built{}(MockCall{}.prints("123456"), 6).output() == boost::json::object{{"result", 123456}});
}

TEST_CASE("an output that was cut inside a character ends before it, and the bytes are kept exactly") {
    std::string const text = "ab\xF0\x9F\x9A\xA2";
    for (std::size_t keep = 2; keep < 6; ++keep) {
        CAPTURE(keep);
        auto const result = Built{}(MockCall{}.prints(text), keep);
        CHECK(raw(result) == "ab");
        CHECK(result.standard_output() == ToolStream{text.substr(0, keep), 6, true});
    }
}

TEST_CASE("an output that is not UTF-8 is raw text with U+FFFD, and its bytes are kept exactly") {
    auto const result = Built{}(MockCall{}.prints("a\xFF"
                                                  "b"));
    CHECK(result);
    CHECK(raw(result) == "a\xEF\xBF\xBD"
                         "b");
    CHECK(result.standard_output().bytes == "a\xFF"
                                            "b");
    CHECK(BoostJson::parse(BoostJson::serialize(result.output())).has_value());
}

TEST_CASE("an output whose end is missing is a failure that keeps what came, never a success") {
    auto const result = Built{}(MockCall{}.prints(R"({"a":1})").loses_tail());
    CHECK_FALSE(result);
    CHECK(result.failure_kind() == FailureKind::output_incomplete);
    CHECK(result.output_incomplete());
    CHECK(result.output().empty());
    CHECK(result.standard_output().bytes == R"({"a":1})");
}

TEST_CASE("a deadline keeps both streams as far as they came") {
    auto const result = Built{}(MockCall{}.prints("step 1\n").prints_error("slow").times_out());
    CHECK(result.failure_kind() == FailureKind::timed_out);
    CHECK(result.standard_output().bytes == "step 1\n");
    CHECK(result.standard_error().bytes == "slow");
    CHECK(result.container()->timed_out());
    CHECK(result.container()->standard_output().total == 7);
}

TEST_CASE("a result is the output with its paths mapped, by the configuration's options") {
    Built built;
    built.config.path_mapping = {.map_keys = true};
    CHECK(built(MockCall{}.prints(R"({"/workspace/a": "/workspace/b"})")).output() ==
          boost::json::object{{"/tmp/sandbox/a", "/tmp/sandbox/b"}});
}

TEST_CASE("a call that never started has the same shape and the exit code -1") {
    Built const built;
    longshore::ResultBuilder<BoostJson> const builder{built.config, built.mapper, "docker", ""};
    auto const result = builder.not_started({FailureKind::os_error, "no\xFF", "try"}, {0ms, 250ms});
    CHECK(result.error() == "no\xEF\xBF\xBD");
    CHECK(result.hint() == "try");
    CHECK(result.container()->exit_code() == -1);
    CHECK(result.container()->queued_ms() == 250);
    CHECK(result.duration_ms() == 250);
}

TEST_CASE("metadata of bytes that are not UTF-8 is still strict JSON") {
    Built built;
    built.config.workspace_folder = "/work\xFF";
    auto const result = built(MockCall{});
    CHECK(BoostJson::parse(BoostJson::serialize(result.metadata())).has_value());
}
