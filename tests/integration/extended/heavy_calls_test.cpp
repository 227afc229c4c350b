// SPDX-License-Identifier: BSL-1.0
#include <integration/heavy_calls.hpp>

#include <integration/every_way.hpp>

#include <doctest/doctest.h>

using namespace longshore_test;

namespace {

std::vector<Way> way_named(std::string const& name) {
    return ways_that([&](Way const& way) { return way.name == name; });
}

} // namespace

TEST_CASE("60 MiB of output are cut at 50 MiB with a warning on every way") {
    in_every_place(is_cut_with_a_warning);
}

TEST_CASE("40 MiB of JSON are echoed back on every way") { in_every_place(echoes_40_mebibytes); }

TEST_CASE("200 calls lose no byte by devcontainer exec by workspace folder with docker") {
    in_places(way_named("devcontainer exec by workspace folder with docker"), loses_nothing);
}

TEST_CASE("200 calls lose no byte by devcontainer exec by container id with podman") {
    in_places(way_named("devcontainer exec by container id with podman"), loses_nothing);
}

TEST_CASE("200 calls lose no byte by devcontainer exec by workspace folder with podman") {
    in_places(way_named("devcontainer exec by workspace folder with podman"), loses_nothing);
}
