// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_WAKE_UP_HPP
#define LONGSHORE_DETAIL_WAKE_UP_HPP

#include <longshore/config.hpp>
#include <longshore/detail/pipe.hpp>

#if !LONGSHORE_WINDOWS

#include <optional>
#include <stop_token>
#include <utility>

#include <unistd.h>

namespace longshore::inline v0 {
namespace detail {

// A descriptor that becomes readable when a stop is requested, from whatever thread. It costs a pipe, so
// there is none for a token that can never be stopped.
class WakeUp {
public:
    explicit WakeUp(std::stop_token const& token) {
        if (!token.stop_possible()) return;
        pipe_ = make_pipe();
        make_non_blocking(pipe_.writer);
        callback_.emplace(token, Signal{pipe_.writer.get()});
    }

    // -1 where no stop is possible.
    int descriptor() const noexcept { return pipe_.reader.get(); }

private:
    struct Signal {
        int descriptor;
        void operator()() const noexcept {
            char const byte = 0;
            [[maybe_unused]] auto const sent = ::write(descriptor, &byte, 1);
        }
    };

    Pipe pipe_{};
    std::optional<std::stop_callback<Signal>> callback_{}; // goes first, and waits for one that is running
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
