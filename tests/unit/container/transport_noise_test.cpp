// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/transport_noise.hpp>

#include <doctest/doctest.h>

using longshore::Failure;
using longshore::FailureKind;
using longshore::LaunchOutcome;
using longshore::meaning_of_noise;
using longshore::spoken_noise;

TEST_CASE("noise is spoken without the white space around it") {
    LaunchOutcome const spoken{.transport_noise = "\r\n it broke \n"};
    LaunchOutcome const blank{.transport_noise = " \n"};
    CHECK(spoken_noise(spoken) == "it broke");
    CHECK(spoken_noise(blank).empty());
    CHECK(spoken_noise(LaunchOutcome{}).empty());
}

TEST_CASE("the first meaning whose text the noise holds is taken, without regard to case") {
    LaunchOutcome const outcome{.transport_noise = "Error: It BROKE twice\n"};
    auto const meaning = meaning_of_noise(outcome, {{"fine", FailureKind::tool_failed, "no"},
                                                    {"it broke", FailureKind::cli_failed, "mend it"},
                                                    {"twice", FailureKind::os_error, "no"}});
    CHECK(meaning == Failure{FailureKind::cli_failed, "Error: It BROKE twice", "mend it"});
    CHECK_FALSE(meaning_of_noise(outcome, {{"fine", FailureKind::tool_failed, ""}}).has_value());
    CHECK_FALSE(meaning_of_noise(outcome, {}).has_value());
}
