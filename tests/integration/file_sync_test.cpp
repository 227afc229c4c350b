// SPDX-License-Identifier: BSL-1.0
#include <integration/file_sync.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using longshore::ContainerExecutionError;
using longshore::ContainerTimeoutError;
using longshore::SandboxEscapeError;
using longshore::SyncProblem;
using longshore::SyncProgress;
using namespace longshore_test;
using namespace std::chrono_literals;

namespace {

std::vector<Way> ways_by_engine() {
    return ways_that([](Way const& way) { return way.through == Through::engine; });
}

std::string every_byte(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t index = 0; index < size; ++index)
        bytes[index] = static_cast<char>((index * 167 + index / 256) & 0xFFU);
    return bytes;
}

// Without this, doctest would print megabytes when they differ.
bool same(std::string const& left, std::string const& right) { return left == right; }

// There and back again, under names of all kinds.
void moves_files(Results const& results) {
    auto executor = results.executor();
    for (std::string const name : {"plain", "a b", "a\nb", "$(id)", "it's", "-n", "\xff\xfe"}) {
        auto const bytes = every_byte(300'000) + name;
        results.sandbox().write(name, bytes);
        executor.send_to_container(results.here(name), results.there("deep/" + name));
        CHECK(executor.sync_results_to_host(results.there("deep/" + name)) == results.here("deep/" + name));
        CHECK(same(results.sandbox().read("deep/" + name), bytes));
    }
    auto const report = executor.sync_tree_to_host(results.there(""));
    CHECK_NOTHROW(report.require());
    CHECK(report.files.size() == 7);
    CHECK(report.directories == 2);
}

} // namespace

TEST_CASE("files go into containers and come back, every byte under every name") {
    in_places(ways_by_id(), [](Place const& place) { moves_files(Results{place}); });
}

TEST_CASE("files of a container that mounts the sandbox are fetched in their place") {
    in_places(ways_into_containers(), [](Place const& place) {
        auto const name = unique_name("mounted");
        place.workspace().write(name + "/file", "content");
        auto executor = place.executor(place.config());
        auto const report = executor.sync_tree_to_host("/workspace/" + name);
        CHECK_NOTHROW(report.require());
        CHECK(place.workspace().read(name + "/file") == "content");
        CHECK(names_in(place.workspace().path(name)) == Names{"file"});
        executor.send_to_container(place.workspace().path(name + "/file"), "/workspace/" + name + "/sent");
        CHECK(place.workspace().read(name + "/sent") == "content");
        std::filesystem::remove_all(place.workspace().path(name));
    });
}

TEST_CASE("a link that a container plants in a mounted sandbox leads nowhere") {
    in_places(ways_by_engine(), [](Place const& place) {
        auto const name = unique_name("planted");
        Workspace const outside;
        outside.write("secret", "secret");
        place.workspace().write(name + "/file", "content");
        place.container().sh("cd /workspace/" + name + " && ln -s " + outside.folder() + " folder && ln -s " +
                             outside.path("secret") + " leaf");
        auto executor = place.executor(place.config());
        for (std::string const path : {"/folder/secret", "/leaf"})
            CHECK_THROWS_AS(executor.sync_results_to_host("/workspace/" + name + path),
                            ContainerExecutionError);
        CHECK_THROWS_AS(executor.send_to_container(place.workspace().path(name + "/leaf"), "/workspace/x"),
                        SandboxEscapeError);
        CHECK_THROWS_AS(
            executor.send_to_container(place.workspace().path(name + "/folder/secret"), "/workspace/x"),
            SandboxEscapeError);
        CHECK(outside.read("secret") == "secret");
        CHECK(names_in(outside.folder()) == Names{"secret"});
        std::filesystem::remove_all(place.workspace().path(name));
    });
}

TEST_CASE("what a container has in place of a file is refused by its kind") {
    in_places(ways_by_engine(), [](Place const& place) {
        Results const results{place};
        results.sh(
            "mkfifo fifo; mknod device c 1 5; mkdir folder; ln -s /etc/passwd link; ln -s folder chain; "
            "ln /etc/hostname hard 2>/dev/null || echo name >hard; echo content >file");
        auto executor = results.executor();
        auto const report = executor.sync_tree_to_host(results.there(""));
        std::vector<std::pair<std::string, SyncProblem>> told;
        for (auto const& file : report.files)
            told.emplace_back(file.container_path.substr(results.there("").size()), file.problem);
        CHECK(
            (told == std::vector<std::pair<std::string, SyncProblem>>{{"chain", SyncProblem::symbolic_link},
                                                                      {"device", SyncProblem::not_a_file},
                                                                      {"fifo", SyncProblem::not_a_file},
                                                                      {"file", SyncProblem::none},
                                                                      {"hard", SyncProblem::none},
                                                                      {"link", SyncProblem::symbolic_link}}));
        CHECK(names_in(results.sandbox().folder()) == Names{"file", "folder", "hard"});
        CHECK_THROWS_AS(executor.sync_results_to_host(results.there("missing")), ContainerExecutionError);
    });
}

