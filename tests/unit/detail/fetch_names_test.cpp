// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/fetch_names.hpp>

#include <doctest/doctest.h>

#include <string>

using longshore::ContainerExecutionError;
using longshore::SandboxEscapeError;
using longshore::detail::FetchNames;

TEST_CASE("names below a tree are accepted once, as many and as deep as the limits say") {
    FetchNames names{{.entries = 4, .depth = 1}};
    CHECK_NOTHROW(names.accept("a"));
    CHECK_NOTHROW(names.accept("..."));
    CHECK_NOTHROW(names.accept("b/c"));
    CHECK_THROWS_AS(names.accept("a"), ContainerExecutionError);
    CHECK_THROWS_AS(names.accept("d"), ContainerExecutionError);
    FetchNames flat{{.depth = 0}};
    CHECK_NOTHROW(flat.accept("a"));
    CHECK_THROWS_AS(flat.accept("a/b"), ContainerExecutionError);
}

TEST_CASE("a name that is not plainly below the tree is a path traversal") {
    for (auto const* name : {"", ".", "..", "/", "/a", "a/", "a//b", "a/./b", "a/../b", "../a", "a/.."}) {
        CAPTURE(name);
        FetchNames names{{}};
        CHECK_THROWS_AS(names.accept(name), SandboxEscapeError);
    }
}

TEST_CASE("names have only so many bytes together") {
    FetchNames names{{}};
    auto const fill = [&] {
        for (int number = 0; number < 40'000; ++number)
            names.accept(std::to_string(number) + std::string(1000, 'x'));
    };
    CHECK_THROWS_AS(fill(), ContainerExecutionError);
}
