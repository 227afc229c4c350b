// SPDX-License-Identifier: BSL-1.0
#include <longshore/path_mapper.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using longshore::Mount;
using longshore::PathMapper;
using longshore::ValueError;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

PathMapper mapper() { return PathMapper{"/tmp/sandbox", "/workspace"}; }

std::string refusal(auto construct) {
    try {
        construct();
    } catch (ValueError const& error) {
        return error.what();
    }
    return {};
}

std::string refusal(std::string host, std::string container) {
    return refusal([&] { PathMapper{host, container}; });
}

bool mentions(std::string const& text, std::string_view word) { return text.find(word) != std::string::npos; }

} // namespace

SCENARIO("PathMapper maps host path to container path") {
    CHECK(mapper().host_to_container("/tmp/sandbox/src/main.py") == "/workspace/src/main.py");
}
SCENARIO("PathMapper maps container path to host path") {
    CHECK(mapper().container_to_host("/workspace/src/main.py") == "/tmp/sandbox/src/main.py");
}
SCENARIO("PathMapper returns unmapped path when outside root") {
    CHECK(mapper().host_to_container("/usr/lib/libc.so") == "/usr/lib/libc.so");
}
SCENARIO("PathMapper maps root path exactly") {
    CHECK(mapper().host_to_container("/tmp/sandbox") == "/workspace");
}
SCENARIO("PathMapper is_host_path returns true for host paths") {
    CHECK(mapper().is_host_path("/tmp/sandbox/file.txt"));
    CHECK_FALSE(mapper().is_host_path("/usr/lib/libc.so"));
}
SCENARIO("PathMapper is_container_path returns true for container paths") {
    CHECK(mapper().is_container_path("/workspace/file.txt"));
    CHECK_FALSE(mapper().is_container_path("/tmp/other/file.txt"));
}
SCENARIO("PathMapper rejects null bytes in host_root") {
    CHECK(mentions(refusal("/tmp/a\0b"s, "/workspace"), "null"));
}
SCENARIO("PathMapper rejects null bytes in container_root") {
    CHECK(mentions(refusal("/tmp/a", "/work\0space"s), "null"));
}
SCENARIO("PathMapper rejects empty host_root") { CHECK(mentions(refusal("", "/workspace"), "empty")); }
SCENARIO("PathMapper rejects filesystem-root host_root") {
    CHECK(mentions(refusal("/", "/workspace"), "'/'"));
}
SCENARIO("PathMapper rejects filesystem-root container_root") {
    CHECK(mentions(refusal("/tmp/sandbox", "/"), "'/'"));
}
SCENARIO("PathMapper rejects overlapping roots") {
    CHECK(mentions(refusal("/workspace/a", "/workspace"), "overlap"));
}
SCENARIO("PathMapper is_host_path returns false for null-byte paths") {
    CHECK_FALSE(mapper().is_host_path("/tmp/sandbox/a\0b"sv));
}
SCENARIO("PathMapper is_container_path returns false for null-byte paths") {
    CHECK_FALSE(mapper().is_container_path("/workspace/a\0b"sv));
}
SCENARIO("PathMapper host_to_container rejects null bytes") {
    CHECK(mentions(refusal([] { (void)mapper().host_to_container("/tmp/sandbox/a\0b"sv); }), "null"));
}
SCENARIO("PathMapper container_to_host rejects null bytes") {
    CHECK(mentions(refusal([] { (void)mapper().container_to_host("/workspace/a\0b"sv); }), "null"));
}

TEST_CASE("a root is refused for its form, and the text names the root and the value") {
    CHECK(refusal("", "/workspace") == "host_root must not be empty");
    CHECK(refusal("/tmp/sandbox", "") == "container_root must not be empty");
    CHECK(refusal("relative/path", "/workspace") == "host_root must be absolute, not 'relative/path'");
    CHECK(refusal("/tmp/sandbox", "work") == "container_root must be absolute, not 'work'");
    CHECK(mentions(refusal("/tmp/a\0b"s, "/workspace"), R"('/tmp/a\x00b')"));
    for (auto const* root : {"/", "//", "///", "/.", "/..", "/a/..", "//./"}) {
        CAPTURE(root);
        CHECK(mentions(refusal(root, "/workspace"), "host_root must not be the filesystem root '/'"));
        CHECK(mentions(refusal("/tmp/sandbox", root), "container_root must not be the filesystem root '/'"));
    }
}

TEST_CASE("roots in Windows forms are refused") {
    for (auto const* root : {"C:\\x", "\\\\wsl$\\Debian\\tmp", "\\tmp", "/tmp\\sandbox"}) {
        CAPTURE(root);
        CHECK(mentions(refusal(root, "/workspace"), "host_root must not contain a backslash: '"));
        CHECK(mentions(refusal("/tmp/sandbox", root), "container_root must not contain a backslash"));
    }
    CHECK(mentions(refusal("c:/x", "/workspace"), "host_root must be absolute"));
}

