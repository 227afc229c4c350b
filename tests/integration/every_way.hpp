// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_EVERY_WAY_HPP
#define LONGSHORE_TESTS_INTEGRATION_EVERY_WAY_HPP

#include <integration/engine.hpp>
#include <integration/place.hpp>
#include <integration/way.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <string>
#include <vector>

// Runs one test case on every way, each as a subcase that is named after the way.
namespace longshore_test {

// The place that test cases share: it stands from its first use to the end of the program.
inline Place shared_place(Way const& way) {
    static Workspace const on_host;
    static Workspace const with_docker;
    static Workspace const with_podman;
    if (!way.into_container()) return {way, on_host};
    if (way.engine_name == "docker") {
        static WorkspaceContainer const container{docker().value(), with_docker};
        return {way, with_docker, container};
    }
    static WorkspaceContainer const container{podman().value(), with_podman};
    return {way, with_podman, container};
}

// A failed requirement ends one way, not all of them; it has been told by then.
template <typename Body>
void on_way(Way const& way, Body body) {
    if (auto const obstacle = way.obstacle(); !obstacle.empty()) return skip(way.name + ": " + obstacle);
    if (way.into_container()) ++tally().ran;
    try {
        body(way);
    } catch (std::exception const& failure) {
        FAIL_CHECK("threw: ", std::string{failure.what()});
    } catch (...) { // doctest's own, of a failed requirement
    }
}

// `body(Way const&)` on each of these ways.
template <typename Body>
void on_ways(std::vector<Way> const& ways, Body body) {
    for (auto const& way : ways)
        SUBCASE(way.name.c_str()) { on_way(way, body); }
}

// `body(Place const&)` in the shared place of each of these ways.
template <typename Body>
void in_places(std::vector<Way> const& ways, Body body) {
    on_ways(ways, [&](Way const& way) { body(shared_place(way)); });
}

template <typename Body>
void in_every_place(Body body) {
    in_places(every_way(), body);
}

template <typename Fits>
std::vector<Way> ways_that(Fits fits) {
    auto ways = every_way();
    std::erase_if(ways, [&](Way const& way) { return !fits(way); });
    return ways;
}

inline std::vector<Way> ways_into_containers() {
    return ways_that([](Way const& way) { return way.into_container(); });
}

// Each program that leads somewhere, with each engine; for what does not depend on how the container is
// named.
inline std::vector<Way> every_program() {
    return ways_that([](Way const& way) {
        return !way.by_devcontainer() ||
               (way.engine_name == "docker") == (way.through == Through::devcontainer_by_id);
    });
}

// Without most of those through the devcontainer CLI, for what costs much.
inline std::vector<Way> few_ways() {
    return ways_that([](Way const& way) {
        return !way.by_devcontainer() ||
               (way.through == Through::devcontainer_by_id && way.engine_name == "docker");
    });
}

// No process of the tool is left in time, which is what is promised, and then its guard and its transport go
// too.
inline void is_gone(Place const& place, std::string const& tool) {
    CHECK(eventually([&] { return processes_of(tool).empty(); }, place.way().longest_goodbye()));
    CHECK(eventually([&] { return processes_mentioning(tool).empty(); }));
}

} // namespace longshore_test

#endif
