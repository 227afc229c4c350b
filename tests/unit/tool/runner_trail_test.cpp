// SPDX-License-Identifier: BSL-1.0
#include "runner_support.hpp"

#include <longshore/audit/json_lines.hpp>

#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../filesystem/sandbox_support.hpp"

using longshore::JsonLinesAuditSink;
using longshore::ToolRunner;
using namespace runner_support;

namespace {

// Runs a tool with a trail at that path. True: the result came back, and the log has the loss of the record.
bool result_survives(std::string const& trail, std::string_view reason) {
    ToolRegistry registry;
    registry.add({.name = "echo", .handler = [](object const& inputs) { return inputs; }});
    std::vector<LogEntry> log;
    ToolRunner runner{registry, {.audit = JsonLinesAuditSink{trail}, .hooks = logging_to(log)}};
    object const inputs{{"text", std::string(100000, 'x')}};
    return runner.execute("echo", inputs).output() == inputs && log.size() == 1 &&
           log[0].level == longshore::LogLevel::error && holds(log[0].text, reason);
}

template <typename Child>
int status_of(Child child) {
    auto const process = ::fork();
    if (process == 0) ::_exit(child());
    int status = -1;
    CHECK(::waitpid(process, &status, 0) == process);
    return status;
}

} // namespace

TEST_CASE("a program that is killed right after an execution has returned loses no record") {
    support::TemporaryDirectory directory;
    JsonLinesAuditSink const sink{directory.path() + "/trail.jsonl"};
    auto const status = status_of([&] {
        ToolRegistry registry;
        registry.add({.name = "echo", .handler = [](object const& inputs) { return inputs; }});
        ToolRunner runner{registry, {.audit = sink}};
        for (int call = 0; call < 10; ++call)
            runner.execute("echo", {{"call", call}});
        return ::raise(SIGKILL);
    });
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
    auto const text = directory.read("trail.jsonl");
    for (int call = 0; call < 10; ++call)
        CHECK(holds(text, "\"inputs\":{\"call\":" + std::to_string(call) + "}"));
    CHECK(text.back() == '\n');
}

TEST_CASE("a full disk loses a record but not the result") {
    support::TemporaryDirectory directory;
    auto const disk = directory.make("disk");
    sandbox_support::Mounted const mounted{disk, "size=64k"};
    if (!mounted) return;
    CHECK(result_survives(disk + "/trail.jsonl", "No space left on device"));
}

TEST_CASE("a trail that an ordinary user may not write loses a record but not the result") {
    support::TemporaryDirectory directory;
    auto const trail = directory.write("trail.jsonl", "", 0444);
    CHECK(status_of([&] {
              constexpr ::uid_t nobody = 65534;
              auto const ordinary = ::geteuid() != 0 || ::setuid(nobody) == 0;
              return ordinary && result_survives(trail, "Permission denied") ? 0 : 1;
          }) == 0);
    CHECK(directory.read("trail.jsonl").empty());
}

TEST_CASE("a trail in a directory that is gone loses a record but not the result") {
    support::TemporaryDirectory directory;
    CHECK(result_survives(directory.path() + "/gone/trail.jsonl", "No such file or directory"));
}
