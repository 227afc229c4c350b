// SPDX-License-Identifier: BSL-1.0
// The main job, whole: a tool runs in a container over real files. Host paths go in, the tool sees container
// paths, host paths come out. The result goes to stdout as JSON, what happens meanwhile to stderr.
//
//     quickstart --tools toolbox --files DIR [--sandbox DIR] [--engine NAME --container ID] [--pattern TEXT]
//
// Without --engine the container is one of bubblewrap, made for the call. With docker, podman or devcontainer
// it is one that exists already; host runs the tool without any container, to compare.
#include <longshore/longshore.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace filesystem = std::filesystem;
using namespace longshore;

namespace {

struct Settings {
    std::string engine = "bubblewrap";
    std::string container{};
    std::string tools{};
    std::string files{};
    std::string sandbox = "/tmp/longshore-quickstart";
    std::string pattern = "guard";
};

Settings read_arguments(int count, char** arguments) {
    Settings settings;
    std::map<std::string_view, std::string*> const options{
        {"--engine", &settings.engine},   {"--container", &settings.container},
        {"--tools", &settings.tools},     {"--files", &settings.files},
        {"--sandbox", &settings.sandbox}, {"--pattern", &settings.pattern}};
    for (int at = 1; at < count; at += 2) {
        auto const option = options.find(arguments[at]);
        if (option == options.end())
            throw std::invalid_argument{"unknown option " + std::string{arguments[at]}};
        if (at + 1 == count) throw std::invalid_argument{std::string{arguments[at]} + " needs a value"};
        *option->second = arguments[at + 1];
    }
    if (settings.tools.empty() || settings.files.empty())
        throw std::invalid_argument{"--tools PROGRAM and --files DIR are needed"};
    return settings;
}

AnyContainerCli cli_for(std::string const& engine) {
    if (engine == "bubblewrap") return BubblewrapCli{};
    if (engine == "docker") return DockerCli{};
    if (engine == "podman") return PodmanCli{};
    if (engine == "devcontainer") return DevcontainerCli{};
    throw std::invalid_argument{"unknown engine '" + engine +
                                "': bubblewrap, docker, podman or devcontainer"};
}

// The sandbox folder: the tool, and the files that it works on.
void fill_sandbox(Settings const& settings) {
    auto const fresh = filesystem::copy_options::overwrite_existing;
    filesystem::create_directories(settings.sandbox);
    filesystem::copy(settings.tools, filesystem::path{settings.sandbox} / "toolbox", fresh);
    filesystem::copy(settings.files, filesystem::path{settings.sandbox} / "files",
                     fresh | filesystem::copy_options::recursive);
}

std::string bytes_of(filesystem::path const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// A container that exists need not see the sandbox, so each file is written there by a command of its own.
template <typename Executor>
void carry_in(Executor& executor, Settings const& settings) {
    for (auto const& entry : filesystem::recursive_directory_iterator{settings.sandbox}) {
        if (!entry.is_regular_file()) continue;
        LaunchRequest request;
        request.transport = executor.execution().transport().to(executor.config());
        request.command.arguments = {"sh", "-c", R"(mkdir -p "${1%/*}" && cat >"$1" && chmod 755 "$1")", "sh",
                                     executor.path_mapper().host_to_container(entry.path().string())};
        request.input = bytes_of(entry.path());
        auto const outcome = executor.launcher().run(request);
        if (outcome.exit_code() != 0 || outcome.reached != Reached::end)
            throw std::runtime_error{"cannot write " + request.command.arguments.back() +
                                     " in the container: " + outcome.transport_noise + outcome.error.bytes};
    }
}

int run(Settings const& settings) {
    std::cerr << "sandbox   " << settings.sandbox << '\n';
    fill_sandbox(settings);

    ContainerConfig config{.container_id = settings.container,
                           .timeout_seconds = 60,
                           .host_sandbox_path = settings.sandbox,
                           .forward_environment = {"DOCKER_HOST", "CONTAINER_HOST"},
                           .tool_command = {"/workspace/toolbox"}};
    ContainerToolExecutor executor{std::move(config), cli_for(settings.engine)};
    executor.require_cli();
    if (!settings.container.empty()) carry_in(executor, settings);

    std::cerr << "container " << settings.engine << ' ' << settings.container << '\n'
              << "tool      grep '" << settings.pattern << "' in " << settings.sandbox << "/files\n";
    auto const result = executor.execute_tool(
        "grep", {{"path", settings.sandbox + "/files"}, {"pattern", settings.pattern}, {"max_matches", 5}});
    std::cout << BoostJson::serialize(to_json(result)) << '\n';
    if (!result) std::cerr << "failed    " << result.error() << '\n' << "hint      " << result.hint() << '\n';
    return result ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    try {
        return run(read_arguments(count, arguments));
    } catch (std::exception const& failure) {
        std::cerr << "quickstart: " << failure.what() << '\n';
        return 2;
    }
}
