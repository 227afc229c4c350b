// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_UNIT_CONTAINER_EXECUTOR_SUPPORT_HPP
#define LONGSHORE_TESTS_UNIT_CONTAINER_EXECUTOR_SUPPORT_HPP

#include <longshore/container/executor.hpp>
#include <longshore/testing/manual_clock.hpp>
#include <longshore/testing/mock_launcher.hpp>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace support {

// The scenarios' "ContainerToolExecutor with host_root "/tmp/sandbox" and container_root "/workspace"", with
// a mock and a clock that the test holds.
struct MockedExecutor {
    using Executor = longshore::ContainerToolExecutor<longshore::MockLauncher, longshore::BoostJson,
                                                      longshore::ManualClock, longshore::DevcontainerCli>;

    explicit MockedExecutor(longshore::ContainerConfig config = standard())
        : executor{std::move(config), launcher, clock, hooks()} {}

    static longshore::ContainerConfig standard() {
        return {.container_id = "test-ctr", .image = "node:20", .host_sandbox_path = "/tmp/sandbox"};
    }

    longshore::ToolResult run(std::string_view tool = "file_read",
                              longshore::ExecuteOptions const& options = {}) {
        return executor.execute_tool(tool, {{"path", "/tmp/sandbox/src/main.py"}}, options);
    }

    // What the last launch was asked for.
    longshore::LaunchRequest last_request() const { return launcher.requests().back(); }
    std::string last_input() const { return std::get<std::string>(last_request().input); }

    longshore::MockLauncher launcher{};
    longshore::ManualClock clock{};
    std::vector<std::string> logged{};
    std::vector<std::string> spans{};
    Executor executor;

private:
    // Hooks are called from several threads at once.
    void note(std::vector<std::string>& list, std::string text) {
        std::lock_guard const lock{mutex_};
        list.push_back(std::move(text));
    }

    longshore::Hooks hooks() {
        return {.log =
                    [this](longshore::LogLevel level, std::string_view text) {
                        note(logged, std::string{to_string(level)} + ": " + std::string{text});
                    },
                .span =
                    [this](longshore::SpanStart const& start) {
                        note(spans, "start " + std::string{start.tool_name});
                        return [this](longshore::SpanEnd const& end) {
                            note(spans, "end " + std::string{to_string(end.failure_kind)});
                        };
                    }};
    }

    std::mutex mutex_{};
};

inline bool mentions(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

} // namespace support

#endif
