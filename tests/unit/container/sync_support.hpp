// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_UNIT_CONTAINER_SYNC_SUPPORT_HPP
#define LONGSHORE_TESTS_UNIT_CONTAINER_SYNC_SUPPORT_HPP

#include <longshore/container/executor.hpp>
#include <longshore/detail/fetch_question.hpp>
#include <longshore/detail/fetch_reader.hpp>
#include <longshore/testing/mock_launcher.hpp>

#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

// What the tests of transfers share: places on this host that stand for containers, each with another shell,
// and launchers whose containers lie.
namespace sync_support {

using longshore::ContainerConfig;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::MockCall;

// The folder that stands for the sandbox, and the one that stands for the container's workspace.
struct Folders {
    support::TemporaryDirectory sandbox{};
    support::TemporaryDirectory workspace{};

    ContainerConfig config() const {
        ContainerConfig config;
        config.container_id = "4f5e";
        config.workspace_folder = workspace.path();
        config.host_sandbox_path = sandbox.path();
        return config;
    }
    std::string here(std::string const& name) const { return sandbox.path() + '/' + name; }
    std::string there(std::string const& name) const { return workspace.path() + '/' + name; }
};

// A way to a shell of this host that finds only what stands in one folder.
struct ShellCli {
    std::string program{};

    std::string_view binary() const noexcept { return program; }
    std::vector<std::string> target_arguments(ContainerConfig const&) const { return {}; }
    std::vector<std::string> environment_names() const { return {}; }
    std::optional<longshore::Failure> explain(LaunchOutcome const&) const { return std::nullopt; }
};

// A shell with its utilities. A test puts others in their place.
class Place {
public:
    Place(std::string name, std::string const& shell, std::vector<std::string> const& utilities)
        : name_{std::move(name)} {
        tools_.make("bin");
        link(shell, "sh");
        for (auto const& utility : utilities)
            link(utility, utility.substr(utility.rfind('/') + 1));
        program_ = tools_.write("enter", "#!/bin/sh\nPATH=" + tools_.path() + "/bin exec \"$@\"\n", 0755);
    }

    std::string const& name() const noexcept { return name_; }
    ShellCli cli() const { return {program_}; }

    // A program of the test in place of a utility: `$REAL` is the utility itself.
    void replace(std::string const& utility, std::string const& script) const {
        auto const path = "bin/" + utility;
        auto const real = std::filesystem::read_symlink(tools_.path() + '/' + path).string();
        std::filesystem::remove(tools_.path() + '/' + path);
        tools_.write(path, "#!/bin/sh\nPATH=/usr/bin:/bin\nREAL=" + real + '\n' + script + '\n', 0755);
    }

private:
    void link(std::string const& target, std::string const& name) const {
        std::filesystem::create_symlink(target, tools_.path() + "/bin/" + name);
    }

    std::string name_;
    support::TemporaryDirectory tools_{};
    std::string program_{};
};

inline std::vector<std::string> utilities(std::vector<std::string> const& names) {
    std::vector<std::string> paths;
    for (auto const& name : names)
        for (std::string const folder : {"/usr/bin/", "/bin/"})
            if (::access((folder + name).c_str(), X_OK) == 0) {
                paths.push_back(folder + name);
                break;
            }
    return paths;
}

inline std::vector<std::string> every_utility() {
    return utilities({"head", "cat", "wc", "stat", "dd", "find", "xargs", "mkdir", "mv", "rm", "sleep",
                      "grep", "setsid", "env"});
}

// Runs `body(Place const&)` with each shell of this host as a subcase: with all utilities, with those that
// everybody has, and with busybox alone.
template <typename Body>
void in_every_place(Body body) {
    std::string const few = "dash with few utilities";
    for (std::string const shell : {"/bin/dash", "/bin/bash", "/bin/busybox"}) {
        if (::access(shell.c_str(), X_OK) != 0) continue;
        SUBCASE(shell.c_str()) {
            auto const is_busybox = shell == "/bin/busybox";
            body(Place{shell, shell, is_busybox ? std::vector<std::string>{shell} : every_utility()});
        }
    }
    SUBCASE(few.c_str()) {
        body(Place{few, "/bin/dash", utilities({"head", "cat", "wc", "mkdir", "mv", "rm", "sleep"})});
    }
}

using ShellExecutor = longshore::ContainerToolExecutor<longshore::ProcessLauncher, longshore::BoostJson,
                                                       std::chrono::steady_clock, ShellCli>;

inline ShellExecutor executor_in(Place const& place, ContainerConfig config, longshore::Hooks hooks = {}) {
    return ShellExecutor{std::move(config), place.cli(), std::move(hooks)};
}

// A container that answers what a test says. The function gets the question, and returns what is printed.
class LyingLauncher {
public:
    using Answer = std::function<std::string(longshore::detail::FetchQuestion const&)>;

    explicit LyingLauncher(Answer answer) : answer_{std::move(answer)} {}

    LaunchOutcome run(LaunchRequest const& request) {
        auto const question = longshore::detail::FetchQuestion::of(request);
        REQUIRE(question);
        return MockCall{}.prints(answer_(*question)).play(request);
    }

private:
    Answer answer_;
};

inline std::string record(std::string const& mark, std::string const& word, std::uint64_t number = 0,
                          std::string const& name = {}) {
    auto text = mark + ' ' + word + ' ' + std::to_string(number) + ' ' + name;
    text.push_back('\0');
    return text;
}

inline std::string whole_file(std::string const& mark, std::string const& bytes,
                              std::string const& name = {}) {
    return record(mark, "file", bytes.size(), name) + bytes + record(mark, "whole");
}

inline std::vector<std::string> names_in(std::string const& directory) {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::recursive_directory_iterator{directory})
        names.push_back(entry.path().string().substr(directory.size() + 1));
    std::sort(names.begin(), names.end());
    return names;
}

using Names = std::vector<std::string>;

inline ::mode_t mode_of(std::string const& path) {
    struct ::stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

// What an action throws, as an error of the kind; its text is empty when it throws none.
template <typename Error, typename Action>
std::optional<Error> error_of(Action action) {
    try {
        action();
    } catch (Error const& error) {
        return error;
    }
    return std::nullopt;
}

template <typename Action>
std::string text_of(Action action) {
    try {
        action();
    } catch (std::exception const& error) {
        return error.what();
    }
    return {};
}

inline bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Bytes that no text encoding leaves alone, and that no two offsets share.
inline std::string every_byte(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t index = 0; index < size; ++index)
        bytes[index] = static_cast<char>((index * 167 + index / 256) & 0xFFU);
    return bytes;
}

} // namespace sync_support

#endif