TEST_CASE("a file that the tools' user may not read does not come") {
    in_places(ways_by_engine(), [](Place const& place) {
        Results const results{place, "vscode"};
        results.sh(
            "echo secret >secret; chmod 600 secret; mkdir closed; chmod 700 closed; echo open >open; chmod "
            "644 open");
        auto executor = results.executor();
        auto const report = executor.sync_tree_to_host(results.there(""));
        REQUIRE(report.files.size() == 3);
        CHECK(report.files[0].problem == SyncProblem::unreadable);
        CHECK(report.files[1]);
        CHECK(report.files[2].problem == SyncProblem::unreadable);
        CHECK(names_in(results.sandbox().folder()) == Names{"open"});
    });
}

TEST_CASE("2000 small files come by one call") {
    in_places(ways_by_engine(), [](Place const& place) {
        Results const results{place};
        results.sh("mkdir many; i=0; while [ $i -lt 2000 ]; do echo $i >many/$i; i=$((i+1)); done");
        auto executor = results.executor();
        auto const tree = executor.sync_tree_to_host(results.there("many"), {.survives_power_loss = false});
        CHECK_NOTHROW(tree.require());
        CHECK(tree.files.size() == 2000);
        std::vector<std::string> paths;
        for (int number = 0; number < 2000; ++number) {
            auto const name = "many/" + std::to_string(number);
            REQUIRE(results.sandbox().read(name) == std::to_string(number) + "\n");
            if (number % 10 == 0) paths.push_back(results.there(name));
        }
        std::filesystem::remove_all(results.here("many"));
        auto const list = executor.sync_all_to_host(paths, {.survives_power_loss = false});
        CHECK_NOTHROW(list.require());
        CHECK(names_in(results.here("many")).size() == paths.size());
    });
}

TEST_CASE("images with nothing but busybox, and read-only ones, give their files") {
    on_ways(ways_by_engine(), [](Way const& way) {
        Workspace const workspace;
        WorkspaceContainer const container{
            way.engine().value(), workspace, {"--tmpfs", "/results"}, way.engine().value().busybox_image};
        auto config = Place{way, workspace, container}.config();
        Workspace const sandbox;
        config.workspace_folder = "/results";
        config.host_sandbox_path = sandbox.folder();
        auto executor = Place{way, workspace, container}.executor(config);
        sandbox.write("file", every_byte(1'000'000));
        executor.send_to_container(sandbox.path("file"), "/results/deep/file");
        CHECK_NOTHROW(executor.sync_tree_to_host("/results").require());
        CHECK(same(sandbox.read("deep/file"), every_byte(1'000'000)));

        WorkspaceContainer const closed{way.engine().value(), workspace, {"--read-only"}};
        config = Place{way, workspace, closed}.config();
        config.workspace_folder = "/etc";
        config.host_sandbox_path = sandbox.folder();
        auto reader = Place{way, workspace, closed}.executor(config);
        CHECK(same(sandbox.read("passwd"), ""));
        reader.sync_results_to_host("/etc/passwd");
        CHECK(sandbox.read("passwd") == closed.sh("cat /etc/passwd") + "\n");
        CHECK_THROWS_AS(reader.send_to_container(sandbox.path("file"), "/etc/file"), ContainerExecutionError);
    });
}

TEST_CASE("a container that is killed while it sends leaves nothing on the host") {
    on_ways(ways_by_engine(), [](Way const& way) {
        Workspace const workspace;
        WorkspaceContainer const container{way.engine().value(), workspace};
        container.sh("mkdir /results; truncate -s 1G /results/endless; echo first >/results/a");
        Workspace const sandbox;
        auto config = Place{way, workspace, container}.config();
        config.workspace_folder = "/results";
        config.host_sandbox_path = sandbox.folder();
        auto executor = Place{way, workspace, container}.executor(config);
        std::future<void> killing;
        auto const kill = [&](SyncProgress const& progress) {
            if (progress.file_total > 1000 && progress.file_bytes > 0 && !killing.valid())
                killing = std::async(std::launch::async, [&] { container.command("kill"); });
            if (killing.valid()) killing.wait_for(5ms); // no transfer is over before it
        };
        auto const report = executor.sync_all_to_host({"/results/a", "/results/endless"},
                                                      {.timeout = 60, .on_progress = kill});
        REQUIRE(killing.valid());
        killing.get();
        REQUIRE(report.files.size() == 2);
        CHECK(report.files[0]);
        CHECK(report.files[1].problem == SyncProblem::not_reached);
        CHECK(report.failure.kind != longshore::FailureKind::none);
        CHECK(names_in(sandbox.folder()) == Names{"a"});
    });
}

TEST_CASE("a deadline ends a transfer, and nothing of it is left on either side") {
    in_places(ways_by_engine(), [](Place const& place) {
        Results const results{place};
        results.sh("head -c 1000000000 /dev/zero >large");
        auto executor = results.executor();
        auto const slow = [](SyncProgress const& progress) {
            if (progress.file_bytes > 0) std::this_thread::sleep_for(100ms);
        };
        CHECK_THROWS_AS(
            executor.sync_results_to_host(results.there("large"), {.timeout = 2, .on_progress = slow}),
            ContainerTimeoutError);
        CHECK(names_in(results.sandbox().folder()).empty());
        CHECK(eventually([&] {
            return results.sh("grep -l '[l]ongshore-fetch' /proc/[0-9]*/cmdline 2>/dev/null | wc -l") == "0";
        }));
    });
}

TEST_CASE("a file of 1 GiB comes in the memory of a small one, and one byte more is refused") {
    in_places({every_way().front()}, brings_a_gibibyte);
}
