// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_FILE_SYNC_HPP
#define LONGSHORE_TESTS_INTEGRATION_FILE_SYNC_HPP

#include <integration/every_way.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Transfers between a folder of a container that mounts nothing there, and a folder of this host.
namespace longshore_test {

// A folder in a shared container, and the sandbox that stands for it; both are gone with the object.
class Results {
public:
    explicit Results(Place const& place, std::string user = {}) : place_{place}, user_{std::move(user)} {
        place_.container().sh("mkdir -p " + folder_ + " && chmod 777 " + folder_);
    }
    Results(Results const&) = delete;
    Results& operator=(Results const&) = delete;
    ~Results() {
        try {
            place_.container().sh("rm -rf " + folder_);
        } catch (std::exception const& problem) {
            MESSAGE(problem.what());
        }
    }

    Executor executor() const {
        auto config = place_.config();
        config.workspace_folder = folder_;
        config.host_sandbox_path = sandbox_.folder();
        config.user = user_;
        return place_.executor(config);
    }
    // A shell command in the folder of the container, as its own user.
    std::string sh(std::string const& command) const {
        return place_.container().sh("cd " + folder_ + " && " + command);
    }

    std::string there(std::string const& name) const { return folder_ + '/' + name; }
    std::string here(std::string const& name) const { return sandbox_.path(name); }
    Workspace const& sandbox() const noexcept { return sandbox_; }

private:
    Place place_;
    std::string user_;
    std::string folder_ = '/' + unique_name("results");
    Workspace sandbox_{};
};

// Those through which a container is found by its id, so that the sandbox can be any folder.
inline std::vector<Way> ways_by_id() {
    return ways_that([](Way const& way) {
        return way.into_container() && way.through != Through::devcontainer_by_folder;
    });
}

inline std::vector<std::string> names_in(std::string const& folder) {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::recursive_directory_iterator{folder})
        names.push_back(entry.path().string().substr(folder.size() + 1));
    std::sort(names.begin(), names.end());
    return names;
}

using Names = std::vector<std::string>;

// Bytes that this process holds in memory now.
inline std::size_t resident_bytes() {
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6)) * 1024;
    return 0;
}

// A file as large as the limit, which comes in the memory of a small one.
inline void brings_a_gibibyte(Place const& place) {
    constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
    Results const results{place};
    results.sh(
        "head -c 1073741824 /dev/zero >large; printf end | dd of=large bs=1 seek=1073741821 conv=notrunc");
    auto executor = results.executor();
    auto const before = resident_bytes();
    auto most = before;
    int calls = 0;
    auto const hear = [&](longshore::SyncProgress const& progress) {
        CHECK(progress.total == gibibyte);
        if (calls++ % 64 == 0) most = (std::max)(most, resident_bytes());
    };
    auto const path = executor.sync_results_to_host(
        results.there("large"), {.timeout = 250, .on_progress = hear, .survives_power_loss = false});
    CHECK(calls > 1000);
    CHECK(before > 0);
    CHECK(most - before < (std::size_t{32} << 20));
    CHECK(std::filesystem::file_size(path) == gibibyte);
    std::ifstream file{path, std::ios::binary};
    file.seekg(-3, std::ios::end);
    std::string end(3, '\0');
    file.read(end.data(), 3);
    CHECK(end == "end");
    results.sh("printf x >>large");
    std::filesystem::remove(path);
    CHECK_THROWS_WITH_AS(
        executor.sync_results_to_host(results.there("large")),
        ("'" + results.there("large") + "' has 1073741825 bytes, more than the limit of 1073741824").c_str(),
        longshore::ContainerExecutionError);
}

} // namespace longshore_test

#endif
