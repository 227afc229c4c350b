// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTING_MANUAL_CLOCK_HPP
#define LONGSHORE_TESTING_MANUAL_CLOCK_HPP

#include <longshore/clock/policy.hpp>
#include <longshore/error.hpp>

#include <atomic>
#include <chrono>
#include <memory>

namespace longshore::inline v0 {

/// A clock that stands still until a test moves it. Copies share one time, so the copy inside an executor
/// follows the one that the test kept; two clocks made apart have nothing in common.
///
/// Thread safety: all members may be called from several threads at once.
class ManualClock {
public:
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<ManualClock, duration>;
    static constexpr bool is_steady = true;

    /// @param since_epoch the time that it tells at first.
    explicit ManualClock(duration since_epoch = duration::zero())
        : time_{std::make_shared<std::atomic<rep>>(since_epoch.count())} {}

    time_point now() const noexcept { return time_point{duration{time_->load()}}; }

    /// Moves the time of this clock and of all its copies.
    /// Throws `ValueError` for a negative length: a steady clock never runs backwards.
    void advance(duration length) const {
        if (length < duration::zero()) throw ValueError{"a steady clock cannot run backwards"};
        time_->fetch_add(length.count());
    }

private:
    std::shared_ptr<std::atomic<rep>> time_;
};

static_assert(ClockPolicy<ManualClock>);

} // namespace longshore::inline v0

#endif
