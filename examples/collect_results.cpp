// SPDX-License-Identifier: BSL-1.0
// Files into a container, and a tree of results back out of one that mounts nothing of this host: a build
// script is sent there, runs as a tool, and what it has built is brought into the sandbox, with a progress
// bar on a terminal and plain lines elsewhere.
//
//     collect_results --engine docker --container ID [--workspace DIR] [--sandbox DIR]
//
// The engine is docker, podman or devcontainer, with a container that exists; or host, to compare. The script
// can be your own: `build.sh` in the sandbox, which prints a JSON object that holds `path`, the directory.
#include <longshore/longshore.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace filesystem = std::filesystem;
using namespace longshore;

namespace {

struct Settings {
    std::string engine = "host";
    std::string container{};
    std::string workspace = "/workspace";
    std::string sandbox = "/tmp/longshore-collect-results";
};

Settings read_arguments(int count, char** arguments) {
    Settings settings;
    std::map<std::string_view, std::string*> const options{{"--engine", &settings.engine},
                                                           {"--container", &settings.container},
                                                           {"--workspace", &settings.workspace},
                                                           {"--sandbox", &settings.sandbox}};
    for (int at = 1; at < count; at += 2) {
        auto const option = options.find(arguments[at]);
        if (option == options.end() || at + 1 == count)
            throw std::invalid_argument{"unknown option, or one without a value: " +
                                        std::string{arguments[at]}};
        *option->second = arguments[at + 1];
    }
    return settings;
}

AnyContainerCli cli_for(std::string const& engine) {
    if (engine == "docker") return DockerCli{};
    if (engine == "podman") return PodmanCli{};
    if (engine == "devcontainer") return DevcontainerCli{};
    if (engine == "host") return HostCli{};
    throw std::invalid_argument{"unknown engine '" + engine + "': docker, podman, devcontainer or host"};
}

// Builds nothing, but leaves what a build leaves: many files in folders, a large one, and a link.
constexpr std::string_view build_script = R"sh(
set -e
cat >/dev/null
out=$PWD/out
rm -rf "$out"
for part in core net ui; do
    mkdir -p "$out/objects/$part"
    for number in 1 2 3 4 5 6 7 8; do
        echo "object $part $number" >"$out/objects/$part/$number.o"
    done
done
head -c 8000000 /dev/zero >"$out/program"
ln -s program "$out/latest"
printf '{"path": "%s", "target": "%s"}\n' "$out" "$1"
)sh";

std::string in_mebibytes(std::uint64_t bytes) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / (1U << 20U) << " MiB";
    return text.str();
}

// One line that is drawn anew on a terminal; a line for each file that has come elsewhere.
class ProgressDisplay {
public:
    explicit ProgressDisplay(bool on_terminal) : on_terminal_{on_terminal} {}

    void operator()(SyncProgress const& progress) {
        if (on_terminal_)
            draw(progress);
        else if (progress.files != files_)
            std::cerr << "came      " << progress.file << '\n';
        files_ = progress.files;
    }

    void end() const {
        if (on_terminal_) std::cerr << "\r\033[K";
    }

private:
    static constexpr std::uint64_t width = 30;

    static void draw(SyncProgress const& progress) {
        auto const filled =
            progress.total == 0 ? 0 : (std::min)(progress.bytes * width / progress.total, width);
        std::cerr << "\r[" << std::string(filled, '#') << std::string(width - filled, '.') << "] "
                  << in_mebibytes(progress.bytes) << "  " << progress.file << "\033[K";
    }

    bool on_terminal_;
    std::size_t files_ = 0;
};

int run(Settings const& settings) {
    filesystem::create_directories(settings.sandbox);
    auto const script = settings.sandbox + "/build.sh";
    if (!filesystem::exists(script)) std::ofstream{script} << build_script;

    ContainerConfig config{.workspace_folder = settings.workspace,
                           .container_id = settings.container,
                           .host_sandbox_path = settings.sandbox,
                           .forward_environment = {"DOCKER_HOST", "CONTAINER_HOST"},
                           .tool_command = {"sh", settings.workspace + "/build.sh"}};
    ContainerToolExecutor executor{std::move(config), cli_for(settings.engine)};

    executor.send_to_container(script, settings.workspace + "/build.sh");
    std::cerr << "sent      " << script << '\n';

    auto const built = executor.execute_tool("release", {});
    if (!built) throw std::runtime_error{built.error()};
    auto const host_path = std::string{built.output().at("path").as_string()}; // mapped: it names the host's
    std::cerr << "built     " << built.output().at("target").as_string() << '\n';

    ProgressDisplay display{::isatty(STDERR_FILENO) == 1};
    auto const report = executor.sync_tree_to_host(
        executor.path_mapper().host_to_container(host_path),
        {.timeout = 60, .on_progress = [&](auto const& progress) { display(progress); }});
    display.end();
    for (auto const& file : report.files)
        if (!file) std::cerr << "left out  " << file.error << '\n';
    if (report.failure.kind != FailureKind::none) throw std::runtime_error{report.failure.text};
    std::cout << host_path << ": " << in_mebibytes(report.bytes) << " in " << report.directories
              << " directories\n";
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    try {
        return run(read_arguments(count, arguments));
    } catch (std::exception const& failure) {
        std::cerr << "collect_results: " << failure.what() << '\n';
        return 1;
    }
}
