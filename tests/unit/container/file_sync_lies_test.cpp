// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/file_sync.hpp>

#include "sync_support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using longshore::ContainerExecutionError;
using longshore::ContainerToolExecutor;
using longshore::SyncLimits;
using longshore::SyncOptions;
using longshore::SyncProblem;
using longshore::SyncReport;
using namespace sync_support;
using namespace std::string_literals;

namespace {

// A container whose answers a test writes; the sandbox holds an old file, `a`.
struct Liar {
    explicit Liar(LyingLauncher::Answer answer) : executor{config(), LyingLauncher{std::move(answer)}} {
        directory.make("sandbox");
        directory.make("outside");
        directory.write("sandbox/a", "old");
    }

    ContainerConfig config() const {
        return {.container_id = "4f5e", .host_sandbox_path = directory.path() + "/sandbox"};
    }
    SyncReport tree(SyncOptions const& options = {}) {
        return executor.sync_tree_to_host("/workspace", options);
    }
    SyncReport list(std::vector<std::string> const& paths, SyncOptions const& options = {}) {
        return executor.sync_all_to_host(paths, options);
    }
    bool left_nothing() const {
        return names_in(directory.path()) == Names{"outside", "sandbox", "sandbox/a"} &&
               directory.read("sandbox/a") == "old";
    }

    support::TemporaryDirectory directory{};
    ContainerToolExecutor<LyingLauncher> executor;
};

std::string done(std::string const& mark, std::uint64_t count = 1) { return record(mark, "done", count); }

} // namespace

TEST_CASE("a name that would lead out of the tree ends the call, and nothing is written anywhere") {
    for (auto const& name : {"../outside/x"s, ".."s, "a/../../outside/x"s, "/etc/passwd"s, "//x"s, "./x"s,
                             "x/."s, "x//y"s, "x/"s, "."s, ""s}) {
        CAPTURE(name);
        Liar liar{[&](auto const& question) {
            auto const& mark = question.mark;
            return record(mark, "directory") + whole_file(mark, "evil", name) + done(mark);
        }};
        auto const report = liar.tree();
        CHECK(holds(report.failure.text, "path traversal"));
        CHECK_THROWS_AS(report.require(), ContainerExecutionError);
        CHECK(liar.left_nothing());
    }
}

TEST_CASE("a directory whose name would lead out of the tree ends the call") {
    for (auto const& name : {"../outside/x"s, "/tmp/x"s, "x/../y"s}) {
        Liar liar{[&](auto const& question) {
            return record(question.mark, "directory") + record(question.mark, "directory", 0, name) +
                   done(question.mark);
        }};
        CHECK(holds(liar.tree().failure.text, "path traversal"));
        CHECK(liar.left_nothing());
    }
}

TEST_CASE("an answer that no honest container gives ends the call, and what it began is abandoned") {
    struct Case {
        std::string_view why;
        std::function<std::string(std::string const& mark)> answer;
    };
    std::string const four = "four";
    std::vector<Case> const cases{
        {"a name comes twice",
         [&](auto const& m) { return record(m, "missing", 0, "b") + whole_file(m, four, "b"); }},
        {"a file's end is not where",
         [&](auto const& m) { return record(m, "file", 4, "a") + four + record(m, "missing", 0, "b"); }},
        {"a file's end is not where", [&](auto const& m) { return record(m, "whole"); }},
        {"a file's end is not where",
         [&](auto const& m) { return record(m, "file", 4, "a") + four + done(m); }},
        {"a record was expected",
         [&](auto const& m) { return record(m, "file", 3, "a") + four + record(m, "whole"); }},
        {"a record was expected", [&](auto const&) { return record(std::string(32, '0'), "file", 0, "a"); }},
        {"a record was expected", [&](auto const&) { return "\r\nhello\0"s; }},
        {"a record that is none", [&](auto const& m) { return record(m, "rm", 0, "a"); }},
        {"a record that is none", [&](auto const& m) { return m + " file -1 a\0"s; }},
        {"a record that is none", [&](auto const& m) { return m + " file 99999999999999999999 a\0"s; }},
        {"a record that is none", [&](auto const& m) { return m + " file\0"s; }},
        {"a record is too long", [&](auto const& m) { return record(m, "file", 0, std::string(5000, 'a')); }},
        {"a record is too long", [&](auto const& m) { return m + " file 4 " + std::string(1U << 20U, 'a'); }},
        {"empty records", [&](auto const& m) { return record(m, "missing", 0, "b") + std::string(2, '\0'); }},
        {"empty records",
         [&](auto const& m) {
             return record(m, "file", 4, "a") + four + std::string(5, '\0') + record(m, "changed");
         }},
        {"something follows its end", [&](auto const& m) { return done(m) + whole_file(m, four, "b"); }},
        {"something follows its end", [&](auto const& m) { return done(m) + done(m); }},
        {"beyond the limit of bytes", [&](auto const& m) { return record(m, "file", 101, "a"); }},
        {"beyond the limit of bytes together",
         [&](auto const& m) {
             return record(m, "missing", 0, "x") + record(m, "file", 100, "a") + std::string(100, 'x') +
                    record(m, "changed") + record(m, "file", 51, "b");
         }},
        {"a name lies too deep", [&](auto const& m) { return whole_file(m, four, "1/2/3/4"); }},
    };
    for (auto const& lie : cases) {
        CAPTURE(lie.why);
        Liar liar{[&](auto const& question) {
            return record(question.mark, "directory") + lie.answer(question.mark);
        }};
        auto const report = liar.tree({.limits = {.file_bytes = 100, .total_bytes = 150, .depth = 2}});
        CAPTURE(report.failure.text);
        CHECK(holds(report.failure.text, "cannot be trusted"));
        CHECK(holds(report.failure.text, lie.why));
        CHECK(liar.left_nothing());
    }
}

