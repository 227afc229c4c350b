// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_START_SPAWN_HPP
#define LONGSHORE_DETAIL_START_SPAWN_HPP

#include <longshore/config.hpp>
#include <longshore/detail/become_program.hpp>
#include <longshore/detail/prepared_child.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <limits>
#include <system_error>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// posix_spawn has no attribute for resource limits, and setting them on a program that already runs would
// come too late.
inline bool spawn_can_start(PreparedChild const& child) noexcept { return child.limits.empty(); }

inline void require_spawn(int error) {
    if (error != 0)
        throw std::system_error{error, std::generic_category(), "cannot prepare the start of a process"};
}

class SpawnAttributes {
public:
    SpawnAttributes() { require_spawn(::posix_spawnattr_init(&attributes_)); }
    SpawnAttributes(SpawnAttributes const&) = delete;
    SpawnAttributes& operator=(SpawnAttributes const&) = delete;
    ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }

    // Own process group, default dispositions, empty mask.
    void set_clean() {
        ::sigset_t none;
        ::sigemptyset(&none);
        ::sigset_t every;
        std::memset(&every, 0xff, sizeof every); // sigfillset leaves out the C library's own two signals
        ::sigdelset(&every, SIGKILL);
        ::sigdelset(&every, SIGSTOP);
        require_spawn(::posix_spawnattr_setpgroup(&attributes_, 0));
        require_spawn(::posix_spawnattr_setsigmask(&attributes_, &none));
        require_spawn(::posix_spawnattr_setsigdefault(&attributes_, &every));
        require_spawn(::posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    }
    ::posix_spawnattr_t const* get() const noexcept { return &attributes_; }

private:
    ::posix_spawnattr_t attributes_;
};

class SpawnActions {
public:
    SpawnActions() { require_spawn(::posix_spawn_file_actions_init(&actions_)); }
    SpawnActions(SpawnActions const&) = delete;
    SpawnActions& operator=(SpawnActions const&) = delete;
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }

    void copy(int from, int to) { require_spawn(::posix_spawn_file_actions_adddup2(&actions_, from, to)); }
    // False: a number beyond the limit of descriptors, which was lowered below it, is not taken.
    bool close(int number) {
        auto const error = ::posix_spawn_file_actions_addclose(&actions_, number);
        if (error != EBADF) require_spawn(error);
        return error == 0;
    }
    // False: this C library has no such action.
    bool close_from([[maybe_unused]] int first) {
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
        require_spawn(::posix_spawn_file_actions_addclosefrom_np(&actions_, first));
        return true;
#endif
#endif
        return false;
    }
    void enter(char const* directory) {
        require_spawn(::posix_spawn_file_actions_addchdir_np(&actions_, directory));
    }
    ::posix_spawn_file_actions_t const* get() const noexcept { return &actions_; }

private:
    ::posix_spawn_file_actions_t actions_;
};

// Descriptors of the host that a program would inherit; its own are all close-on-exec.
inline std::vector<int> inheritable_descriptors(PreparedChild const& child) {
    std::vector<int> found;
    auto const add = [&](int number) {
        auto const flags = number > STDERR_FILENO ? ::fcntl(number, F_GETFD) : -1;
        if (flags >= 0 && (flags & FD_CLOEXEC) == 0) found.push_back(number);
    };
    auto* const directory = child.features.descriptor_directory ? ::opendir("/proc/self/fd") : nullptr;
    if (directory == nullptr) {
        for (int number = 0; number < child.descriptor_bound; ++number)
            add(number);
        return found;
    }
    while (auto const* entry = ::readdir(directory))
        add(parse_descriptor(entry->d_name));
    ::closedir(directory);
    return found;
}

// Whatever the host left inheritable is kept from the program. False: not all of it could be.
inline bool close_other_descriptors(SpawnActions& actions, PreparedChild const& child) {
    constexpr auto beyond_all = (std::numeric_limits<unsigned>::max)();
    auto const kernel_can = child.features.close_range && close_range_on_exec(beyond_all) == 0;
    if (kernel_can && actions.close_from(STDERR_FILENO + 1)) return true;
    for (int const number : inheritable_descriptors(child))
        if (!actions.close(number)) return false;
    return true;
}

inline StartAttempt start_by_spawn(PreparedChild& child) {
    SpawnAttributes attributes;
    attributes.set_clean();
    SpawnActions actions;
    for (int target = 0; target < 3; ++target)
        actions.copy(child.streams[static_cast<std::size_t>(target)], target);
    if (child.directory != nullptr) actions.enter(child.directory);
    if (!close_other_descriptors(actions, child)) return {.error = ENOSYS};
    StartAttempt attempt;
    attempt.error = ::posix_spawn(&attempt.process, child.arguments.front(), actions.get(), attributes.get(),
                                  child.arguments.data(), child.environment.data());
    if (attempt.error != 0) attempt.process = -1;
    return attempt;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
