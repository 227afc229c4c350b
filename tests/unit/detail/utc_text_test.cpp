// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/utc_text.hpp>

#include <doctest/doctest.h>

#include <chrono>

using longshore::detail::utc_text;
using namespace std::chrono;

TEST_CASE("a moment is written in UTC with six decimals") {
    CHECK(utc_text(system_clock::time_point{}) == "1970-01-01T00:00:00.000000Z");
    CHECK(utc_text(sys_days{2024y / February / 29} + 23h + 59min + 59s + 1us) ==
          "2024-02-29T23:59:59.000001Z");
    CHECK(utc_text(sys_days{2026y / December / 3} + 999999us) == "2026-12-03T00:00:00.999999Z");
    CHECK(utc_text(sys_days{1969y / December / 31} + 1h) == "1969-12-31T01:00:00.000000Z");
}

TEST_CASE("what is shorter than a microsecond is cut off, never rounded into the future") {
    CHECK(utc_text(system_clock::time_point{999ns}) == "1970-01-01T00:00:00.000000Z");
    CHECK(utc_text(system_clock::time_point{-1ns}) == "1969-12-31T23:59:59.999999Z");
}
