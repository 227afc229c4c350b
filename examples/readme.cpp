// SPDX-License-Identifier: BSL-1.0
#include <longshore/longshore.hpp>

#include <iostream>

int main() {
    longshore::ContainerToolExecutor executor{
        longshore::ContainerConfig{.host_sandbox_path = "/tmp/sandbox",
                                   .tool_command = {"/workspace/toolbox"}},
        longshore::BubblewrapCli{}};

    auto const result = executor.execute_tool("word_count", {{"path", "/tmp/sandbox/notes.txt"}});
    if (!result) {
        std::cerr << result.error() << '\n' << result.hint() << '\n';
        return 1;
    }
    std::cout << result.output() << '\n';
}
