// SPDX-License-Identifier: BSL-1.0
#include <longshore/testing/mock_files.hpp>

#include <longshore/container/executor.hpp>
#include <longshore/testing/mock_launcher.hpp>

#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using longshore::ContainerConfig;
using longshore::ContainerToolExecutor;
using longshore::MockCall;
using longshore::MockFiles;
using longshore::MockLauncher;
using longshore::SyncOptions;
using longshore::SyncProblem;
using longshore::SyncProgress;

namespace {

struct Mocked {
    support::TemporaryDirectory sandbox{};
    MockLauncher launcher{};
    ContainerToolExecutor<MockLauncher> executor{
        ContainerConfig{.container_id = "4f5e", .host_sandbox_path = sandbox.path()}, launcher};

    Mocked() {
        launcher.holds("/workspace/a", "1").holds("/workspace/d/b", "22").holds("/workspace/d/e/c", "333");
    }
};

} // namespace

TEST_CASE("a mock launcher's files are fetched, and tools go on as they were told to") {
    Mocked mocked;
    mocked.launcher.prints("{}");
    CHECK(mocked.executor.execute_tool("build", {}));
    CHECK(mocked.executor.sync_results_to_host("/workspace/d/b") == mocked.sandbox.path() + "/d/b");
    CHECK(mocked.sandbox.read("d/b") == "22");
    CHECK(mocked.executor.execute_tool("build", {}));
    CHECK(mocked.launcher.runs() == 3);
}

TEST_CASE("a mock launcher's rule comes before its files") {
    Mocked mocked;
    mocked.launcher.when([](auto const& request) { return request.output.keep == 0; }, MockCall{}.exits(5));
    CHECK_THROWS_AS(mocked.executor.sync_results_to_host("/workspace/a"), longshore::ContainerExecutionError);
}

TEST_CASE("a mock launcher has the directories that its files need, and nothing else") {
    Mocked mocked;
    auto const report = mocked.executor.sync_all_to_host({"/workspace/a", "/workspace/d", "/workspace/x"});
    REQUIRE(report.files.size() == 3);
    CHECK(report.files[0]);
    CHECK(report.files[1].problem == SyncProblem::not_a_file);
    CHECK(report.files[2].problem == SyncProblem::missing);
    auto const tree = mocked.executor.sync_tree_to_host("/workspace");
    CHECK(tree);
    CHECK(tree.files.size() == 3);
    CHECK(tree.directories == 3);
    CHECK(tree.bytes == 6);
    CHECK(mocked.sandbox.read("d/e/c") == "333");
    CHECK(mocked.executor.sync_tree_to_host("/workspace/a").files.front().problem == SyncProblem::not_a_file);
    CHECK(mocked.executor.sync_tree_to_host("/workspace/x").files.front().problem == SyncProblem::missing);
}

TEST_CASE("a mock launcher keeps the limits and tells the bytes to come") {
    Mocked mocked;
    auto const tree = [&](SyncOptions const& options) {
        return mocked.executor.sync_tree_to_host("/workspace", options);
    };
    CHECK(tree({.limits = {.file_bytes = 3, .total_bytes = 6, .entries = 5, .depth = 2}}));
    CHECK(tree({.limits = {.file_bytes = 2}}).first_problem()->problem == SyncProblem::too_large);
    CHECK(tree({.limits = {.depth = 1}}).first_problem()->problem == SyncProblem::too_deep);
    CHECK(tree({.limits = {.total_bytes = 5}}).failure.text ==
          "'/workspace' holds more than 5 bytes, which is the limit");
    CHECK(tree({.limits = {.entries = 4}}).failure.text ==
          "'/workspace' holds more than 4 entries, which is the limit");
    std::vector<std::uint64_t> totals;
    CHECK(tree({.on_progress = [&](SyncProgress const& progress) { totals.push_back(progress.total); }}));
    CHECK(totals.front() == 6);
}

TEST_CASE("a mock's files answer nothing but questions for files") {
    MockFiles files;
    files.hold("/workspace/a", "1");
    CHECK_FALSE(files.answer({}));
}
