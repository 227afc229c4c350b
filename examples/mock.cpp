// SPDX-License-Identifier: BSL-1.0
// How a program tests its own use of longshore: without a container, without a process, without waiting.
#include <longshore/longshore.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

void expect(bool holds, std::string const& what) {
    std::cout << (holds ? "ok: " : "FAILED: ") << what << '\n';
    if (!holds) std::exit(1);
}

// The code under test: a program's own function, whatever launcher the executor has.
template <typename Executor>
std::string summary(Executor& executor, std::string const& file) {
    auto const result = executor.execute_tool("word_count", {{"path", file}});
    if (result.failure_kind() == longshore::FailureKind::timed_out) return "took too long";
    if (!result) return "failed: " + result.error();
    return std::to_string(result.output().at("lines").as_int64()) + " lines";
}

void test_summary() {
    longshore::MockLauncher mock;
    longshore::ContainerToolExecutor executor{longshore::ContainerConfig{.container_id = "test"}, mock};

    mock.prints(R"({"lines": 3})");
    expect(summary(executor, "/tmp/sandbox/notes.txt") == "3 lines", "a count is told in words");
    expect(mock.requests().back().command.arguments.back() == "word_count", "the tool was asked once");

    mock.times_out();
    expect(summary(executor, "/tmp/sandbox/notes.txt") == "took too long", "a deadline is told in words");
}

void test_time() {
    longshore::ManualClock clock;
    auto const before = clock.now();
    clock.advance(std::chrono::hours{2});
    expect(clock.now() - before == std::chrono::hours{2}, "two hours pass at once");
}

} // namespace

int main() {
    test_summary();
    test_time();
}
