// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_PREPARED_CHILD_HPP
#define LONGSHORE_DETAIL_PREPARED_CHILD_HPP

#include <longshore/config.hpp>
#include <longshore/detail/system_calls.hpp>
#include <longshore/launch/request.hpp>

#if !LONGSHORE_WINDOWS

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/resource.h>
#include <sys/types.h>

namespace longshore::inline v0 {
namespace detail {

// Where on its way to the program a child failed.
enum class StartStage : std::uint8_t {
    none,
    group,     // its own process group
    streams,   // descriptors 0, 1 and 2
    directory, // the working directory
    limits,
    program // execve
};

struct StartFailure {
    StartStage stage = StartStage::none;
    int error = 0;
};

// The C library makes the resource an enumeration of its own, others an int.
using Resource = decltype(RLIMIT_AS);

struct ProcessLimit {
    Resource resource;
    ::rlimit value;
};

// Everything a child needs, made before it exists: between its birth and its program only
// async-signal-safe calls are allowed, so nothing there may allocate, format or look anything up.
struct PreparedChild {
    std::vector<char*> arguments{};   // ends in a null pointer, as execve wants it
    std::vector<char*> environment{}; // likewise
    char const* directory = nullptr;  // null: the host's own
    std::array<int, 3> streams{-1, -1, -1};
    std::vector<ProcessLimit> limits{};
    int descriptor_bound = 0; // where a search for open descriptors ends when nothing can list them
    SystemFeatures features{};
    StartFailure failure{}; // written by the child where it shares the host's memory
};

// What one way of starting came to. A child that then failed on its way has its failure in PreparedChild.
struct StartAttempt {
    ::pid_t process = -1;
    int exit_descriptor = -1;
    int error = 0; // of the start itself
};

// A NUL would cut the text short without a word, so it is refused.
inline char* c_string(std::string const& text, char const* what) {
    if (text.find('\0') != std::string::npos)
        throw std::system_error{EINVAL, std::generic_category(), std::string{what} + " holds a NUL byte"};
    return const_cast<char*>(text.c_str());
}

inline std::vector<char*> c_strings(std::vector<std::string> const& texts, char const* what) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (auto const& text : texts)
        pointers.push_back(c_string(text, what));
    pointers.push_back(nullptr);
    return pointers;
}

// Both limits are set, so that the child cannot raise its own again; never above what the host itself may
// have, because that takes privileges. `margin` lets the soft limit's signal come before the hard limit's.
inline void add_limit(std::vector<ProcessLimit>& limits, Resource resource,
                      std::optional<std::uint64_t> const& wanted, ::rlim_t margin = 0) {
    if (!wanted) return;
    ::rlimit host{};
    if (::getrlimit(resource, &host) != 0)
        throw std::system_error{errno, std::generic_category(), "cannot read a resource limit"};
    auto const soft = (std::min)(static_cast<::rlim_t>(*wanted), host.rlim_max);
    auto const room = host.rlim_max - soft;
    limits.push_back({resource, {soft, soft + (std::min)(margin, room)}});
}

inline std::vector<ProcessLimit> process_limits(ResourceLimits const& wanted) {
    std::vector<ProcessLimit> limits;
    add_limit(limits, RLIMIT_AS, wanted.memory_bytes);
    add_limit(limits, RLIMIT_NPROC, wanted.processes);
    add_limit(limits, RLIMIT_FSIZE, wanted.file_bytes);
    add_limit(limits, RLIMIT_NOFILE, wanted.open_files);
    // SIGXCPU first, which tells why; SIGKILL a second later for those who ignore it.
    add_limit(limits, RLIMIT_CPU, wanted.cpu_seconds, 1);
    return limits;
}

// The limit of descriptors may be a million or infinite; looking at each would take longer than the child
// runs.
inline int descriptor_search_bound() noexcept {
    constexpr ::rlim_t longest_search = 65536;
    ::rlimit host{};
    if (::getrlimit(RLIMIT_NOFILE, &host) != 0) return static_cast<int>(longest_search);
    return static_cast<int>((std::min)(host.rlim_cur, longest_search));
}

[[noreturn]] inline void throw_start_error(PreparedChild const& child, StartFailure const& failure) {
    auto text = "cannot start " + std::string{child.arguments.front()};
    auto const directory = std::string{child.directory != nullptr ? child.directory : ""};
    if (failure.stage == StartStage::directory)
        text += ": cannot enter the working directory " + directory;
    else if (failure.stage == StartStage::limits)
        text += ": cannot set its resource limits";
    else if (failure.stage == StartStage::none && !directory.empty())
        text += " in " + directory;
    throw std::system_error{failure.error, std::generic_category(), text};
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
