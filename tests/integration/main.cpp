// SPDX-License-Identifier: BSL-1.0
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <integration/engine.hpp>

int main(int argc, char** argv) {
    doctest::Context context{argc, argv};
    int const result = context.run();
    return result == 0 && longshore_test::everything_was_skipped() ? longshore_test::skipped_exit_code
                                                                   : result;
}
