// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/embedded_paths.hpp>
#include <longshore/path_mapper.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace std::string_view_literals;

namespace {

// What a text becomes when /tmp/sandbox is mapped to /workspace; "-" when nothing changes.
std::string mapped(std::string_view text) {
    longshore::PathMapper const mapper{"/tmp/sandbox", "/workspace"};
    return longshore::detail::mapped_embedded_paths(
               text, [&](std::string_view path) { return mapper.host_to_container(path); })
        .value_or("-");
}

} // namespace

TEST_CASE("paths are found behind the characters that stand before a path") {
    CHECK(mapped("--out=/tmp/sandbox/x") == "--out=/workspace/x");
    CHECK(mapped("a:/tmp/sandbox/b") == "a:/workspace/b");
    CHECK(mapped("/tmp/sandbox/a:/tmp/sandbox/b:/usr/bin") == "/workspace/a:/workspace/b:/usr/bin");
    CHECK(mapped("cp /tmp/sandbox/a /tmp/sandbox/b") == "cp /workspace/a /workspace/b");
    CHECK(mapped("\"/tmp/sandbox/a\" '/tmp/sandbox/b' `/tmp/sandbox/c`") ==
          "\"/workspace/a\" '/workspace/b' `/workspace/c`");
    CHECK(mapped("x>/tmp/sandbox/log 2>&1 </tmp/sandbox/in") == "x>/workspace/log 2>&1 </workspace/in");
    CHECK(mapped("(cd /tmp/sandbox;ls)") == "(cd /workspace;ls)");
    CHECK(mapped("[/tmp/sandbox/a,/tmp/sandbox/b]{/tmp/sandbox}") ==
          "[/workspace/a,/workspace/b]{/workspace}");
    CHECK(mapped("-fdebug-prefix-map=/tmp/sandbox=/src") == "-fdebug-prefix-map=/workspace=/src");
    CHECK(mapped("curl -d @/tmp/sandbox/body") == "curl -d @/workspace/body");
    CHECK(mapped("-F data/body@/tmp/sandbox/body") == "-F data/body@/workspace/body");
    CHECK(mapped("/tmp/sandbox{,.bak}") == "/workspace{,.bak}");
    CHECK(mapped("f\"/tmp/sandbox/{name}\"") == "f\"/workspace/{name}\"");
}

TEST_CASE("each path of a script of many lines is mapped once") {
    CHECK(mapped("#!/bin/sh\ncd /tmp/sandbox\ncat /tmp/sandbox/a\\\n  /tmp/sandbox2/b\n\t/tmp/sandbox") ==
          "#!/bin/sh\ncd /workspace\ncat /workspace/a\\\n  /tmp/sandbox2/b\n\t/workspace");
    longshore::PathMapper const repeating{"/tmp/ws", "/ws/tmp/ws"};
    auto const text =
        longshore::detail::mapped_embedded_paths("a=/tmp/ws b=/tmp/ws/tmp/ws", [&](std::string_view path) {
            return repeating.host_to_container(path);
        });
    CHECK(text == "a=/ws/tmp/ws b=/ws/tmp/ws/tmp/ws");
}

TEST_CASE("the text of a root inside a longer path or name is not mapped") {
    for (auto const text :
         {"--out=/tmp/sandbox2/x"sv, "x=/tmp/sandbox-evil"sv, "x=/tmp/sandbox.bak y"sv,
          "x=/data/tmp/sandbox/x"sv, "data/tmp/sandbox/x"sv, "$(pwd)/tmp/sandbox"sv, "${HOME}/tmp/sandbox"sv,
          "$HOME/tmp/sandbox"sv, "${DIR:-/tmp/sandbox}"sv, "-I/tmp/sandbox"sv, "./tmp/sandbox"sv,
          "~/tmp/sandbox"sv, "x=/tmp/sandbox/../secret"sv, "x=/tmp/sandbox$X"sv, "tmp/sandbox"sv, ""sv, "/"sv,
          "a / b // c"sv}) {
        CAPTURE(text);
        CHECK(mapped(text) == "-");
    }
}

TEST_CASE("URLs inside a text are left alone to their end") {
    for (auto const text : {"see http://host/tmp/sandbox/x"sv, "http://host:/tmp/sandbox/x"sv,
                            "git clone ssh://h/x,/tmp/sandbox"sv, "url=http://[::1]:80/tmp/sandbox"sv,
                            "//cdn/x=/tmp/sandbox/y"sv, "http://h/?f=/tmp/sandbox/x"sv,
                            "file:///tmp/sandbox/a"sv, "x=/tmp/sandbox/a?b"sv, "x=/tmp/sandbox/a#b"sv}) {
        CAPTURE(text);
        CHECK(mapped(text) == "-");
    }
    CHECK(mapped("get http://h/x /tmp/sandbox/y") == "get http://h/x /workspace/y");
    CHECK(mapped("// see /tmp/sandbox/y") == "// see /workspace/y");
    CHECK(mapped("<a href=\"http://h/x\">/tmp/sandbox/y</a>") == "<a href=\"http://h/x\">/workspace/y</a>");
}

TEST_CASE("a path that goes on behind a space is mapped at its beginning") {
    CHECK(mapped("x=/tmp/sandbox/My Documents/a/b") == "x=/workspace/My Documents/a/b");
    CHECK(mapped("x=/tmp/sandbox/My\\ Documents/a/b") == "x=/workspace/My\\ Documents/a/b");
}