TEST_CASE("a million entries end the call at the limit") {
    for (auto const* word : {"file", "directory", "link"}) {
        Liar liar{[&](auto const& question) {
            auto text = record(question.mark, "directory");
            for (int number = 0; number < 1'000'000 && text.size() < (8U << 20U); ++number)
                text += record(question.mark, word, 0, std::to_string(number)) +
                        (word == "file"s ? record(question.mark, "whole") : "");
            return text;
        }};
        auto const report = liar.tree({.limits = {.entries = 100}, .survives_power_loss = false});
        CHECK(holds(report.failure.text, "more entries than were asked for"));
        CHECK(report.files.size() + report.directories <= 101);
    }
}

TEST_CASE("names are held in memory, so their sum is bounded") {
    Liar liar{[&](auto const& question) {
        auto text = record(question.mark, "directory");
        for (int number = 0; number < 10'000; ++number)
            text += record(question.mark, "link", 0, std::to_string(number) + std::string(4000, 'x'));
        return text;
    }};
    CHECK(holds(liar.tree().failure.text, "names are too long together"));
}

TEST_CASE("files that were not asked for are not taken, and missing answers are missed") {
    Liar liar{[&](auto const& question) {
        return whole_file(question.mark, "new") + whole_file(question.mark, "more") + done(question.mark);
    }};
    auto const more = liar.list({"/workspace/b"});
    CHECK(holds(more.failure.text, "a file that was not asked for"));
    CHECK(more.files.front());
    auto const fewer = liar.list({"/workspace/b", "/workspace/c", "/workspace/d"});
    CHECK(holds(fewer.failure.text, "files are missing in it"));
    CHECK(fewer.files[1]);
    CHECK(fewer.files[2].problem == SyncProblem::not_reached);
    Liar named{
        [&](auto const& question) { return whole_file(question.mark, "new", "x") + done(question.mark); }};
    CHECK(holds(named.list({"/workspace/b"}).failure.text, "a file that was not asked for"));
    CHECK(named.left_nothing());
    Liar folder{
        [&](auto const& question) { return record(question.mark, "directory") + done(question.mark); }};
    CHECK(holds(folder.list({"/workspace/b"}).failure.text, "a directory that was not asked for"));
    CHECK(folder.left_nothing());
}

TEST_CASE("a tree whose entries are in each other's way fails where the host refuses, not everywhere") {
    Liar liar{[&](auto const& question) {
        auto const& mark = question.mark;
        return record(mark, "directory") + whole_file(mark, "one", "b") + whole_file(mark, "two", "b/c") +
               whole_file(mark, "four", std::string(300, 'n')) +
               whole_file(mark, "five", ".longshore-0123456789abcdef.part") + whole_file(mark, "three", "d") +
               done(mark, 5);
    }};
    auto const report = liar.tree();
    CHECK(report.failure.text == "");
    REQUIRE(report.files.size() == 5);
    CHECK(report.files[0]);
    CHECK(report.files[1].problem == SyncProblem::not_written);
    CHECK(report.files[2].problem == SyncProblem::not_written);
    CHECK(report.files[3].problem == SyncProblem::refused);
    CHECK(report.files[4]);
    CHECK(liar.directory.read("sandbox/b") == "one");
    CHECK(liar.directory.read("sandbox/d") == "three");
}

TEST_CASE("an answer that stops at any byte is missed, and only whole files are there") {
    auto const answer = [](std::string const& mark) {
        return record(mark, "directory") + whole_file(mark, "first", "a") +
               record(mark, "directory", 0, "d") + whole_file(mark, "second", "d/b") +
               record(mark, "done", 3);
    };
    auto const size = answer(std::string(32, 'm')).size();
    for (std::size_t length = 0; length < size; ++length) {
        Liar liar{[&](auto const& question) { return answer(question.mark).substr(0, length); }};
        auto const report = liar.tree({.survives_power_loss = false});
        REQUIRE(holds(report.failure.text, "the end of the container's answer is missing"));
        auto const a = liar.directory.read("sandbox/a");
        REQUIRE((a == "old" || a == "first"));
        auto const b = liar.directory.read("sandbox/d/b");
        REQUIRE((b.empty() || b == "second"));
        for (auto const& name : names_in(liar.directory.path()))
            REQUIRE_FALSE(holds(name, ".part"));
    }
}
