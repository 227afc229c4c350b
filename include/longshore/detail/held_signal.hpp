// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_HELD_SIGNAL_HPP
#define LONGSHORE_DETAIL_HELD_SIGNAL_HPP

#include <longshore/config.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <csignal>
#include <ctime>

#include <pthread.h>

namespace longshore::inline v0 {
namespace detail {

// Keeps one signal of this thread waiting, so that the one that our own system call raised can be taken back
// before the host sees it. One that was waiting before is the host's, and is left alone.
class HeldSignal {
public:
    explicit HeldSignal(int signal) noexcept : signal_{signal} {
        ::sigemptyset(&held_);
        ::sigaddset(&held_, signal);
        was_pending_ = is_pending();
        ::pthread_sigmask(SIG_BLOCK, &held_, &mask_before_);
    }
    HeldSignal(HeldSignal const&) = delete;
    HeldSignal& operator=(HeldSignal const&) = delete;
    ~HeldSignal() { ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr); }

    void take_back() noexcept {
        if (was_pending_) return;
        ::timespec const at_once{};
        while (::sigtimedwait(&held_, nullptr, &at_once) < 0 && errno == EINTR) {
        }
    }

private:
    bool is_pending() const noexcept {
        ::sigset_t pending;
        ::sigemptyset(&pending);
        ::sigpending(&pending);
        return ::sigismember(&pending, signal_) == 1;
    }

    int signal_;
    ::sigset_t held_;
    ::sigset_t mask_before_;
    bool was_pending_;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
