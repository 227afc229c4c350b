// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/file_sync.hpp>

#include "sync_support.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using longshore::ContainerExecutionError;
using longshore::ContainerTimeoutError;
using longshore::SyncLimits;
using longshore::SyncProblem;
using longshore::SyncProgress;
using namespace sync_support;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// Sizes around those of the blocks that the shell and the pipe use.
constexpr std::size_t sizes[]{0, 1, 65537, 131071, 131072, 131073, 1000003};

} // namespace

TEST_CASE("every byte of a file comes from a shell, whatever its size") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        for (auto const size : sizes) {
            CAPTURE(size);
            folders.workspace.write("file", every_byte(size));
            CHECK(executor.sync_results_to_host(folders.there("file")) == folders.here("file"));
            CHECK((folders.sandbox.read("file") == every_byte(size)));
        }
        CHECK(names_in(folders.sandbox.path()) == Names{"file"});
        CHECK(names_in(folders.workspace.path()) == Names{"file"});
    });
}

TEST_CASE("a file is found by any name that a file can have") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        std::vector<std::string> const names{" ",        "-n",    "--help", "a b", "a\nb",   "\n",
                                             "a\n",      "$(id)", "`id`",   "a'b", "a\"b",   "a\\nb",
                                             "\xff\xfe", "\\",    "*",      "[a]", "?",      "\r\n",
                                             "ä",        "~",     "%s",     "...", ".hidden"};
        std::vector<std::string> paths;
        for (auto const& name : names) {
            folders.workspace.write(name, "content of " + name);
            paths.push_back(folders.there(name));
        }
        auto const listed = executor.sync_all_to_host(paths);
        CHECK(listed.files.size() == names.size());
        CHECK_NOTHROW(listed.require());
        for (auto const& name : names) {
            CAPTURE(name);
            CHECK(folders.sandbox.read(name) == "content of " + name);
            std::filesystem::remove(folders.here(name));
        }
        auto const tree = executor.sync_tree_to_host(folders.workspace.path());
        CHECK_NOTHROW(tree.require());
        CHECK(tree.files.size() == names.size());
        CHECK(names_in(folders.sandbox.path()) == names_in(folders.workspace.path()));
        for (auto const& name : names)
            CHECK(folders.sandbox.read(name) == "content of " + name);
    });
}

TEST_CASE("a source that is no regular file is refused by its kind, and the others come") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        folders.workspace.write("file", "file");
        folders.workspace.make("folder");
        std::filesystem::create_symlink("file", folders.there("link"));
        std::filesystem::create_symlink("nowhere", folders.there("dangling"));
        std::filesystem::create_symlink("/etc", folders.there("etc"));
        REQUIRE(::mkfifo(folders.there("fifo").c_str(), 0600) == 0);
        std::vector<std::string> paths;
        for (std::string const name : {"folder", "link", "dangling", "etc", "fifo", "missing", "file"})
            paths.push_back(folders.there(name));
        auto const report = executor.sync_all_to_host(paths);
        REQUIRE(report.files.size() == 7);
        std::vector<SyncProblem> problems;
        for (auto const& file : report.files)
            problems.push_back(file.problem);
        CHECK(problems == std::vector<SyncProblem>{SyncProblem::not_a_file, SyncProblem::symbolic_link,
                                                   SyncProblem::symbolic_link, SyncProblem::symbolic_link,
                                                   SyncProblem::not_a_file, SyncProblem::missing,
                                                   SyncProblem::none});
        CHECK(report.files[4].error == "'" + folders.there("fifo") + "' is a FIFO, a device or a socket");
        CHECK(report.exit_code == 1);
        CHECK_FALSE(report);
        CHECK(report.failure.kind == longshore::FailureKind::none);
        CHECK(names_in(folders.sandbox.path()) == Names{"file"});
        CHECK_THROWS_AS(report.require(), ContainerExecutionError);
    });
}

TEST_CASE("a device and a link to one are refused before a byte is read") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto config = folders.config();
        config.workspace_folder = "/dev";
        auto executor = executor_in(place, config);
        CHECK(text_of([&] { executor.sync_results_to_host("/dev/zero"); }) ==
              "'/dev/zero' is a FIFO, a device or a socket");
        CHECK(names_in(folders.sandbox.path()).empty());
    });
}

TEST_CASE("a missing file makes a fetch throw with the exit code of the command") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        auto const error = error_of<ContainerExecutionError>(
            [&] { executor.sync_results_to_host(folders.there("missing")); });
        REQUIRE(error);
        CHECK(error->exit_code() == 1);
        CHECK(error->what() == "'" + folders.there("missing") + "' does not exist in the container");
    });
}

