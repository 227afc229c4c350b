// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_HOST_HPP
#define LONGSHORE_TESTS_INTEGRATION_HOST_HPP

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

// This host and its processes. Those in containers are among them where the engine runs on this kernel; a
// test that looks for them first waits until it sees one, so that it never passes because it cannot see.
namespace longshore_test {

// Waits for a condition, not for a time: false only when it does not come true within the limit.
template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds limit = std::chrono::seconds{30}) {
    auto const deadline = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return true;
}

// Text that nothing else on this machine holds.
inline std::string unique_name(std::string_view stem) {
    std::random_device device;
    return std::string{stem} + '-' + std::to_string(::getpid()) + '-' + std::to_string(device());
}

struct HostProcess {
    ::pid_t id;
    std::vector<std::string> arguments;
};

inline std::vector<std::string> arguments_of(std::filesystem::path const& folder) {
    std::ifstream file{folder / "cmdline", std::ios::binary};
    std::vector<std::string> arguments;
    for (std::string argument; std::getline(file, argument, '\0');)
        arguments.push_back(argument);
    return arguments;
}

// Every process but kernel threads and zombies, which have no arguments.
inline std::vector<HostProcess> all_processes() {
    std::vector<HostProcess> processes;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry{"/proc", failure}, end; !failure && entry != end;
         entry.increment(failure)) {
        auto const name = entry->path().filename().string();
        if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
            continue;
        if (auto arguments = arguments_of(entry->path()); !arguments.empty())
            processes.push_back({static_cast<::pid_t>(std::stol(name)), std::move(arguments)});
    }
    return processes;
}

template <typename Fits>
std::vector<::pid_t> processes_with_argument(Fits fits) {
    std::vector<::pid_t> found;
    for (auto const& process : all_processes())
        if (std::any_of(process.arguments.begin(), process.arguments.end(), fits))
            found.push_back(process.id);
    return found;
}

// The processes of a tool that gives each of them an argument which begins with its unique name. The
// transports and guards on the way to it have the name within a longer text.
inline std::vector<::pid_t> processes_of(std::string const& tool) {
    return processes_with_argument([&](std::string const& argument) { return argument.starts_with(tool); });
}

// The same, and their guards and transports.
inline std::vector<::pid_t> processes_mentioning(std::string const& text) {
    return processes_with_argument(
        [&](std::string const& argument) { return argument.find(text) != std::string::npos; });
}

// The parent of a process; 0 when there is no such process.
inline ::pid_t parent_of(::pid_t process) {
    std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
    std::string const text{std::istreambuf_iterator<char>{file}, {}};
    auto const end_of_name = text.rfind(')');
    return end_of_name == std::string::npos ? 0
                                            : static_cast<::pid_t>(std::stol(text.substr(end_of_name + 4)));
}

} // namespace longshore_test

#endif
