// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_UNDISTURBED_HPP
#define LONGSHORE_DETAIL_UNDISTURBED_HPP

#include <longshore/config.hpp>

#if !LONGSHORE_WINDOWS

#include <csignal>

#include <pthread.h>

namespace longshore::inline v0 {
namespace detail {

// Keeps the cancellation of this thread waiting while it is in a scope: cut short there, it would leave a
// process behind, or unwind out of a noexcept function.
class NoCancellation {
public:
    NoCancellation() noexcept { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    NoCancellation(NoCancellation const&) = delete;
    NoCancellation& operator=(NoCancellation const&) = delete;
    ~NoCancellation() { ::pthread_setcancelstate(before_, nullptr); }

    // Lets it through while `wait` runs, where the thread allowed it before: there everything can unwind.
    template <typename Wait>
    void except_in(Wait const& wait) const {
        int disabled = 0;
        ::pthread_setcancelstate(before_, &disabled);
        wait();
        ::pthread_setcancelstate(disabled, nullptr);
    }

private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

// Keeps every signal of this thread waiting while it is in a scope. A child inherits the mask, so no handler
// of the host can run in it before it has reset them.
class NoSignals {
public:
    NoSignals() noexcept {
        ::sigset_t every;
        ::sigfillset(&every);
        ::pthread_sigmask(SIG_SETMASK, &every, &before_);
    }
    NoSignals(NoSignals const&) = delete;
    NoSignals& operator=(NoSignals const&) = delete;
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    ::sigset_t before_;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
