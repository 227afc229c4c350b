// SPDX-License-Identifier: BSL-1.0
#include <longshore/looks_like_path.hpp>

#include <doctest/doctest.h>

#include <string_view>

using longshore::looks_like_path;
using namespace std::string_view_literals;

static_assert(looks_like_path("/workspace"));
static_assert(!looks_like_path("workspace"));

SCENARIO("_looks_like_path rejects strings with newlines") {
    CHECK_FALSE(looks_like_path("/tmp/a\n/tmp/b"));
    CHECK_FALSE(looks_like_path("/tmp/a\n"));
}
SCENARIO("_looks_like_path rejects strings with null bytes") {
    CHECK_FALSE(looks_like_path("/tmp/a\0b"sv));
    CHECK_FALSE(looks_like_path("/\0"sv));
}
SCENARIO("_looks_like_path rejects protocol-relative URIs") {
    CHECK_FALSE(looks_like_path("//cdn.example.com/x.js"));
    CHECK_FALSE(looks_like_path("//"));
}
SCENARIO("_looks_like_path rejects strings with query parameters") {
    CHECK_FALSE(looks_like_path("/api/items?id=1"));
}
SCENARIO("_looks_like_path rejects strings with fragment identifiers") {
    CHECK_FALSE(looks_like_path("/docs/page#top"));
}
SCENARIO("_looks_like_path rejects strings with scheme separators") {
    CHECK_FALSE(looks_like_path("https://example.com/a"));
    CHECK_FALSE(looks_like_path("/proxy/https://example.com/a"));
}

TEST_CASE("an absolute POSIX path looks like a path") {
    for (auto const text :
         {"/"sv, "/workspace"sv, "/workspace/"sv, "/tmp/My Documents/a b.txt"sv, "/tmp/../etc"sv, "/tmp//x"sv,
          "/tmp/a:b"sv, "/tmp/\xff\xfe"sv, "/tmp/caf\xc3\xa9"sv}) {
        CAPTURE(text);
        CHECK(looks_like_path(text));
    }
}

TEST_CASE("relative paths, Windows forms and odd values do not look like a path") {
    for (auto const text :
         {""sv, "."sv, ".."sv, "~"sv, "a/.."sv, "src/main.cpp"sv, "C:\\x"sv, "c:/x"sv,
          "\\\\wsl$\\Debian\\tmp"sv, "\\tmp"sv, " /tmp"sv, "file:/tmp"sv, "file:///tmp"sv}) {
        CAPTURE(text);
        CHECK_FALSE(looks_like_path(text));
    }
}
