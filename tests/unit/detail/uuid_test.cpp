// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/uuid.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <set>
#include <string>

using longshore::detail::uuid_v7;
using namespace std::chrono;

TEST_CASE("an id is a UUID of version 7") {
    auto const id = uuid_v7(system_clock::time_point{0x0123456789ABms});
    CAPTURE(id);
    REQUIRE(id.size() == 36);
    CHECK(id.substr(0, 15) == "01234567-89ab-7");
    for (std::size_t at = 0; at < id.size(); ++at) {
        auto const is_dash = at == 8 || at == 13 || at == 18 || at == 23;
        CHECK((id[at] == '-') == is_dash);
        if (!is_dash) CHECK(std::string{"0123456789abcdef"}.find(id[at]) != std::string::npos);
    }
    CHECK(std::string{"89ab"}.find(id[19]) != std::string::npos);
}

TEST_CASE("ids sort by time and differ within one moment") {
    std::set<std::string> ids;
    for (int count = 0; count < 1000; ++count)
        ids.insert(uuid_v7(system_clock::time_point{1000s}));
    CHECK(ids.size() == 1000);
    CHECK(*ids.rbegin() < uuid_v7(system_clock::time_point{1000s + 1ms}));
    CHECK(*ids.begin() > uuid_v7(system_clock::time_point{999s}));
}
