// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_SUPPORT_PIPED_PROCESS_HPP
#define LONGSHORE_TESTS_SUPPORT_PIPED_PROCESS_HPP

#include <longshore/detail/child_process.hpp>
#include <longshore/detail/pipe_write.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <poll.h>
#include <unistd.h>

namespace support {

// Far beyond what anything here takes, so it never decides a test that passes.
inline constexpr std::chrono::seconds patience{30};

// A process whose three pipes the test holds: it feeds one and collects the others.
class PipedProcess {
public:
    PipedProcess(std::vector<std::string> const& arguments, std::vector<std::string> const& environment)
        : child_{longshore::detail::ChildProcess::start({arguments, environment, {}, false, {}, {}})} {}

    void send(std::string_view bytes) { pending_ += bytes; }

    void close_input() { closing_ = true; }

    std::string const& output() const noexcept { return output_; }
    std::string const& error() const noexcept { return error_; }
    ::pid_t process() const noexcept { return child_.process(); }
    bool took_everything() const noexcept { return pending_.empty(); }

    // Moves bytes until `enough()`, or until both streams have ended. False: neither came.
    template <typename Enough>
    bool pump_until(Enough enough) {
        auto const deadline = std::chrono::steady_clock::now() + patience;
        while (!enough()) {
            if (!child_.output.valid() && !child_.error.valid()) return false;
            if (std::chrono::steady_clock::now() > deadline) return false;
            step();
        }
        return true;
    }

    // Lets the process end by itself, and returns its status as ExitStatus has it.
    std::optional<int> wait_for_end() {
        pump_until([&] { return !child_.output.valid() && !child_.error.valid(); });
        auto const deadline = std::chrono::steady_clock::now() + patience;
        while (std::chrono::steady_clock::now() < deadline) {
            if (auto const ended = child_.try_reap()) return ended->status;
            ::pollfd entry{child_.exit_descriptor(), POLLIN, 0};
            ::poll(&entry, 1, 10);
        }
        return std::nullopt;
    }

private:
    void step() {
        if (pending_.empty() && closing_) child_.input.reset();
        std::array<::pollfd, 3> polled{{{pending_.empty() ? -1 : child_.input.get(), POLLOUT, 0},
                                        {child_.output.get(), POLLIN, 0},
                                        {child_.error.get(), POLLIN, 0}}};
        ::poll(polled.data(), polled.size(), 10);
        if (polled[0].revents != 0) write_some();
        if (polled[1].revents != 0) read_some(child_.output, output_);
        if (polled[2].revents != 0) read_some(child_.error, error_);
    }

    void write_some() {
        auto const result = longshore::detail::write_without_signal(child_.input.get(), pending_);
        pending_.erase(0, result.reader_gone() ? pending_.size() : result.bytes);
    }

    static void read_some(longshore::detail::FileDescriptor& from, std::string& into) {
        std::array<char, 65536> part;
        auto const got = ::read(from.get(), part.data(), part.size());
        if (got > 0) into.append(part.data(), static_cast<std::size_t>(got));
        if (got == 0) from.reset();
    }

    longshore::detail::ChildProcess child_;
    std::string pending_{};
    std::string output_{};
    std::string error_{};
    bool closing_ = false;
};

} // namespace support

#endif