TEST_CASE("a tree comes with its empty directories, hidden files and nothing that is not below it") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        for (auto const* folder : {"out", "out/sub", "out/sub/deep", "out/empty", "out/.git", "beside"})
            folders.workspace.make(folder);
        for (auto const* file : {"out/a", "out/sub/b", "out/sub/deep/c", "out/.git/d", "out/..e", "beside/f"})
            folders.workspace.write(file, file);
        folders.workspace.write("out/.longshore-0123456789abcdef.part", "of another transfer");
        std::filesystem::create_symlink("/etc", folders.there("out/sub/link"));
        REQUIRE(::mkfifo(folders.there("out/fifo").c_str(), 0600) == 0);
        folders.sandbox.make("out");
        folders.sandbox.write("out/kept", "kept");

        auto const report = executor.sync_tree_to_host(folders.there("out"));
        CHECK(names_in(folders.sandbox.path()) == Names{"out", "out/..e", "out/.git", "out/.git/d", "out/a",
                                                        "out/empty", "out/kept", "out/sub", "out/sub/b",
                                                        "out/sub/deep", "out/sub/deep/c"});
        for (auto const* file : {"out/a", "out/sub/b", "out/sub/deep/c", "out/.git/d", "out/..e"})
            CHECK(folders.sandbox.read(file) == file);
        CHECK(report.directories == 5);
        REQUIRE(report.files.size() == 7);
        std::vector<std::string> refused;
        for (auto const& file : report.files)
            if (!file) refused.push_back(file.error);
        CHECK(refused ==
              Names{"'" + folders.there("out/fifo") + "' is a FIFO, a device or a socket",
                    "'" + folders.there("out/sub/link") + "' is a symbolic link, which is not followed"});
        CHECK(mode_of(folders.here("out/empty")) == 0700);
        CHECK(mode_of(folders.here("out/a")) == 0600);
    });
}

TEST_CASE("a tree that is missing, a link or a file is refused by its kind") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        folders.workspace.write("file", "file");
        std::filesystem::create_symlink("/etc", folders.there("link"));
        for (auto const& [name, text] : {std::pair{"file", "' is no directory"},
                                         {"link", "' is a symbolic link, which is not followed"},
                                         {"missing", "' does not exist in the container"}}) {
            auto const report = executor.sync_tree_to_host(folders.there(name));
            REQUIRE(report.files.size() == 1);
            CHECK(report.files.front().error == "'" + folders.there(name) + text);
            CHECK_FALSE(report);
        }
        CHECK(names_in(folders.sandbox.path()).empty());
    });
}

TEST_CASE("limits of bytes, entries and depth are themselves allowed, and what lies beyond is told") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        folders.workspace.make("d");
        folders.workspace.make("d/e");
        folders.workspace.write("a", "1234");
        folders.workspace.write("b", "12345");
        folders.workspace.write("d/c", "123");
        folders.workspace.write("d/e/f", "12");
        auto const tree = [&](SyncLimits const& limits) {
            return executor.sync_tree_to_host(folders.workspace.path(), {.limits = limits});
        };
        CHECK(tree({.file_bytes = 5, .total_bytes = 14, .entries = 6, .depth = 2}));
        auto const large = tree({.file_bytes = 4});
        REQUIRE(large.first_problem() != nullptr);
        CHECK(large.first_problem()->problem == SyncProblem::too_large);
        CHECK(large.first_problem()->error ==
              "'" + folders.there("b") + "' has 5 bytes, more than the limit of 4");
        CHECK(large.bytes == 9);
        auto const deep = tree({.depth = 1});
        REQUIRE(deep.first_problem() != nullptr);
        CHECK(deep.first_problem()->problem == SyncProblem::too_deep);
        CHECK(deep.first_problem()->container_path == folders.there("d/e"));
        CHECK(deep.bytes == 12);
        auto const many = tree({.entries = 5});
        CHECK(holds(many.failure.text, "holds more than 5 entries, which is the limit"));
        auto const much = tree({.total_bytes = 13});
        CHECK(holds(much.failure.text, "holds more than 13 bytes, which is the limit"));
        CHECK_THROWS_AS(much.require(), ContainerExecutionError);
        CHECK_THROWS_AS(static_cast<void>(executor.sync_all_to_host({folders.there("a"), folders.there("b")},
                                                                    {.limits = {.entries = 1}})),
                        longshore::ValueError);
    });
}

TEST_CASE("an observer hears of every piece, and of the bytes to come, from the first on") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        folders.workspace.write("a", every_byte(3 * mebibyte));
        folders.workspace.write("b", "");
        folders.workspace.write("c\nd", "four");
        std::uint64_t bytes = 0;
        std::vector<std::string> files;
        std::vector<std::uint64_t> totals;
        auto const hear = [&](SyncProgress const& progress) {
            CHECK(progress.bytes >= bytes);
            CHECK(progress.file_bytes <= progress.file_total);
            bytes = progress.bytes;
            totals.push_back(progress.total);
            if (files.empty() || files.back() != progress.file) files.emplace_back(progress.file);
        };
        auto const paths = std::vector{folders.there("a"), folders.there("b"), folders.there("c\nd")};
        CHECK(executor.sync_all_to_host(paths, {.on_progress = hear}));
        CHECK(files == paths);
        CHECK(bytes == 3 * mebibyte + 4);
        CHECK(totals.size() >= 10);
        auto const knows_totals = place.name() != "dash with few utilities";
        CHECK(totals.front() == (knows_totals ? bytes : 0));
        bytes = 0;
        CHECK(executor.sync_tree_to_host(folders.workspace.path(), {.on_progress = hear}));
        CHECK(bytes == 3 * mebibyte + 4);
        CHECK(totals.back() == (knows_totals ? bytes : 0));
    });
}

