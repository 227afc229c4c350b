// SPDX-License-Identifier: BSL-1.0
#include "runner_support.hpp"

#include <longshore/audit/json_line.hpp>
#include <longshore/container/executor.hpp>
#include <longshore/testing/mock_launcher.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using longshore::AuditRecord;
using longshore::ContainerConfig;
using longshore::ContainerToolExecutor;
using longshore::MockCall;
using longshore::MockLauncher;
using longshore::ToolRunner;
using namespace runner_support;

namespace {

// A runner whose tool runs in a container that a script plays.
struct Contained {
    explicit Contained(std::vector<std::string> secrets) : config{.container_id = "c1", .redact = secrets} {
        registry.add({.name = "login", .handler = {}});
    }

    ToolResult run(MockCall const& call, longshore::RunOptions const& run_options = {}) {
        MockLauncher launcher;
        launcher.then(call);
        ContainerToolExecutor executor{config, launcher, logging_to(log)};
        auto options = in_container();
        options.hooks = logging_to(log);
        options.audit = [this](AuditRecord const& record) { records.push_back(record); };
        ToolRunner runner{registry, executor, options};
        auto result = runner.execute("login", {{"user", "me"}}, run_options);
        requests = launcher.requests();
        return result;
    }

    bool told(std::string_view text) const {
        for (auto const& record : records)
            if (holds(longshore::json_line(record, std::size_t{1} << 20), text)) return true;
        for (auto const& entry : log)
            if (holds(entry.text, text)) return true;
        return false;
    }

    ToolRegistry registry{};
    ContainerConfig config;
    std::vector<AuditRecord> records{};
    std::vector<LogEntry> log{};
    std::vector<longshore::LaunchRequest> requests{};
};

} // namespace

TEST_CASE("a secret that a tool prints as it fails reaches no error, no log and no record") {
    Contained contained{{"hunter2"}};
    auto const result = contained.run(MockCall{}.prints_error("token hunter2 is expired").exits(1));
    CHECK(holds(result.error(), "token [redacted] is expired"));
    CHECK_FALSE(holds(result.hint(), "hunter2"));
    REQUIRE(contained.records.size() == 1);
    CHECK(holds(contained.records[0].error, "token [redacted] is expired"));
    CHECK_FALSE(contained.told("hunter2"));
}

TEST_CASE("a secret in a tool's output comes back to the caller and reaches no record") {
    Contained contained{{"hunter2"}};
    auto const result = contained.run(MockCall{}.prints(R"({"token":"hunter2"})"));
    CHECK(result.output() == object{{"token", "hunter2"}});
    CHECK_FALSE(contained.told("hunter2"));
    CHECK(contained.records.at(0).output == R"({"token":"[redacted]"})");
}

TEST_CASE("a tool's own variables stand on no command line and in no record") {
    Contained contained{{}};
    contained.run(MockCall{}, {.execution = {.environment = {{"TOKEN", "hunter2"}}}});
    REQUIRE(contained.requests.size() == 1);
    for (auto const& argument : contained.requests[0].transport.arguments)
        CHECK_FALSE(holds(argument, "hunter2"));
    for (auto const& argument : contained.requests[0].command.arguments)
        CHECK_FALSE(holds(argument, "hunter2"));
    for (auto const& variable : contained.requests[0].transport.environment)
        CHECK_FALSE(holds(variable, "hunter2"));
    CHECK_FALSE(contained.told("hunter2"));
}

TEST_CASE("a kill that was not longshore's keeps its meaning on the way through a runner") {
    Contained contained{{}};
    auto const killed = contained.run(MockCall{}.killed_by_signal(9));
    CHECK(killed.failure_kind() == FailureKind::killed_maybe_out_of_memory);
    CHECK(killed.container()->exit_code() == 137);
    CHECK(contained.records.at(0).failure_kind == FailureKind::killed_maybe_out_of_memory);

    auto const late = contained.run(MockCall{}.times_out());
    CHECK(late.failure_kind() == FailureKind::timed_out);
    CHECK(contained.records.at(1).failure_kind == FailureKind::timed_out);
}
