// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_SUPPORT_PROCESS_LIST_HPP
#define LONGSHORE_TESTS_SUPPORT_PROCESS_LIST_HPP

#include <longshore/detail/file_descriptor.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace support {

// Empty when there is none, and what was read so far when it goes in the middle, as those of /proc do.
inline std::string read_file(std::string const& path) {
    longshore::detail::FileDescriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    std::string text;
    std::array<char, 16384> part;
    while (file.valid()) {
        auto const got = ::read(file.get(), part.data(), part.size());
        if (got <= 0) break;
        text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
}

// The numbers of all processes but this one.
inline std::vector<::pid_t> other_processes() {
    std::vector<::pid_t> found;
    auto* const directory = ::opendir("/proc");
    while (auto const* entry = ::readdir(directory))
        if (auto const number = std::atoi(entry->d_name); number > 0 && number != ::getpid())
            found.push_back(number);
    ::closedir(directory);
    return found;
}

// Whose arguments or environment ("cmdline" or "environ") are so. A zombie has neither.
template <typename Matches>
std::vector<::pid_t> processes_with(std::string const& file, Matches matches) {
    std::vector<::pid_t> found;
    for (auto const process : other_processes())
        if (matches(read_file("/proc/" + std::to_string(process) + '/' + file))) found.push_back(process);
    return found;
}

// Who has this text there.
inline std::vector<::pid_t> who_has(std::string_view text, std::string const& file = "cmdline") {
    return processes_with(file, [&](std::string const& all) { return all.find(text) != std::string::npos; });
}

// Who of a tool has this text in its arguments. A guard has its tool's arguments among its own, and may still
// be ending when the tool is gone.
inline std::vector<::pid_t> tools_with(std::string_view text) {
    return processes_with("cmdline", [&](std::string const& all) {
        return all.find(text) != std::string::npos && all.find("run_command") == std::string::npos;
    });
}

// A number of seconds, an hour or more, that stands in no other command line, in this test run or another.
inline std::string unique_sleep() {
    static std::atomic<int> counter{0};
    return "3600.0" + std::to_string(::getpid()) + '0' + std::to_string(++counter);
}

// How `sleep` with this number looks there, unlike the script that starts it.
inline std::string sleeping(std::string const& seconds) { return std::string{"sleep\0", 6} + seconds + '\0'; }

// Waits until so many processes have the text in their arguments.
inline bool wait_for_processes(std::string_view text, std::size_t count,
                               std::chrono::milliseconds bound = std::chrono::seconds{30}) {
    auto const deadline = std::chrono::steady_clock::now() + bound;
    while (who_has(text).size() != count) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        ::poll(nullptr, 0, 5);
    }
    return true;
}

} // namespace support

#endif
