// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_DEADLINE_HPP
#define LONGSHORE_LAUNCH_DEADLINE_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/timeout.hpp>

#include <algorithm>
#include <chrono>
#include <optional>

namespace longshore::inline v0 {

/// The moment that never comes.
inline constexpr Instant never = (Instant::max)();

/// `start + length`, held at `never`, so that no length can overflow into the past.
constexpr Instant later(Instant start, std::chrono::nanoseconds length) noexcept {
    return length >= never - (std::max)(start, Instant::zero()) ? never : start + length;
}

/// The two limits of one call: how long it may take in all, and how long it may be silent.
/// A value without a clock: it is told the time. Not thread safe.
class Deadline {
public:
    Deadline(Timeout const& whole, std::optional<Timeout> const& silence, Instant start) noexcept
        : end_{later(start, whole.value())}, silence_{silence ? silence->value() : never},
          silent_until_{later(start, silence_)} {}

    /// The command has said something.
    void heard(Instant now) noexcept { silent_until_ = later(now, silence_); }

    /// Which limit has passed at `now`, if any.
    std::optional<Ended> passed(Instant now) const noexcept {
        if (now >= end_) return Ended::timed_out;
        if (now >= silent_until_) return Ended::no_output;
        return std::nullopt;
    }

    /// When to look again.
    Instant next() const noexcept { return (std::min)(end_, silent_until_); }

private:
    Instant end_;
    std::chrono::nanoseconds silence_;
    Instant silent_until_;
};

} // namespace longshore::inline v0

#endif
