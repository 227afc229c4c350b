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

// Who has this text in its arguments or its environment ("cmdline" or "environ"). A zombie has neither.
inline std::vector<::pid_t> who_has(std::string_view text, std::string const& file = "cmdline") {
    std::vector<::pid_t> found;
    for (auto const process : other_processes())
        if (read_file("/proc/" + std::to_string(process) + '/' + file).find(text) != std::string::npos)
            found.push_back(process);
    return found;
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
