// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DESIGNATED_ONLY_HPP
#define LONGSHORE_DESIGNATED_ONLY_HPP

namespace longshore::inline v0 {

/// The first member of an options struct that is written with names only: `Options{.timeout = 30}` compiles,
/// `Options{30}` does not, so that members can be added and moved without changing what a program means.
struct DesignatedOnly {
    explicit DesignatedOnly() = default;

    friend constexpr bool operator==(DesignatedOnly const&, DesignatedOnly const&) noexcept = default;
};

} // namespace longshore::inline v0

#endif
