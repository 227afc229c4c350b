// SPDX-License-Identifier: BSL-1.0
#include "runner_support.hpp"

#include <longshore/tool/error.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

using longshore::AuditRecord;
using longshore::ToolRunner;
using namespace runner_support;

TEST_CASE("two threads may activate, execute and deactivate the same tool at once") {
    ToolRegistry registry;
    std::atomic<int> calls{0};
    registry.add({.name = "count", .handler = [&](object const&) { return ++calls; }});
    std::mutex mutex;
    std::set<std::string> ids;
    ToolRunner runner{registry, {.audit = [&](AuditRecord const& record) {
                          std::lock_guard const lock{mutex};
                          ids.insert(record.id);
                      }}};
    constexpr int rounds = 500;
    constexpr int threads = 2;
    std::atomic<int> activated{0};
    std::atomic<int> deactivated{0};
    {
        std::vector<std::jthread> running;
        for (int thread = 0; thread < threads; ++thread)
            running.emplace_back([&] {
                for (int round = 0; round < rounds; ++round) {
                    activated += runner.activate("count") != nullptr;
                    CHECK(runner.execute("count", {{"round", round}}).success());
                    deactivated += runner.deactivate("count");
                    CHECK(runner.discover().size() == 1);
                }
            });
    }
    CHECK(calls == threads * rounds);
    CHECK(ids.size() == threads * rounds);
    CHECK(activated == threads * rounds);
    CHECK(deactivated >= rounds);
    CHECK(deactivated <= threads * rounds);
    CHECK_FALSE(runner.deactivate("count"));
}

TEST_CASE("a tool may be dropped and registered anew while others run it") {
    ToolRegistry registry;
    auto const add = [&] { registry.add({.name = "tool", .handler = [](object const&) { return "done"; }}); };
    add();
    ToolRunner runner{registry};
    std::atomic<bool> over{false};
    std::jthread const changing{[&] {
        for (int round = 0; round < 500; ++round) {
            registry.remove("tool");
            add();
        }
        over = true;
    }};
    while (!over) {
        try {
            auto const result = runner.execute("tool", {});
            CHECK(result.success());
        } catch (longshore::ToolError const&) { // between the two
        }
    }
    CHECK(runner.execute("tool", {}).success());
}