TEST_CASE("a file that changes while it is read does not come, and those after it do") {
    // The second look at the file is the one after its bytes were read.
    constexpr auto at_second_look = "for file do case $file in *victim)\n"
                                    "    [ -e \"$file.seen\" ] && CHANGE\n"
                                    "    : >\"$file.seen\" ;;\n"
                                    "esac; done\n"
                                    "exec $REAL \"$@\"\n";
    // The file becomes shorter before its bytes are read.
    constexpr auto after_first_look = "$REAL \"$@\"\n"
                                      "for file do case $file in *victim) CHANGE ;; esac; done\n";
    struct Case {
        std::string when;
        std::string what;
    };
    for (auto const& change :
         {Case{at_second_look, "echo more >>\"$file\""},
          Case{at_second_look, "cp \"$file\" x && mv x \"$file\""}, Case{after_first_look, ": >\"$file\""},
          Case{after_first_look, "truncate -s 70000 \"$file\""},
          Case{after_first_look, "truncate -s 400000 \"$file\""}, Case{after_first_look, "rm \"$file\""}}) {
        CAPTURE(change.what);
        Folders const folders;
        Place const place{"dash", "/bin/dash", every_utility()};
        auto script = change.when;
        script.replace(script.find("CHANGE"), 6, change.what);
        place.replace("stat", "cd '" + folders.workspace.make("work") + "'\n" + script);
        folders.workspace.write("victim", every_byte(300000));
        folders.workspace.write("other", "other");
        folders.sandbox.write("victim", "old");
        auto executor = executor_in(place, folders.config());
        auto const report = executor.sync_all_to_host({folders.there("victim"), folders.there("other")});
        REQUIRE(report.files.size() == 2);
        CHECK(report.failure.text == "");
        CHECK(report.files[0].problem ==
              (change.what.starts_with("rm") ? SyncProblem::unreadable : SyncProblem::changed));
        CHECK(report.files[1]);
        CHECK(folders.sandbox.read("victim") == "old");
        CHECK(folders.sandbox.read("other") == "other");
        CHECK(names_in(folders.sandbox.path()) == Names{"other", "victim"});
    }
}

TEST_CASE("a container that says one size and sends another is not believed, and nothing is left of it") {
    struct Case {
        std::string says;
        std::string_view text;
    };
    for (auto const& [says, text] :
         {Case{"700", "the end of the container's answer is missing"}, {"500", "cannot be trusted"}}) {
        Folders const folders;
        Place const place{"dash", "/bin/dash", every_utility()};
        place.replace("stat", "$REAL \"$@\" | sed 's/^[0-9]*/" + says + "/'");
        place.replace("head", "[ \"$2\" = 500 ] && exec $REAL -c 600\nexec $REAL \"$@\"");
        folders.workspace.write("file", every_byte(600));
        folders.sandbox.write("file", "old");
        auto executor = executor_in(place, folders.config());
        auto const error =
            error_of<ContainerExecutionError>([&] { executor.sync_results_to_host(folders.there("file")); });
        REQUIRE(error);
        CHECK(holds(error->what(), text));
        CHECK(folders.sandbox.read("file") == "old");
        CHECK(names_in(folders.sandbox.path()) == Names{"file"});
    }
}

TEST_CASE("a read that never ends is ended by the deadline, and nothing is left of it") {
    Folders const folders;
    Place const place{"dash", "/bin/dash", every_utility()};
    place.replace("dd", "sleep 600");
    folders.workspace.write("file", every_byte(200000));
    auto executor = executor_in(place, folders.config());
    CHECK_THROWS_AS(executor.sync_results_to_host(folders.there("file"), {.timeout = 500ms}),
                    ContainerTimeoutError);
    CHECK(names_in(folders.sandbox.path()).empty());
}

TEST_CASE("what an observer throws leaves the call, and the file is abandoned") {
    Folders const folders;
    Place const place{"dash", "/bin/dash", every_utility()};
    folders.workspace.write("file", every_byte(2 * mebibyte));
    auto executor = executor_in(place, folders.config());
    struct Enough {};
    auto const throws = [](SyncProgress const& progress) {
        if (progress.bytes > mebibyte) throw Enough{};
    };
    CHECK_THROWS_AS(executor.sync_results_to_host(folders.there("file"), {.on_progress = throws}), Enough);
    CHECK(names_in(folders.sandbox.path()).empty());
}

TEST_CASE("a file larger than what is kept of a tool's output comes whole") {
    Folders const folders;
    Place const place{"dash", "/bin/dash", every_utility()};
    folders.workspace.write("file", "");
    std::filesystem::resize_file(folders.there("file"), 51 * mebibyte);
    auto executor = executor_in(place, folders.config());
    REQUIRE(executor.config().output_limit < 51 * mebibyte);
    executor.sync_results_to_host(folders.there("file"), {.survives_power_loss = false});
    CHECK(std::filesystem::file_size(folders.here("file")) == 51 * mebibyte);
}
