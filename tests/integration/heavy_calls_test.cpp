// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>
#include <integration/heavy_calls.hpp>

#include <doctest/doctest.h>

using namespace longshore_test;

TEST_CASE("60 MiB of output are cut at 50 MiB with a warning, and never parsed") {
    in_places(few_ways(), is_cut_with_a_warning);
}

TEST_CASE("40 MiB of JSON are echoed back") { in_places(few_ways(), echoes_40_mebibytes); }

TEST_CASE("200 calls with 100 KiB of output, six at a time, lose no byte") {
    in_places(ways_that([](Way const& way) { return !way.by_devcontainer(); }), loses_nothing);
}

TEST_CASE("200 calls through the devcontainer CLI with 100 KiB of output, six at a time, lose no byte") {
    in_places(ways_that([](Way const& way) {
                  return way.through == Through::devcontainer_by_id && way.engine_name == "docker";
              }),
              loses_nothing);
}
