// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_UNIT_DETAIL_PROCESS_SUPPORT_HPP
#define LONGSHORE_TESTS_UNIT_DETAIL_PROCESS_SUPPORT_HPP

#include <longshore/detail/child_process.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dirent.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

// What the tests of processes share: each way of starting one, and a small driver.
namespace process_support {

using longshore::detail::ChildProcess;
using longshore::detail::SystemFeatures;

struct Way {
    std::string_view name;
    SystemFeatures features;
};

template <typename Change>
Way make_way(std::string_view name, Change change) {
    Way result{name, {}};
    change(result.features);
    return result;
}

// Every fallback there is, alone and in the company that it would have on an old kernel.
inline std::vector<Way> every_way() {
    return {
        make_way("everything that the system has", [](auto&) {}),
        make_way("no pidfd at the start", [](auto& f) { f.pidfd_at_start = false; }),
        make_way("no pidfd", [](auto& f) { f.pidfd_at_start = f.pidfd = false; }),
        make_way("no signal to a group by pidfd", [](auto& f) { f.group_signal = false; }),
        make_way("no close_range", [](auto& f) { f.close_range = false; }),
        make_way("nothing lists descriptors",
                 [](auto& f) { f.close_range = f.descriptor_directory = false; }),
        make_way("posix_spawn", [](auto& f) { f.shared_memory_start = false; }),
        make_way("posix_spawn, no close_range",
                 [](auto& f) { f.shared_memory_start = f.close_range = false; }),
        make_way("posix_spawn, nothing lists descriptors",
                 [](auto& f) { f.shared_memory_start = f.close_range = f.descriptor_directory = false; }),
        make_way("fork", [](auto& f) { f.shared_memory_start = f.spawn_start = false; }),
        make_way("fork on an old kernel",
                 [](auto& f) {
                     f = {.shared_memory_start = false,
                          .spawn_start = false,
                          .pidfd_at_start = false,
                          .pidfd = false,
                          .group_signal = false,
                          .close_range = false,
                          .descriptor_directory = true,
                          .write_without_signal = false};
                 }),
    };
}

struct Job {
    std::vector<std::string> arguments;
    std::vector<std::string> environment{"PATH=/usr/bin:/bin"};
    std::string working_directory{};
    bool merge_error = false;
    longshore::ResourceLimits limits{};
    std::string input{};
};

inline Job shell(std::string script) { return {.arguments = {"/bin/sh", "-c", std::move(script)}}; }

inline ChildProcess start(Job const& job, SystemFeatures const& features = {}) {
    return ChildProcess::start({.arguments = job.arguments,
                                .environment = job.environment,
                                .working_directory = job.working_directory,
                                .merge_error = job.merge_error,
                                .limits = job.limits,
                                .input_head = job.input},
                               features);
}

// Asks until there is an answer. The bound is far beyond what any answer takes, so it never decides.
template <typename Ask>
auto eventually(Ask ask) -> decltype(ask()) {
    auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    for (;;) {
        auto answer = ask();
        if (answer || std::chrono::steady_clock::now() > deadline) return answer;
        ::poll(nullptr, 0, 1);
    }
}

// -1000: no end within the bound; -999: lost.
inline int wait_status(ChildProcess& child) {
    auto const ended = eventually([&] { return child.try_reap(); });
    return ended ? ended->status.value_or(-999) : -1000;
}

struct Finished {
    std::string output{};
    std::string error{};
    int status = -1000;
};

inline bool read_some(longshore::detail::FileDescriptor& from, std::string& into) {
    std::array<char, 65536> part;
    auto const got = ::read(from.get(), part.data(), part.size());
    if (got > 0) into.append(part.data(), static_cast<std::size_t>(got));
    if (got == 0) from.reset();
    return got > 0;
}

// Reads both streams to their ends, then reaps. The input has to fit into the pipe.
inline Finished finish(ChildProcess child) {
    Finished finished;
    child.input.reset();
    while (child.output.valid() || child.error.valid()) {
        std::array<::pollfd, 2> entries{{{child.output.get(), POLLIN, 0}, {child.error.get(), POLLIN, 0}}};
        ::poll(entries.data(), entries.size(), -1);
        if (entries[0].revents != 0) read_some(child.output, finished.output);
        if (entries[1].revents != 0) read_some(child.error, finished.error);
    }
    finished.status = wait_status(child);
    return finished;
}

inline Finished run(Job const& job, SystemFeatures const& features = {}) {
    return finish(start(job, features));
}

inline std::size_t count_open_descriptors() {
    auto* const directory = ::opendir("/proc/self/fd");
    std::size_t count = 0;
    while (::readdir(directory) != nullptr)
        ++count;
    ::closedir(directory);
    return count;
}

inline bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0; }

// A zombie that waits for its new parent runs no more.
inline bool is_running(::pid_t process) {
    std::ifstream file{"/proc/" + std::to_string(process) + "/stat"};
    std::string text;
    if (!std::getline(file, text)) return false;
    auto const name_end = text.rfind(") ");
    return name_end != std::string::npos && text[name_end + 2] != 'Z' && text[name_end + 2] != 'X';
}

// Runs a test in a process of its own, for what would disturb the others. True: it returned true.
template <typename Test>
bool in_own_process(Test test) {
    auto const process = ::fork();
    if (process == 0) ::_exit(test() ? 0 : 1);
    int status = -1;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// What the host does with one signal, put back afterwards.
class Disposition {
public:
    Disposition(int signal, void (*handler)(int)) : signal_{signal}, before_{std::signal(signal, handler)} {}
    Disposition(Disposition const&) = delete;
    Disposition& operator=(Disposition const&) = delete;
    ~Disposition() { std::signal(signal_, before_); }

private:
    int signal_;
    void (*before_)(int);
};

} // namespace process_support

#endif
