// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TIMEOUT_HPP
#define LONGSHORE_TIMEOUT_HPP

#include <longshore/error.hpp>

#include <chrono>
#include <concepts>
#include <limits>
#include <ratio>
#include <string>
#include <type_traits>

namespace longshore::inline v0 {

/// How long something may take: more than zero, or without limit by choice.
///
/// It converts from a whole number of seconds (the specification's `timeout_seconds`) and from any
/// `std::chrono` duration, so that `ContainerConfig{.timeout_seconds = 30}` and `.timeout_seconds = 1500ms`
/// both read well. Lengths beyond the range of nanoseconds in 64 bits (292 years) are held at that range.
///
/// Throws `ValueError` when the length is not above zero. A value type; thread safe as an `int` is.
/// Source: container_tool_exec.feature, "execute_tool rejects negative timeout_seconds".
class Timeout {
public:
    using duration = std::chrono::nanoseconds;

    template <std::integral Seconds>
    requires(!std::same_as<Seconds, bool>) constexpr Timeout(Seconds seconds)
        : value_{checked(static_cast<long double>(seconds), std::ratio<1>{})} {}

    template <typename Rep, typename Period>
    constexpr Timeout(std::chrono::duration<Rep, Period> length)
        : value_{checked(static_cast<long double>(length.count()), Period{})} {}

    /// A limit that never passes. It is written out so that a call without an end is always chosen on
    /// purpose.
    static constexpr Timeout unlimited() noexcept { return Timeout{(duration::max)(), Exactly{}}; }

    constexpr duration value() const noexcept { return value_; }
    constexpr bool is_unlimited() const noexcept { return value_ == (duration::max)(); }

    /// The length in seconds; infinity when unlimited.
    constexpr double seconds() const noexcept {
        if (is_unlimited()) return std::numeric_limits<double>::infinity();
        return std::chrono::duration<double>{value_}.count();
    }

    friend constexpr bool operator==(Timeout const&, Timeout const&) = default;

private:
    struct Exactly {};
    constexpr Timeout(duration value, Exactly) noexcept : value_{value} {}

    template <typename Period>
    static constexpr duration checked(long double count, Period) {
        auto const nanoseconds =
            count * static_cast<long double>(Period::num) * 1e9L / static_cast<long double>(Period::den);
        if (!(count > 0)) throw ValueError{"timeout must be > 0 seconds, not " + shown(nanoseconds / 1e9L)};
        constexpr auto longest = (duration::max)().count() - 1;
        if (nanoseconds >= static_cast<long double>(longest)) return duration{longest};
        return duration{nanoseconds < 1 ? 1 : static_cast<duration::rep>(nanoseconds)};
    }

    static std::string shown(long double seconds) {
        return seconds == seconds ? format_seconds(static_cast<double>(seconds)) : "NaN";
    }

    duration value_;
};

} // namespace longshore::inline v0

#endif