TEST_CASE("roots of one mount that are the same or contain each other are refused") {
    for (auto const& mount : {Mount{"/ws", "/ws"}, Mount{"/ws", "/ws/tmp"}, Mount{"/ws/tmp", "/ws"},
                              Mount{"/ws/", "/ws//a"}, Mount{"/ws/a/..", "/ws/b"}}) {
        CAPTURE(mount.host);
        auto const text = refusal(mount.host, mount.container);
        CHECK(mentions(text, "must not overlap"));
        CHECK(mentions(text, "'/ws"));
    }
    CHECK(refusal("/ws", "/ws2").empty());
    CHECK(refusal("/tmp/ws", "/ws/tmp/ws").empty());
}

TEST_CASE("roots are resolved, and any other character may stand in them") {
    PathMapper const odd{"/tmp//a,b c'd\"e/./", "/workspace/x/../"};
    CHECK(odd.host_root() == "/tmp/a,b c'd\"e");
    CHECK(odd.container_root() == "/workspace");
    CHECK(odd.host_to_container("/tmp/a,b c'd\"e/f") == "/workspace/f");
    CHECK(PathMapper{"/tmp/caf\xc3\xa9", "/w\xff"}.host_to_container("/tmp/caf\xc3\xa9/x") == "/w\xff/x");
}

TEST_CASE("a path with the text of a root as its beginning is not below the root") {
    for (auto const* path : {"/tmp/sandbox2/x", "/tmp/sandbox-evil", "/tmp/sandbox.bak", "/tmp/sandboxx",
                             "/tmp/sandbo", "/tmp", "/"}) {
        CAPTURE(path);
        CHECK(mapper().host_to_container(path) == path);
        CHECK_FALSE(mapper().is_host_path(path));
    }
    for (auto const* path : {"/workspace2/x", "/workspace-evil", "/workspace.bak"}) {
        CAPTURE(path);
        CHECK(mapper().container_to_host(path) == path);
        CHECK_FALSE(mapper().is_container_path(path));
    }
}

TEST_CASE("a slash at the end of a path stays") {
    CHECK(mapper().host_to_container("/tmp/sandbox/") == "/workspace/");
    CHECK(mapper().host_to_container("/tmp/sandbox/src/") == "/workspace/src/");
    CHECK(mapper().host_to_container("/tmp/sandbox//src//") == "/workspace/src/");
    CHECK(mapper().container_to_host("/workspace/") == "/tmp/sandbox/");
    CHECK(mapper().is_container_path("/workspace/"));
    CHECK(PathMapper{"/tmp/sandbox/", "/workspace/"} == mapper());
}

TEST_CASE("dots are resolved before a path is decided upon") {
    CHECK(mapper().host_to_container("/tmp/sandbox/a/../b/./c") == "/workspace/b/c");
    CHECK(mapper().host_to_container("/tmp//sandbox/x") == "/workspace/x");
    CHECK(mapper().host_to_container("/tmp/other/../sandbox/x") == "/workspace/x");
    CHECK(mapper().host_to_container("/tmp/sandbox/a/..") == "/workspace");
    CHECK(mapper().host_to_container("/tmp/sandbox/.") == "/workspace");
    CHECK(mapper().host_to_container("/tmp/sandbox/...") == "/workspace/...");
}

TEST_CASE("a path that leaves the root comes back byte for byte") {
    for (auto const* path : {"/tmp/sandbox/..", "/tmp/sandbox/../x", "/tmp/sandbox/a/../../etc//passwd",
                             "/tmp/sandbox/../sandbox2/x", "/tmp/sandbox/../../../../etc/./passwd"}) {
        CAPTURE(path);
        CHECK(mapper().host_to_container(path) == path);
        CHECK_FALSE(mapper().is_host_path(path));
    }
    CHECK(mapper().container_to_host("/workspace/../etc/passwd") == "/workspace/../etc/passwd");
}

TEST_CASE("relative paths, Windows forms and odd values come back unchanged") {
    for (auto const* path : {"", ".", "..", "~", "a/..", "tmp/sandbox/x", "C:\\x", "c:/x", "C:\\tmp\\sandbox",
                             "\\\\wsl$\\Debian\\tmp\\sandbox\\x", "\\tmp\\sandbox\\x", "/tmp\\sandbox/x"}) {
        CAPTURE(path);
        CHECK(mapper().host_to_container(path) == path);
        CHECK(mapper().container_to_host(path) == path);
        CHECK_FALSE(mapper().is_host_path(path));
        CHECK_FALSE(mapper().is_container_path(path));
    }
}

