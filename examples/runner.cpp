// SPDX-License-Identifier: BSL-1.0
// The shortest program with a registry, a runner and an audit trail: see agent_tools.cpp for all they do.
//
//     runner SANDBOX   a folder that holds the toolbox and notes.txt
#include <longshore/longshore.hpp>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>

namespace {

using namespace longshore;

void run_tools(std::string const& sandbox) {
    ToolRegistry tools;
    tools.add({.name = "file_size",
               .input_schema = {{"properties", {{"path", {{"type", "string"}}}}}, {"required", {"path"}}},
               .handler = [](boost::json::object const& inputs) -> std::uint64_t {
                   return std::filesystem::file_size(inputs.at("path").as_string().c_str());
               }});
    tools.add({.name = "word_count", .execution_environment = ExecutionEnvironment::container});

    ContainerToolExecutor executor{
        ContainerConfig{.host_sandbox_path = sandbox, .tool_command = {"/workspace/toolbox"}},
        BubblewrapCli{}};
    ToolRunner runner{
        tools, executor,
        RunnerOptions<BoostJson>{.project = {.linked_resources = {{"container-instance", "bubblewrap"}}},
                                 .audit = JsonLinesAuditSink{"trail.jsonl"}}};

    std::cout << runner.execute("word_count", {{"path", sandbox + "/notes.txt"}}).output() << '\n'
              << runner.execute("file_size", {{"path", sandbox + "/notes.txt"}}).output() << '\n'
              << runner.execute("file_size", {{"file", "notes.txt"}}).error() << '\n';
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    run_tools(arguments[1]);
}
