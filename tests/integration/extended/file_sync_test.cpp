// SPDX-License-Identifier: BSL-1.0
#include <integration/file_sync.hpp>

#include <doctest/doctest.h>

using namespace longshore_test;

TEST_CASE("a file of 1 GiB comes in the memory of a small one on every way") {
    in_places(ways_by_id(), brings_a_gibibyte);
}
