// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_IDENTITY_SWEEP_HPP
#define LONGSHORE_DETAIL_IDENTITY_SWEEP_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/system_calls.hpp>

#if !LONGSHORE_WINDOWS

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// Finds and kills the processes of one call by a variable that each of them inherits, wherever it has gone
// to: another process group, another session, adopted by init.
class IdentitySweep {
public:
    static constexpr std::chrono::milliseconds longest_sweep{1000};
    static constexpr std::chrono::milliseconds pause{1}; // between rounds, for the killed to end

    IdentitySweep(std::string_view identity, SystemFeatures const& features, std::string proc)
        : entry_{"LONGSHORE_CALL=" + std::string{identity} + '\0'}, features_{features}, proc_{std::move(
                                                                                             proc)} {}

    // Rounds until the sweep has an answer, or its time is over.
    std::optional<bool> run() {
        auto const deadline = std::chrono::steady_clock::now() + longest_sweep;
        for (;;) {
            auto const round = sweep();
            if (round == Round::clean) return true;
            if (round == Round::no_list) return std::nullopt;
            if (std::chrono::steady_clock::now() >= deadline) return false;
            ::poll(nullptr, 0, static_cast<int>(pause.count()));
        }
    }

    enum class Round { again, clean, no_list };

    // One round. New processes may be born while a list is read, and one that is just starting a program
    // shows no environment, so it takes two rounds in a row that find nobody.
    Round sweep() {
        auto const found = lists_this_process() ? sweep_once() : std::nullopt;
        if (!found) return Round::no_list;
        clean_rounds_ = *found == 0 ? clean_rounds_ + 1 : 0;
        return clean_rounds_ == 2 ? Round::clean : Round::again;
    }

private:
    struct CloseDirectory {
        void operator()(::DIR* directory) const noexcept { ::closedir(directory); }
    };

    // A list of another PID namespace has numbers that mean other processes here.
    bool lists_this_process() const {
        std::array<char, 32> target{};
        auto const length = ::readlink((proc_ + "/self").c_str(), target.data(), target.size());
        return length > 0 && parse_process({target.data(), static_cast<std::size_t>(length)}) == ::getpid();
    }

    // How many carry the identity; each has been sent SIGKILL. Empty: there is no list.
    std::optional<std::size_t> sweep_once() {
        std::unique_ptr<::DIR, CloseDirectory> const directory{::opendir(proc_.c_str())};
        if (!directory) return std::nullopt;
        std::size_t found = 0;
        while (auto const* entry = ::readdir(directory.get())) {
            auto const process = parse_process(entry->d_name);
            if (process == 0 || process == ::getpid() || !carries_identity(process)) continue;
            ++found;
            kill_process(process);
        }
        return found;
    }

    static ::pid_t parse_process(std::string_view name) noexcept {
        ::pid_t process = 0;
        auto const parsed = std::from_chars(name.data(), name.data() + name.size(), process);
        return parsed.ec == std::errc{} && parsed.ptr == name.data() + name.size() ? process : 0;
    }

    // False for those that are gone or a zombie (nothing runs there any more), and for those of other users,
    // which may not be looked at and could not be killed either.
    bool carries_identity(::pid_t process) {
        if (!read_environment(process)) return false;
        for (std::size_t at = 0; (at = environment_.find(entry_, at)) != std::string::npos; ++at)
            if (at == 0 || environment_[at - 1] == '\0') return true;
        return false;
    }

    bool read_environment(::pid_t process) {
        FileDescriptor const file{
            ::open((proc_ + '/' + std::to_string(process) + "/environ").c_str(), O_RDONLY | O_CLOEXEC)};
        environment_.clear();
        std::array<char, 16384> part;
        while (file.valid()) {
            auto const got = ::read(file.get(), part.data(), part.size());
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            environment_.append(part.data(), static_cast<std::size_t>(got));
        }
        if (!environment_.empty()) environment_ += '\0'; // the last entry may lack its own
        return !environment_.empty();
    }

    // The number may be somebody else's by now. So the environment is looked at again once a descriptor holds
    // the process; then the signal can reach nobody but it.
    void kill_process(::pid_t process) {
        FileDescriptor const pidfd{features_.pidfd ? pidfd_open(process) : -1};
        if (features_.pidfd && !pidfd.valid() && errno == ESRCH) return;
        if (pidfd.valid() && !carries_identity(process)) return;
        if (pidfd.valid() && (pidfd_send_signal(pidfd.get(), SIGKILL, 0) == 0 || errno == ESRCH)) return;
        ::kill(process, SIGKILL);
    }

    std::string entry_; // with its NUL, so that no longer value matches
    SystemFeatures features_;
    std::string proc_;
    std::string environment_{};
    int clean_rounds_ = 0;
};

// Sends SIGKILL to every process, except this one, whose environment holds exactly LONGSHORE_CALL=<identity>.
// True: none is left. False: some remain after `IdentitySweep::longest_sweep`. Empty: processes cannot be
// listed here. Thread safe.
inline std::optional<bool> kill_by_identity(std::string_view identity, SystemFeatures const& features = {},
                                            std::string proc = "/proc") {
    return IdentitySweep{identity, features, std::move(proc)}.run();
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
