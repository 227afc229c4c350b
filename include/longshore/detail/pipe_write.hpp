// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_PIPE_WRITE_HPP
#define LONGSHORE_DETAIL_PIPE_WRITE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/system_calls.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <string_view>

#include <pthread.h>
#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// What one write came to: bytes taken, or why none were.
struct WriteResult {
    std::size_t bytes = 0;
    int error = 0;

    bool would_block() const noexcept { return error == EAGAIN || error == EWOULDBLOCK; }
    bool reader_gone() const noexcept { return error == EPIPE; }

    friend bool operator==(WriteResult const&, WriteResult const&) = default;
};

// Keeps SIGPIPE of this thread waiting, so that the one of our own write can be taken back. One that was
// waiting before is the host's, and is left alone.
class PipeSignalHeld {
public:
    PipeSignalHeld() noexcept {
        ::sigemptyset(&pipe_signal_);
        ::sigaddset(&pipe_signal_, SIGPIPE);
        was_pending_ = is_pending();
        ::pthread_sigmask(SIG_BLOCK, &pipe_signal_, &mask_before_);
    }
    PipeSignalHeld(PipeSignalHeld const&) = delete;
    PipeSignalHeld& operator=(PipeSignalHeld const&) = delete;
    ~PipeSignalHeld() { ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr); }

    void take_back() noexcept {
        if (was_pending_) return;
        ::timespec const at_once{};
        while (::sigtimedwait(&pipe_signal_, nullptr, &at_once) < 0 && errno == EINTR) {
        }
    }

private:
    static bool is_pending() noexcept {
        ::sigset_t pending;
        ::sigemptyset(&pending);
        ::sigpending(&pending);
        return ::sigismember(&pending, SIGPIPE) == 1;
    }

    ::sigset_t pipe_signal_;
    ::sigset_t mask_before_;
    bool was_pending_;
};

template <typename Write>
WriteResult write_uninterrupted(Write write) {
    ::ssize_t written = 0;
    do {
        written = write();
    } while (written < 0 && errno == EINTR);
    return written < 0 ? WriteResult{0, errno} : WriteResult{static_cast<std::size_t>(written), 0};
}

inline WriteResult write_holding_signal(int descriptor, std::string_view bytes) {
    PipeSignalHeld held;
    auto const result = write_uninterrupted([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (result.reader_gone()) held.take_back();
    return result;
}

// One write to a pipe or socket whose reader may be gone. The host never gets SIGPIPE, and its handlers and
// dispositions are never touched. SIGXFSZ cannot come: pipes and sockets have no size limit. A pipe that
// can take a part takes a part.
inline WriteResult write_without_signal(int descriptor, std::string_view bytes,
                                        SystemFeatures const& features = {}) {
    if (features.write_without_signal) {
        auto const result =
            write_uninterrupted([&] { return write_no_signal(descriptor, bytes.data(), bytes.size()); });
        auto const unknown = result.error == EOPNOTSUPP || result.error == ENOSYS || result.error == EINVAL ||
                             result.error == EPERM;
        if (!unknown) return result;
    }
    return write_holding_signal(descriptor, bytes);
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
