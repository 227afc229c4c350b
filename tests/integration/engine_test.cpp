// SPDX-License-Identifier: BSL-1.0
#include <integration/engine.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace longshore_test;

TEST_CASE("each engine runs the full image with the tools that the tests use") {
    with_each_engine([](Engine const& engine) {
        Container const container{engine};
        CHECK(container.sh(
                  "for tool in bash setsid ps python3 sha256sum; do command -v $tool; done | wc -l") == "5");
        CHECK(container.sh("id -u vscode") == "1000");
        CHECK(container.sh("test -d /workspace && echo there") == "there");
    });
}

TEST_CASE("each engine runs an image of busybox alone") {
    with_each_engine([](Engine const& engine) {
        Container const container{engine, engine.busybox_image};
        CHECK(container.sh("for tool in bash python3 setsid ps; do command -v $tool; done | wc -l") == "2");
        CHECK(container.sh("readlink -f /bin/sh") == "/usr/bin/busybox");
    });
}

TEST_CASE("the devcontainer CLI has the version that the tests are written for") {
    if (auto const cli = devcontainer_or_skip()) CHECK(output_of({*cli, "--version"}) == "0.89.0");
}
