// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <longshore/detail/file_descriptor.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include <sys/socket.h>
#include <sys/un.h>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;
using namespace std::chrono_literals;

namespace {

std::string const loop = "trap \"\" TERM HUP; while :; do sleep 0.05; done";

// Runs a tool that says that it runs and then stays, and does something as soon as it does. However it goes,
// the call ends within its bound.
longshore::ToolResult run_within_bound(Place const& place, std::string const& name, std::string const& script,
                                       std::function<void()> const& meanwhile = {}) {
    auto config = place.config({"sh", "-c", script});
    config.timeout_seconds = place.way().by_devcontainer() ? 4s : 2s;
    auto executor = place.executor(config);
    bool ran = false;
    auto const start = std::chrono::steady_clock::now();
    auto result =
        executor.execute_tool(name, object{}, {.on_output = [&](longshore::Stream, std::string_view) {
                                  if (!std::exchange(ran, true) && meanwhile) meanwhile();
                                  return longshore::Flow::go_on;
                              }});
    auto const elapsed = std::chrono::steady_clock::now() - start;
    CHECK(elapsed <=
          config.timeout_seconds.value() + config.kill_grace.value() + config.drain_grace.value() + 1s);
    CHECK(ran);
    return result;
}

void send(std::vector<::pid_t> const& processes, int signal) {
    for (auto const process : processes)
        ::kill(process, signal);
}

std::vector<::pid_t> own_children() {
    std::vector<::pid_t> children;
    for (auto const& process : all_processes())
        if (parent_of(process.id) == ::getpid()) children.push_back(process.id);
    return children;
}

// With the guard stopped there is only the second way in, and little time for it. Where that is the
// devcontainer CLI it may come too late; then the result does not claim that nothing is left.
void tells_its_fate(Place const& place, longshore::ToolResult const& result, std::string const& tool) {
    auto const killed = result.container().value().container_process_killed();
    if (!place.way().by_devcontainer()) CHECK(killed == true);
    if (killed == true)
        CHECK(eventually([&] { return processes_of(tool).empty(); }, place.way().longest_goodbye()));
    send(processes_mentioning(tool), SIGKILL);
}

std::vector<Way> programs_into_containers() {
    auto ways = every_program();
    std::erase_if(ways, [](Way const& way) { return !way.into_container(); });
    return ways;
}

// A tool there sees no processes but those of its place.
std::vector<Way> programs_into_process_namespaces() {
    auto ways = every_program();
    std::erase_if(ways, [](Way const& way) { return way.through == Through::host; });
    return ways;
}

// An engine's socket that takes connections and never answers.
class SilentEngine {
public:
    explicit SilentEngine(std::string const& path)
        : socket_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        ::sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        REQUIRE(::bind(socket_.get(), reinterpret_cast<::sockaddr const*>(&address), sizeof address) == 0);
        REQUIRE(::listen(socket_.get(), 16) == 0);
    }

private:
    longshore::detail::FileDescriptor socket_;
};

// A variable of this process for as long as the object lives.
class Variable {
public:
    Variable(char const* name, std::string const& value) : name_{name}, before_{variable(name)} {
        ::setenv(name, value.c_str(), 1);
    }
    Variable(Variable const&) = delete;
    Variable& operator=(Variable const&) = delete;
    ~Variable() {
        if (before_)
            ::setenv(name_, before_->c_str(), 1);
        else
            ::unsetenv(name_);
    }

private:
    char const* name_;
    std::optional<std::string> before_;
};

} // namespace

TEST_CASE("a call ends within its bound when the tool refuses to die") {
    in_places(every_program(), [](Place const& place) {
        auto const name = unique_name("tool");
        auto const result = run_within_bound(place, name, "echo runs; trap \"\" INT QUIT; " + loop);
        CHECK(result.failure_kind() == FailureKind::timed_out);
        is_gone(place, name);
    });
}

