// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/lexical_path.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace longshore::detail;
using namespace std::string_view_literals;

static_assert(is_lexically_within("/a/b", "/a"));
static_assert(!is_lexically_within("/ab", "/a"));

TEST_CASE("dots and doubled slashes are resolved as text") {
    struct Row {
        std::string_view path;
        std::string_view resolved;
    };
    for (auto const row :
         {Row{"/"sv, "/"sv}, Row{"//"sv, "/"sv}, Row{"/."sv, "/"sv}, Row{"/.."sv, "/"sv},
          Row{"/../.."sv, "/"sv}, Row{"/a"sv, "/a"sv}, Row{"/a/"sv, "/a"sv}, Row{"/a//b"sv, "/a/b"sv},
          Row{"/a/./b/."sv, "/a/b"sv}, Row{"/a/b/.."sv, "/a"sv}, Row{"/a/../../b"sv, "/b"sv},
          Row{"/a/..."sv, "/a/..."sv}, Row{"/.a/..b"sv, "/.a/..b"sv}, Row{"///a///"sv, "/a"sv},
          Row{"/a b/c"sv, "/a b/c"sv}}) {
        CAPTURE(row.path);
        CHECK(lexically_resolved(row.path) == row.resolved);
        CHECK(lexically_resolved(row.resolved) == row.resolved);
    }
}

TEST_CASE("a path is plain exactly when resolving takes nothing but the slash at its end") {
    for (auto const path : {"/"sv, "/a"sv, "/a/"sv, "/a/b.c"sv, "/a/..."sv, "/.a/b."sv}) {
        CAPTURE(path);
        CHECK(is_lexically_plain(path));
    }
    for (auto const path : {"//"sv, "/."sv, "/.."sv, "/a//b"sv, "/a//"sv, "/a/./b"sv, "/a/.."sv, "//a"sv}) {
        CAPTURE(path);
        CHECK_FALSE(is_lexically_plain(path));
    }
}

TEST_CASE("being within a root is decided by component") {
    CHECK(is_lexically_within("/workspace", "/workspace"));
    CHECK(is_lexically_within("/workspace/x", "/workspace"));
    CHECK_FALSE(is_lexically_within("/workspace2/x", "/workspace"));
    CHECK_FALSE(is_lexically_within("/workspace-evil", "/workspace"));
    CHECK_FALSE(is_lexically_within("/workspace.bak", "/workspace"));
    CHECK_FALSE(is_lexically_within("/work", "/workspace"));
    CHECK_FALSE(is_lexically_within("", "/workspace"));
}
