// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/hooks.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using longshore::Hooks;
using longshore::LogLevel;
using longshore::Span;
using longshore::SpanEnd;
using longshore::SpanStart;

TEST_CASE("hooks that are not there are not called") {
    Hooks const hooks{};
    hooks.tell(LogLevel::error, "text");
    Span span{hooks, {"execute_tool", "lint", "4f5e"}};
    span.end({});
    CHECK_FALSE(hooks.log);
}

TEST_CASE("a log hook gets level and text, and what it throws is dropped") {
    std::vector<std::string> entries;
    Hooks hooks{.log = [&](LogLevel level, std::string_view text) {
        entries.push_back(std::string{to_string(level)} + ": " + std::string{text});
    }};
    hooks.tell(LogLevel::warning, "cut");
    CHECK(entries == std::vector<std::string>{"warning: cut"});
    hooks.log = [](LogLevel, std::string_view) { throw std::runtime_error{"disk full"}; };
    CHECK_NOTHROW(hooks.tell(LogLevel::debug, "text"));
}

TEST_CASE("a span tells its start and, once, its end") {
    std::vector<std::string> entries;
    Hooks const hooks{.span = [&](SpanStart const& start) {
        entries.push_back("start " + std::string{start.tool_name});
        return [&](SpanEnd const& end) { entries.push_back("end " + std::to_string(end.exit_code)); };
    }};
    Span span{hooks, {"execute_tool", "lint", ""}};
    span.end({longshore::FailureKind::none, 3, 1.0});
    span.end({});
    CHECK(entries == std::vector<std::string>{"start lint", "end 3"});
}

TEST_CASE("a span survives hooks that throw or return nothing") {
    Hooks const throws_at_start{.span = [](SpanStart const&) -> std::function<void(SpanEnd const&)> {
        throw std::runtime_error{"x"};
    }};
    Hooks const throws_at_end{.span = [](SpanStart const&) -> std::function<void(SpanEnd const&)> {
        return [](SpanEnd const&) { throw std::runtime_error{"x"}; };
    }};
    Hooks const nothing{.span = [](SpanStart const&) { return std::function<void(SpanEnd const&)>{}; }};
    for (auto const* hooks : {&throws_at_start, &throws_at_end, &nothing}) {
        Span span{*hooks, {}};
        CHECK_NOTHROW(span.end({}));
    }
}

TEST_CASE("every log level has a name") {
    CHECK(to_string(LogLevel::debug) == "debug");
    CHECK(to_string(LogLevel::info) == "info");
    CHECK(to_string(LogLevel::warning) == "warning");
    CHECK(to_string(LogLevel::error) == "error");
}
