// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CLOCK_POLICY_HPP
#define LONGSHORE_CLOCK_POLICY_HPP

#include <chrono>
#include <concepts>

namespace longshore::inline v0 {

/// A clock, as an object, that never runs backwards. It gives `exec_time_ms` and drives every deadline.
///
/// Requirements on a type `C` and an object `clock` of it:
/// 1. `C` is copyable, and copies tell the same time.
/// 2. `clock.now()` returns a `std::chrono::time_point`.
/// 3. `C::is_steady` is true: a deadline is never read off a wall clock.
///
/// Not required: static members, an epoch, a resolution. `std::chrono::steady_clock` is a model.
/// Thread safety asked of a model: `now()` may be called from several threads at once.
template <typename C>
concept ClockPolicy = std::copyable<C> && requires(C const& clock) {
    {std::chrono::duration_cast<std::chrono::nanoseconds>(clock.now().time_since_epoch())};
    requires C::is_steady;
};

static_assert(ClockPolicy<std::chrono::steady_clock>);

/// A moment on whatever clock is in use: time since that clock's epoch. The launch core is written in these,
/// so that it depends on no clock.
using Instant = std::chrono::nanoseconds;

/// The present moment of `clock` as an `Instant`.
template <ClockPolicy Clock>
Instant instant(Clock const& clock) {
    return std::chrono::duration_cast<Instant>(clock.now().time_since_epoch());
}

} // namespace longshore::inline v0

#endif
