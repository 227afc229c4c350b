// SPDX-License-Identifier: BSL-1.0
#include <longshore/testing/manual_clock.hpp>

#include <doctest/doctest.h>

#include <chrono>

using namespace std::chrono_literals;
using longshore::ManualClock;

TEST_CASE("ManualClock stands still until it is moved, and its copies move with it") {
    ManualClock const clock{5s};
    auto const copy = clock;
    CHECK(longshore::instant(copy) == 5s);
    clock.advance(1500ms);
    CHECK(longshore::instant(copy) == 6500ms);
    CHECK(clock.now() == copy.now());
}

TEST_CASE("two ManualClocks have nothing in common") {
    ManualClock const moved;
    ManualClock const still;
    moved.advance(1s);
    CHECK(longshore::instant(still) == 0s);
}

TEST_CASE("ManualClock refuses to run backwards") {
    ManualClock const clock{1s};
    CHECK_THROWS_AS(clock.advance(-1ns), longshore::ValueError);
    CHECK(longshore::instant(clock) == 1s);
}