TEST_CASE("a path is mapped once, also where the other root repeats the text of this one") {
    PathMapper const repeating{"/tmp/ws", "/ws/tmp/ws"};
    CHECK(repeating.host_to_container("/tmp/ws/tmp/ws/a") == "/ws/tmp/ws/tmp/ws/a");
    CHECK(repeating.host_to_container(repeating.host_to_container("/tmp/ws/a")) == "/ws/tmp/ws/a");
    CHECK(repeating.container_to_host("/ws/tmp/ws/a") == "/tmp/ws/a");
}

TEST_CASE("of several mounts the longest root wins, by component and in any order") {
    std::vector<Mount> mounts{{"/w", "/project"}, {"/w/theme", "/theme"}, {"/other", "/mnt/other"}};
    for (int order = 0; order < 2; ++order) {
        PathMapper const several{mounts};
        CHECK(several.host_to_container("/w/x") == "/project/x");
        CHECK(several.host_to_container("/w/theme/x") == "/theme/x");
        CHECK(several.host_to_container("/w/theme") == "/theme");
        CHECK(several.host_to_container("/w/themes/x") == "/project/themes/x");
        CHECK(several.host_to_container("/w/theme/../x") == "/project/x");
        CHECK(several.container_to_host("/theme/x") == "/w/theme/x");
        CHECK(several.container_to_host("/project/theme/x") == "/w/theme/x");
        CHECK(several.is_container_path("/mnt/other/x"));
        CHECK_FALSE(several.is_container_path("/mnt/x"));
        mounts = {mounts[2], mounts[1], mounts[0]};
    }
    CHECK(PathMapper{mounts}.host_root() == mounts.front().host);
    CHECK(PathMapper{mounts}.container_root() == mounts.front().container);
    CHECK(PathMapper{mounts}.mounts() == mounts);
}

TEST_CASE("a host path that another mount covers in the container is not mapped to the wrong file") {
    PathMapper const covered{std::vector<Mount>{{"/a", "/c"}, {"/b", "/c/sub"}}};
    CHECK(covered.container_to_host("/c/sub/x") == "/b/x");
    CHECK(covered.host_to_container("/b/x") == "/c/sub/x");
    CHECK(covered.host_to_container("/a/sub/x") == "/a/sub/x");
    CHECK(covered.host_to_container("/a/subway") == "/c/subway");
    CHECK(covered.is_host_path("/a/sub/x"));
}

TEST_CASE("mounts are refused when there are none, or when two have a root in common") {
    auto const text = [](std::vector<Mount> mounts) { return refusal([&] { PathMapper{mounts}; }); };
    CHECK(text({}) == "mounts must not be empty");
    CHECK(text({{"/a", "/x"}, {"/a/", "/y"}}) == "mounts[1].host '/a' is already mounts[0].host");
    CHECK(text({{"/a", "/x"}, {"/b", "/y"}, {"/c", "/x/."}}) ==
          "mounts[2].container '/x' is already mounts[0].container");
    CHECK(text({{"/a", "/x"}, {"b", "/y"}}) == "mounts[1].host must be absolute, not 'b'");
    CHECK(mentions(text({{"/a", "/a/x"}}), "overlap"));
    CHECK(text({{"/a", "/b"}, {"/b", "/a"}}).empty());
}

TEST_CASE("every path that maps to the container maps back to itself, and the other way round") {
    std::mt19937 random{20240607};
    constexpr std::string_view pieces[] = {"/",    "/a",   "/sub", "/.",        "/..",  "/c", "/ws",
                                           "/b c", "/tmp", "//",   "/\xc3\xa9", "/...", "x",  "2"};
    PathMapper const mappers[] = {PathMapper{"/tmp/ws", "/ws/tmp/ws"}, PathMapper{"/a", "/c"},
                                  PathMapper{std::vector<Mount>{{"/a", "/c"}, {"/b c", "/c/sub"}}},
                                  PathMapper{std::vector<Mount>{{"/a", "/b c"}, {"/a/sub", "/c"}}}};
    int mapped = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string path;
        for (auto count = random() % 7; count > 0; --count)
            path += pieces[random() % std::size(pieces)];
        auto const slash = path.size() > 1 && path.ends_with('/') ? "/" : "";
        auto const resolved =
            path.starts_with('/') ? longshore::detail::lexically_resolved(path) + slash : path;
        for (auto const& each : mappers) {
            CAPTURE(path);
            if (auto const there = each.host_to_container(path); there != path) {
                REQUIRE(each.container_to_host(there) == resolved);
                REQUIRE(each.is_container_path(there));
                ++mapped;
            }
            auto const here = each.container_to_host(path);
            REQUIRE((here != path) == each.is_container_path(path));
            if (here != path) REQUIRE(each.container_to_host(each.host_to_container(here)) == here);
            if (here != path && each.mounts().size() == 1) REQUIRE(each.host_to_container(here) == resolved);
        }
    }
    CHECK(mapped > 1000);
}
