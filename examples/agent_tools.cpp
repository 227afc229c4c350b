// SPDX-License-Identifier: BSL-1.0
// What an agent does with longshore: tools that run on the host, in a container, or wherever plan and project
// say, behind one runner that leaves an audit trail.
//
//     agent_tools [option value]... [TOOL INPUTS]...
//
//     --execution-environment host|container   the plan's word on where tools run
//     --project-environment host|container     the project's word, which the plan overrides
//     --engine NAME       bubblewrap (default: a container for each call), docker, podman or devcontainer
//     --container ID      the container that exists already, for the other engines
//     --sandbox DIR       the folder that a container sees as /workspace
//     --tools PROGRAM     the program that has the tools, as the container sees it: /workspace/toolbox
//     --trail FILE        gets one line of JSON for each execution: agent_tools.jsonl
//
// INPUTS are a JSON object. Each result goes to stdout as one line of JSON; without a TOOL the tools are
// listed. Exits with 1 when a tool failed, with 2 when the command line makes no sense.
#include <longshore/longshore.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace json = boost::json;
using namespace longshore;

namespace {

struct Settings {
    std::string plan_environment{};
    std::string project_environment{};
    std::string engine = "bubblewrap";
    std::string container{};
    std::string sandbox = "/tmp/longshore-agent-tools";
    std::string tools = "/workspace/toolbox";
    std::string trail = "agent_tools.jsonl";
    std::vector<std::pair<std::string, std::string>> calls{}; // a tool and its inputs
};

Settings read_arguments(int count, char** arguments) {
    Settings settings;
    std::map<std::string_view, std::string*> const options{
        {"--execution-environment", &settings.plan_environment},
        {"--project-environment", &settings.project_environment},
        {"--engine", &settings.engine},
        {"--container", &settings.container},
        {"--sandbox", &settings.sandbox},
        {"--tools", &settings.tools},
        {"--trail", &settings.trail}};
    for (int at = 1; at < count; at += 2) {
        std::string const word = arguments[at];
        if (at + 1 == count) throw std::invalid_argument{word + " needs a value or inputs behind it"};
        if (auto const option = options.find(word); option != options.end())
            *option->second = arguments[at + 1];
        else if (word.starts_with("-"))
            throw std::invalid_argument{"unknown option " + word};
        else
            settings.calls.emplace_back(word, arguments[at + 1]);
    }
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

// --- the tools

// The host side of a tool that has both: in a container the program of tools does the same.
json::object file_read(json::object const& inputs) {
    std::string const path{inputs.at("path").get_string()};
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::runtime_error{"cannot open '" + path + "'"};
    std::string const content{std::istreambuf_iterator<char>{file}, {}};
    return {{"path", path}, {"content", content}, {"bytes", content.size()}, {"truncated", false}};
}

void register_tools(ToolRegistry& tools, std::string const& sandbox) {
    json::object const text{{"type", "string"}};
    tools.add({.name = "file_read",
               .description = "Reads a file: on the host or in a container, as plan and project say.",
               .input_schema = {{"properties", {{"path", text}}}, {"required", {"path"}}},
               .handler = file_read});
    tools.add({.name = "grep",
               .description = "Searches files, always in a container.",
               .input_schema = {{"properties", {{"path", text}, {"pattern", text}}},
                                {"required", {"path", "pattern"}}},
               .execution_environment = ExecutionEnvironment::container});
    tools.add({.name = "save_note",
               .description = "Writes a file, always in a container, by the program's file_write.",
               .input_schema = {{"properties", {{"path", text}, {"content", text}}},
                                {"required", {"path", "content"}}},
               .capability = {.writes = true},
               .execution_environment = ExecutionEnvironment::container,
               .container_command = "file_write"});
    tools.add(
        {.name = "free_space",
         .description = "Tells how many bytes are free for the sandbox, always on the host.",
         .execution_environment = ExecutionEnvironment::host,
         .handler = [sandbox](json::object const&) { return std::filesystem::space(sandbox).available; },
         .source = ToolSource::builtin});
}

// --- where they run

std::optional<ExecutionEnvironment> environment(std::string const& setting) {
    if (setting.empty()) return std::nullopt;
    return parse_execution_environment(setting);
}

// A bubblewrap container is there whenever it is asked for; another one only when it is named.
std::vector<LinkedResource> linked_resources(Settings const& settings) {
    if (settings.engine == "bubblewrap") return {{"container-instance", "bubblewrap"}};
    if (settings.container.empty()) return {};
    return {{settings.engine == "devcontainer" ? "devcontainer-instance" : "container-instance",
             settings.container}};
}

int list(ToolRegistry const& tools) {
    for (auto const& tool : tools.list())
        std::cout << tool->name << ": " << tool->description << '\n';
    return 0;
}

int run(Settings const& settings) {
    ToolRegistry tools;
    register_tools(tools, settings.sandbox);
    if (settings.calls.empty()) return list(tools);

    std::filesystem::create_directories(settings.sandbox);
    ContainerToolExecutor executor{ContainerConfig{.container_id = settings.container,
                                                   .timeout_seconds = 60,
                                                   .host_sandbox_path = settings.sandbox,
                                                   .forward_environment = {"DOCKER_HOST", "CONTAINER_HOST"},
                                                   .tool_command = {settings.tools}},
                                   cli_for(settings.engine)};

    ToolRunner runner{tools, executor,
                      RunnerOptions<BoostJson>{
                          .plan_environment = environment(settings.plan_environment),
                          .project = {.execution_environment = environment(settings.project_environment),
                                      .linked_resources = linked_resources(settings)},
                          .audit = JsonLinesAuditSink{settings.trail},
                          .hooks = {.log = [](LogLevel level, std::string_view entry) {
                              std::cerr << to_string(level) << ": " << entry << '\n';
                          }}}};

    bool all_succeeded = true;
    for (auto const& [tool, inputs] : settings.calls) {
        auto const result = runner.execute_json(tool, inputs);
        std::cout << BoostJson::serialize(to_json(result)) << '\n';
        all_succeeded = all_succeeded && result;
    }
    return all_succeeded ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    try {
        return run(read_arguments(count, arguments));
    } catch (std::exception const& failure) {
        std::cerr << "agent_tools: " << failure.what() << '\n';
        return 2;
    }
}
