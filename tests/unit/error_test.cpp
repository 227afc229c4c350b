// SPDX-License-Identifier: BSL-1.0
#include <longshore/error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>

using longshore::ContainerExecutionError;
using longshore::ContainerTimeoutError;
using longshore::FailureKind;
using longshore::format_seconds;

static_assert(std::is_base_of_v<std::invalid_argument, longshore::ValueError>);
static_assert(std::is_base_of_v<std::invalid_argument, longshore::TypeError>);
static_assert(!std::is_base_of_v<longshore::ValueError, longshore::TypeError>);

SCENARIO("ContainerExecutionError carries exit_code and stderr") {
    try {
        throw ContainerExecutionError{"it broke", 2, "oops"};
    } catch (std::runtime_error const& error) {
        auto const* const carried = dynamic_cast<ContainerExecutionError const*>(&error);
        REQUIRE(carried != nullptr);
        CHECK(carried->exit_code() == 2);
        CHECK(carried->standard_error() == "oops");
        CHECK(std::string{carried->what()} == "it broke");
    }
    CHECK(ContainerExecutionError{"it broke"}.exit_code() == -1);
}

SCENARIO("ContainerTimeoutError carries timeout_seconds") {
    try {
        throw ContainerTimeoutError{30};
    } catch (ContainerExecutionError const& error) {
        CHECK(std::string{error.what()}.find("30") != std::string::npos);
        auto const* const late = dynamic_cast<ContainerTimeoutError const*>(&error);
        REQUIRE(late != nullptr);
        CHECK(late->timed_out());
        CHECK(late->timeout_seconds() == 30);
        CHECK(late->exit_code() == -1);
    }
}

TEST_CASE("seconds are written without trailing zeros, to the millisecond") {
    CHECK(format_seconds(30) == "30");
    CHECK(format_seconds(1.5) == "1.5");
    CHECK(format_seconds(0.25) == "0.25");
    CHECK(format_seconds(0.0004) == "0");
    CHECK(format_seconds(2.9996) == "3");
    CHECK(format_seconds(-1.5) == "-1.5");
}

TEST_CASE("seconds beyond what milliseconds can count are written as they are") {
    auto const infinity = std::numeric_limits<double>::infinity();
    CHECK(format_seconds(1e12) == "1000000000000");
    CHECK(format_seconds(1e300) == "1e+300");
    CHECK(format_seconds(-1e300) == "-1e+300");
    CHECK(format_seconds(infinity) == "inf");
    CHECK(format_seconds(-infinity) == "-inf");
}

TEST_CASE("every failure kind has a name of its own") {
    std::set<std::string> names;
    auto const last = static_cast<std::uint8_t>(FailureKind::os_error);
    for (std::uint8_t number = 0; number <= last; ++number)
        names.emplace(to_string(FailureKind{number}));
    CHECK(names.size() == std::size_t{last} + 1);
    CHECK(names.count("unknown") == 0);
    CHECK(to_string(FailureKind{static_cast<std::uint8_t>(last + 1)}) == "unknown");
}
