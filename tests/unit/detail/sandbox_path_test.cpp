// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/sandbox_path.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

using longshore::SandboxEscape;
using longshore::SandboxEscapeError;
using longshore::ValueError;
using longshore::detail::is_temporary_name;
using longshore::detail::joined;
using longshore::detail::sandbox_directory_path;
using longshore::detail::sandbox_file_path;
using longshore::detail::SandboxComponents;
using longshore::detail::temporary_name;
using namespace std::string_view_literals;

TEST_CASE("A file's path is taken apart into the components of its directory and its name") {
    auto const path = sandbox_file_path("a//./b/c.txt");
    CHECK(path.directory == SandboxComponents{"a", "b"});
    CHECK(path.name == "c.txt");
    CHECK(sandbox_file_path("file").directory.empty());
    CHECK(sandbox_file_path("./...").name == "...");
    CHECK(sandbox_file_path("..a/b..").directory == SandboxComponents{"..a"});
}

TEST_CASE("A directory's path may end in a slash or be a dot") {
    CHECK(sandbox_directory_path("a/b/") == SandboxComponents{"a", "b"});
    CHECK(sandbox_directory_path(".").empty());
    CHECK(sandbox_directory_path("./.").empty());
    CHECK(joined({"a", "b"}) == "a/b");
    CHECK(joined({}) == ".");
}

TEST_CASE("Paths that are not relative paths are a ValueError") {
    for (auto const path : {""sv, "/"sv, "/a"sv, "//a"sv, "a\0b"sv, "\0"sv}) {
        CHECK_THROWS_AS(sandbox_file_path(path), ValueError);
        CHECK_THROWS_AS(sandbox_directory_path(path), ValueError);
    }
}

TEST_CASE("Paths that can only name a directory name no file") {
    for (auto const path : {"."sv, "./"sv, "a/"sv, "a/."sv, "a//"sv, "a/./"sv})
        CHECK_THROWS_AS(sandbox_file_path(path), ValueError);
}

TEST_CASE("A path that climbs is an escape, wherever it would end") {
    for (auto const path :
         {".."sv, "../"sv, "../a"sv, "a/.."sv, "a/../b"sv, "a/b/../../c"sv, "./../a"sv, "a/../../b"sv})
        for (auto const take : {+[](std::string_view text) { sandbox_file_path(text); },
                                +[](std::string_view text) { sandbox_directory_path(text); }}) {
            CAPTURE(path);
            try {
                take(path);
                FAIL("not refused");
            } catch (SandboxEscapeError const& error) {
                CHECK(error.reason() == SandboxEscape::traversal);
                CHECK(std::string_view{error.what()}.find(path) != std::string_view::npos);
            }
        }
}

TEST_CASE("A name that no file system takes is known before anything is created") {
    std::string const longest(255, 'x');
    CHECK(sandbox_file_path("a/" + longest).name == longest);
    for (auto const& path : {"a/" + longest + "x", longest + "x/a"})
        try {
            sandbox_file_path(path);
            FAIL("not refused");
        } catch (std::system_error const& error) {
            CHECK(error.code().value() == ENAMETOOLONG);
            CHECK(std::string_view{error.what()}.find("256 bytes") != std::string_view::npos);
        }
}

TEST_CASE("A temporary's name is recognised, and taken for no file") {
    auto const name = temporary_name();
    CHECK(is_temporary_name(name));
    CHECK(temporary_name() != name);
    CHECK_THROWS_AS(sandbox_file_path("a/" + name), ValueError);
    CHECK(sandbox_directory_path("a/" + name).size() == 2);
    for (auto const other : {".longshore-.part"sv, ".longshore-0123456789abcdeF.part"sv,
                             ".longshore-0123456789abcdef0.part"sv, ".longshore-0123456789abcdef.parts"sv,
                             "longshore-0123456789abcdef.part"sv, ".longshore-0123456789abcdef"sv, ""sv})
        CHECK_FALSE(is_temporary_name(other));
}
