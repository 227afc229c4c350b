// SPDX-License-Identifier: BSL-1.0
#include <longshore/tool/audit_record.hpp>
#include <longshore/tool/invocation.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using longshore::FailureKind;
using longshore::ToolInvocation;
using longshore::ToolResult;
using object = boost::json::object;
using namespace std::chrono_literals;

namespace {

auto const decision = longshore::EnvironmentDecision{longshore::ExecutionEnvironment::container,
                                                     longshore::EnvironmentLevel::tool};

} // namespace

TEST_CASE("an audit record holds all of an invocation") {
    auto const record = longshore::audit_record(ToolInvocation{
        .id = "1",
        .tool_name = "lint",
        .started_at = std::chrono::system_clock::time_point{5s},
        .duration = 3ms,
        .inputs = object{{"a", 1}},
        .environment = decision,
        .result = ToolResult::failure({FailureKind::tool_failed, "failed", "try again"}, {}, {{"b", 2}}),
        .container_metadata = object{{"exit_code", 3}}});
    CHECK(record == longshore::AuditRecord{.id = "1",
                                           .started_at = std::chrono::system_clock::time_point{5s},
                                           .duration = 3ms,
                                           .tool_name = "lint",
                                           .environment = decision,
                                           .inputs = R"({"a":1})",
                                           .success = false,
                                           .output = R"({"b":2})",
                                           .failure_kind = FailureKind::tool_failed,
                                           .error = "failed",
                                           .hint = "try again",
                                           .container_metadata = R"({"exit_code":3})"});
}

TEST_CASE("what JSON cannot say is left out of an audit record, and the rest stays") {
    auto const infinity = std::numeric_limits<double>::infinity();
    auto const record =
        longshore::audit_record(ToolInvocation{.tool_name = "lint",
                                               .inputs = object{{"a", infinity}},
                                               .result = ToolResult::success({{"a", "\xff"}}),
                                               .container_metadata = object{{"exit_code", 0}}});
    CHECK(record.inputs.empty());
    CHECK(record.output.empty());
    CHECK(record.success);
    CHECK(record.container_metadata == R"({"exit_code":0})");
}

TEST_CASE("secrets are left out of every part of an audit record") {
    longshore::Redactor const redactor{{"hunter2"}};
    auto const record = longshore::audit_record(
        ToolInvocation{.tool_name = "hunter2",
                       .inputs = object{{"hunter2", "hunter2"}},
                       .result = ToolResult::failure({FailureKind::tool_failed, "no hunter2", "ask hunter2"},
                                                     {}, {{"a", {1, "hunter2"}}}),
                       .container_metadata = object{{"image", "hunter2:1"}}},
        &redactor);
    CHECK(record.tool_name == "[redacted]");
    CHECK(record.inputs == R"({"[redacted]":"[redacted]"})");
    CHECK(record.output == R"({"a":[1,"[redacted]"]})");
    CHECK(record.error == "no [redacted]");
    CHECK(record.hint == "ask [redacted]");
    CHECK(record.container_metadata == R"({"image":"[redacted]:1"})");
}

TEST_CASE("any copyable callable that takes a record is a sink") {
    auto const keeps = [](longshore::AuditRecord const&) {};
    CHECK(longshore::AuditSink<decltype(keeps)>);
    auto const changes = [](longshore::AuditRecord&) {};
    CHECK_FALSE(longshore::AuditSink<decltype(changes)>);
    auto const moves = [held = std::unique_ptr<int>{}](longshore::AuditRecord const&) {};
    CHECK_FALSE(longshore::AuditSink<decltype(moves)>);
}
