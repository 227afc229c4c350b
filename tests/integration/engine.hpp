// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_ENGINE_HPP
#define LONGSHORE_TESTS_INTEGRATION_ENGINE_HPP

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The engines that the environment names (tests/integration/engines.sh prints it), and containers to test in.
// Nothing here goes through longshore, so a fault of the library cannot hide behind its own fixtures.
namespace longshore_test {

inline constexpr int skipped_exit_code = 77;

// How many tests found something to run against, and how many did not.
struct Tally {
    int ran = 0;
    int skipped = 0;
};

inline Tally& tally() {
    static Tally instance;
    return instance;
}

inline bool everything_was_skipped() { return tally().skipped > 0 && tally().ran == 0; }

inline std::optional<std::string> variable(char const* name) {
    char const* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string{value};
}

// Says why a test cannot run here. Where engines are required, that is a failure.
inline void skip(std::string_view reason) {
    ++tally().skipped;
    std::cout << "skipped: " << reason << std::endl;
    if (variable("LONGSHORE_TEST_REQUIRE_ENGINES") == "1")
        FAIL_CHECK("engines are required here, but: ", reason);
}

struct Engine {
    std::string name;          // docker or podman
    std::string cli;           // absolute path
    std::string image;         // bash, coreutils, procps, util-linux, python3; users root and vscode
    std::string busybox_image; // busybox and nothing else
};

// An engine of which every variable is set.
inline std::optional<Engine> engine(std::string name, char const* cli, char const* image,
                                    char const* busybox_image) {
    auto const path = variable(cli);
    auto const full = variable(image);
    auto const small_image = variable(busybox_image);
    if (!path || !full || !small_image) return std::nullopt;
    return Engine{std::move(name), *path, *full, *small_image};
}

inline std::optional<Engine> docker() {
    return engine("docker", "LONGSHORE_TEST_DOCKER", "LONGSHORE_TEST_IMAGE", "LONGSHORE_TEST_BUSYBOX_IMAGE");
}

inline std::optional<Engine> podman() {
    return engine("podman", "LONGSHORE_TEST_PODMAN", "LONGSHORE_TEST_IMAGE_PODMAN",
                  "LONGSHORE_TEST_BUSYBOX_IMAGE_PODMAN");
}

// Runs `test` with each engine that is there; without any the test is skipped. An engine that is missing
// beside another one is told, and is a failure where engines are required.
template <typename Test>
void with_each_engine(Test test) {
    std::vector<Engine> found;
    std::vector<std::string> missing;
    for (auto const& [candidate, reason] : {std::pair{docker(), "LONGSHORE_TEST_DOCKER is not set"},
                                            std::pair{podman(), "LONGSHORE_TEST_PODMAN is not set"}}) {
        if (candidate)
            found.push_back(*candidate);
        else
            missing.emplace_back(reason);
    }
    for (auto const& reason : missing)
        skip(reason);
    for (auto const& each : found) {
        ++tally().ran;
        CAPTURE(each.name);
        test(each);
    }
}

// The devcontainer CLI, or nothing and the reason told.
inline std::optional<std::string> devcontainer_or_skip() {
    auto path = variable("LONGSHORE_TEST_DEVCONTAINER");
    if (path)
        ++tally().ran;
    else
        skip("LONGSHORE_TEST_DEVCONTAINER is not set");
    return path;
}

inline std::string shell_quoted(std::string_view word) {
    std::string quoted = "'";
    for (char const character : word) {
        if (character == '\'')
            quoted += "'\\''";
        else
            quoted += character;
    }
    return quoted + "'";
}

// Runs a command and gives what it printed, less the last newline. Throws when it fails.
inline std::string output_of(std::vector<std::string> const& arguments) {
    std::string line;
    for (auto const& argument : arguments)
        line += shell_quoted(argument) + ' ';
    struct Close {
        void operator()(std::FILE* pipe) const noexcept { ::pclose(pipe); }
    };
    std::unique_ptr<std::FILE, Close> pipe{::popen((line + "</dev/null").c_str(), "r")};
    if (!pipe) throw std::runtime_error{"popen: " + line};
    std::string output;
    std::array<char, 4096> buffer{};
    while (auto const count = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
        output.append(buffer.data(), count);
    if (int const status = ::pclose(pipe.release()); status != 0)
        throw std::runtime_error{line + "ended with status " + std::to_string(status) + ": " + output};
    while (!output.empty() && output.back() == '\n')
        output.pop_back();
    return output;
}

// A container that runs until the test is over. It has a workspace folder /workspace and no network.
class Container {
public:
    // `options` go between `run` and the image, for example {"--read-only"}.
    Container(Engine const& engine, std::string const& image, std::vector<std::string> const& options = {})
        : cli_{engine.cli} {
        std::vector<std::string> arguments{cli_,        "run", "-d", "--label", "longshore-test",
                                           "--network", "none"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        // A main process that reaps what is left to it, as an init does, and stops at once when told.
        arguments.insert(arguments.end(),
                         {image, "sh", "-c", "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"});
        id_ = output_of(arguments);
    }

    explicit Container(Engine const& engine) : Container{engine, engine.image} {}

    Container(Container const&) = delete;
    Container& operator=(Container const&) = delete;

    ~Container() {
        try {
            output_of({cli_, "rm", "-f", id_});
        } catch (std::exception const& problem) {
            std::cerr << problem.what() << std::endl;
        }
    }

    std::string const& id() const noexcept { return id_; }
    std::string const& cli() const noexcept { return cli_; }

    // What a shell command printed in the container.
    std::string sh(std::string const& command) const {
        return output_of({cli_, "exec", id_, "sh", "-c", command});
    }

private:
    std::string cli_;
    std::string id_;
};

} // namespace longshore_test

#endif
