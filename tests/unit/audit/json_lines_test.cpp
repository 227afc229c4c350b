// SPDX-License-Identifier: BSL-1.0
#include <longshore/audit/json_lines.hpp>
#include <longshore/json/boost_json.hpp>

#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "../filesystem/sandbox_support.hpp"

using longshore::AuditRecord;
using longshore::JsonLinesAuditSink;

namespace {

// The ids of all records; every line must be one.
std::multiset<std::string> ids_in(std::string const& text) {
    std::multiset<std::string> ids;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        auto const record = longshore::BoostJson::parse(line);
        REQUIRE(record.has_value());
        ids.emplace(record->at("id").get_string().c_str());
    }
    return ids;
}

// Records of all sizes, most of them longer than what a pipe takes in one piece.
AuditRecord record_number(int number) {
    return {.id = std::to_string(number),
            .tool_name = "lint",
            .inputs =
                "{\"text\":\"" + std::string(static_cast<std::size_t>(number * 7919 % 10000), 'x') + "\"}"};
}

int exit_status_of(::pid_t process) {
    int status = -1;
    CHECK(::waitpid(process, &status, 0) == process);
    return status;
}

} // namespace

TEST_CASE("a sink writes one line for each record") {
    support::TemporaryDirectory directory;
    JsonLinesAuditSink const sink{directory.path() + "/trail.jsonl"};
    auto const copy = sink;
    sink(record_number(1));
    copy(record_number(2));
    CHECK(ids_in(directory.read("trail.jsonl")) == std::multiset<std::string>{"1", "2"});
    CHECK(sink.path() == directory.path() + "/trail.jsonl");
}

TEST_CASE("a sink that was never used leaves no file") {
    support::TemporaryDirectory directory;
    JsonLinesAuditSink const sink{directory.path() + "/trail.jsonl"};
    CHECK(sandbox_support::names_in(directory.path()).empty());
}

TEST_CASE("a path that no file can have is refused") {
    CHECK_THROWS_AS(JsonLinesAuditSink{""}, longshore::ValueError);
    CHECK_THROWS_AS(JsonLinesAuditSink(std::string("a\0b", 3)), longshore::ValueError);
}

TEST_CASE("inputs and outputs are cut at the payload limit") {
    support::TemporaryDirectory directory;
    JsonLinesAuditSink const sink{directory.path() + "/trail.jsonl", {.payload_limit = 20}};
    sink({.id = "1", .output = "{\"a\":\"" + std::string(100, 'x') + "\"}"});
    CHECK(directory.read("trail.jsonl").find(R"("truncated":{"output":108})") != std::string::npos);
}

TEST_CASE("eight processes with a thousand records each leave eight thousand whole lines") {
    support::TemporaryDirectory directory;
    JsonLinesAuditSink const sink{directory.path() + "/trail.jsonl"};
    constexpr int processes = 8;
    constexpr int records = 1000;
    std::vector<::pid_t> children;
    for (int process = 0; process < processes; ++process) {
        auto const child = ::fork();
        if (child == 0) {
            for (int number = 0; number < records; ++number)
                sink(record_number(process * records + number));
            ::_exit(0);
        }
        children.push_back(child);
    }
    for (auto const child : children)
        CHECK(exit_status_of(child) == 0);
    auto const ids = ids_in(directory.read("trail.jsonl"));
    CHECK(ids.size() == processes * records);
    CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == processes * records);
}

TEST_CASE("several threads with one sink, and with sinks of their own, leave whole lines") {
    support::TemporaryDirectory directory;
    auto const path = directory.path() + "/trail.jsonl";
    JsonLinesAuditSink const shared{path};
    constexpr int threads = 4;
    constexpr int records = 100;
    {
        std::vector<std::jthread> running;
        for (int thread = 0; thread < threads; ++thread)
            running.emplace_back([&, thread] {
                JsonLinesAuditSink const own{path};
                for (int number = 0; number < records; ++number)
                    (number % 2 == 0 ? shared : own)(record_number(thread * records + number));
            });
    }
    CHECK(ids_in(directory.read("trail.jsonl")).size() == threads * records);
}

TEST_CASE("a full disk is told, takes no part of a record, and works again once there is room") {
    support::TemporaryDirectory directory;
    auto const disk = directory.make("disk");
    sandbox_support::Mounted const mounted{disk, "size=64k"};
    if (!mounted) return;
    JsonLinesAuditSink const sink{disk + "/trail.jsonl"};
    sink({.id = "1"});
    directory.write("disk/filler", std::string(40 << 10, 'x'));
    auto const before = directory.read("disk/trail.jsonl");
    CHECK(sandbox_support::system_error_of([&] {
              sink({.id = "2", .inputs = "{\"a\":\"" + std::string(64 << 10, 'x') + "\"}"});
          }) == ENOSPC);
    CHECK(directory.read("disk/trail.jsonl") == before);
    std::filesystem::remove(disk + "/filler");
    sink({.id = "3"});
    CHECK(ids_in(directory.read("disk/trail.jsonl")) == std::multiset<std::string>{"1", "3"});
}

TEST_CASE("a file that an ordinary user may not write is told") {
    support::TemporaryDirectory directory;
    auto const path = directory.write("trail.jsonl", "", 0444);
    auto const refused = [&] {
        return sandbox_support::system_error_of([&] { JsonLinesAuditSink{path}({.id = "1"}); }) == EACCES;
    };
    auto const child = ::fork();
    if (child == 0) {
        constexpr ::uid_t nobody = 65534;
        auto const ordinary = ::geteuid() != 0 || ::setuid(nobody) == 0;
        ::_exit(ordinary && refused() ? 0 : 1);
    }
    CHECK(exit_status_of(child) == 0);
}