TEST_CASE("a call ends within its bound when the container CLI has left its streams to another process") {
    in_places(
        ways_that([](Way const& way) { return way.through == Through::engine; }), [](Place const& place) {
            auto const heir = unique_name("heir");
            place.workspace().write_program("docker",
                                            "#!/bin/sh\nsetsid sh -c 'while :; do sleep 0.05; done' " + heir +
                                                " &\nexec " + place.container().cli() + " \"$@\"\n");
            auto const name = unique_name("tool");
            auto const result = run_within_bound(
                place.by(longshore::DockerCli{place.workspace().path("docker")}), name, "echo runs; " + loop);
            CHECK(result.failure_kind() == FailureKind::timed_out);
            CHECK(result.standard_output().bytes == "runs\n");
            is_gone(place, name);
            CHECK_FALSE(processes_of(heir).empty());
            send(processes_of(heir), SIGKILL);
        });
}

TEST_CASE("a call ends within its bound when the container CLI is stopped") {
    in_places(every_program(), [](Place const& place) {
        auto const name = unique_name("tool");
        auto const result =
            run_within_bound(place, name, "echo runs; " + loop, [] { send(own_children(), SIGSTOP); });
        CHECK(result.failure_kind() == FailureKind::timed_out);
        CHECK(result.standard_output().bytes == "runs\n");
        is_gone(place, name);
    });
}

TEST_CASE("a call ends within its bound when the tool, its guard and the container CLI are all stopped") {
    in_places(every_program(), [](Place const& place) {
        auto const name = unique_name("tool");
        auto const result = run_within_bound(place, name, "echo runs; " + loop,
                                             [&] { send(processes_mentioning(name), SIGSTOP); });
        CHECK(result.failure_kind() == FailureKind::timed_out);
        tells_its_fate(place, result, name);
    });
}

TEST_CASE("a call ends within its bound when the container is paused, and the tool once it goes on") {
    on_ways(programs_into_containers(), [](Way const& way) {
        Workspace const workspace;
        WorkspaceContainer const container{way.engine().value(), workspace};
        Place const place{way, workspace, container};
        auto const name = unique_name("tool");
        auto const result =
            run_within_bound(place, name, "echo runs; " + loop, [&] { container.command("pause"); });
        CHECK(result.failure_kind() == FailureKind::timed_out);
        CHECK(result.container().value().container_process_killed() != true);
        container.command("unpause");
        is_gone(place, name);
    });
}

TEST_CASE("a call ends within its bound when an unknown process holds the tool's streams open") {
    in_places(every_program(), [](Place const& place) {
        auto const name = unique_name("holder");
        // It has left the session and has wiped the call's identity, so that nobody can know whose it is.
        auto const result = run_within_bound(place, name,
                                             "env -i PATH=\"$PATH\" setsid sh -c 'exec sh -c \"" + loop +
                                                 "\" \"$0\"' \"$0\" & echo '{\"a\":1}'");
        send(processes_of(name), SIGKILL);
        CHECK_MESSAGE(result, result.error());
        CHECK(result.output() == object{{"a", 1}});
    });
}

TEST_CASE("a call ends within its bound when the tool stops all processes that it can see") {
    in_places(programs_into_process_namespaces(), [](Place const& place) {
        auto const name = unique_name("tool");
        auto const result =
            run_within_bound(place, name,
                             "echo runs\n"
                             "for folder in /proc/[0-9]*; do\n"
                             "    process=${folder#/proc/}\n"
                             "    case $process in 1 | $$) ;; *) kill -STOP $process ;; esac\n"
                             "done 2>/dev/null\n" +
                                 loop);
        CHECK(result.failure_kind() == FailureKind::timed_out);
        tells_its_fate(place, result, name);
    });
}

TEST_CASE("an engine that takes the call and never answers is told as such, within the bound") {
    in_places(programs_into_containers(), [](Place const& place) {
        auto const socket = place.workspace().path("silent.sock");
        SilentEngine const engine{socket};
        Variable const for_docker{"DOCKER_HOST", "unix://" + socket};
        Variable const for_podman{"CONTAINER_HOST", "unix://" + socket};
        auto config = place.config();
        config.timeout_seconds = 1s;
        auto executor = place.executor(config);
        auto const start = std::chrono::steady_clock::now();
        auto const result = executor.execute_tool("true", object{});
        auto const elapsed = std::chrono::steady_clock::now() - start;
        CHECK(elapsed <= 1s + config.kill_grace.value() + config.drain_grace.value() + 1s);
        CHECK(result.failure_kind() == FailureKind::engine_hang);
        std::remove(socket.c_str());
    });
}
