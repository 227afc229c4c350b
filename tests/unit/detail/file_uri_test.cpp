// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/file_uri.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace longshore::detail;
using namespace std::string_view_literals;

namespace {

// What a URI becomes when the root /tmp/sandbox moves to /my work; "-" when nothing changes.
std::string mapped(std::string_view text) {
    auto const uri = file_uri(text);
    if (!uri) return "-";
    return mapped_file_uri(*uri,
                           [](std::string_view path) {
                               constexpr auto root = "/tmp/sandbox"sv;
                               return path.starts_with(root)
                                          ? "/my work" + std::string{path.substr(root.size())}
                                          : std::string{path};
                           })
        .value_or("-");
}

} // namespace

TEST_CASE("a file URI is decoded, mapped and encoded, and keeps its form") {
    CHECK(mapped("file:///tmp/sandbox/a") == "file:///my%20work/a");
    CHECK(mapped("file://localhost/tmp/sandbox/a") == "file://localhost/my%20work/a");
    CHECK(mapped("file:/tmp/sandbox/a") == "file:/my%20work/a");
    CHECK(mapped("FILE://LocalHost/tmp/sandbox/a") == "FILE://LocalHost/my%20work/a");
    CHECK(mapped("file:///tmp/sandbox/a#L10") == "file:///my%20work/a#L10");
    CHECK(mapped("file:///tmp/sandbox/a?x=/tmp/sandbox#y") == "file:///my%20work/a?x=/tmp/sandbox#y");
}

TEST_CASE("escapes in a file URI are neither lost nor doubled") {
    CHECK(mapped("file:///tmp/sandbox/My%20Doc/a") == "file:///my%20work/My%20Doc/a");
    CHECK(mapped("file:///tmp/sandbox/My Doc") == "file:///my%20work/My%20Doc");
    CHECK(mapped("file:///tmp/s%61ndbox/a") == "file:///my%20work/a");
    CHECK(mapped("file:///tmp/sandbox/100%25") == "file:///my%20work/100%25");
    CHECK(mapped("file:///tmp/sandbox/%2520") == "file:///my%20work/%2520");
    CHECK(mapped("file:///tmp/sandbox/a%3Fb%23c") == "file:///my%20work/a%3Fb%23c");
    CHECK(mapped("file:///tmp/sandbox/caf%c3%a9/%FF") == "file:///my%20work/caf%C3%A9/%FF");
    CHECK(mapped("file:///tmp/sandbox/a+b;c=d,e@f:(g)'!$&*~") == "file:///my%20work/a+b;c=d,e@f:(g)'!$&*~");
}

TEST_CASE("a URI that names no file of this machine is not mapped") {
    for (auto const text :
         {"file://server/tmp/sandbox/a"sv, "file:tmp/sandbox/a"sv, "file:////tmp/sandbox/a"sv,
          "file://localhost//tmp/sandbox/a"sv, "file://localhost:80/tmp/sandbox"sv, "http:///tmp/sandbox/a"sv,
          "/tmp/sandbox/a"sv, "file:"sv, "file://"sv, ""sv, "xfile:///tmp/sandbox"sv}) {
        CAPTURE(text);
        CHECK(mapped(text) == "-");
    }
}

TEST_CASE("a broken escape, an escaped slash and an escaped NUL are not mapped") {
    for (auto const text :
         {"file:///tmp/sandbox/%"sv, "file:///tmp/sandbox/%2"sv, "file:///tmp/sandbox/%zz"sv,
          "file:///tmp/sandbox/a%2Fb"sv, "file:///tmp/sandbox%2fa"sv, "file:///tmp/sandbox/a%00b"sv,
          "file:///tmp/sandbox/% 1"sv}) {
        CAPTURE(text);
        CHECK(mapped(text) == "-");
    }
}

TEST_CASE("decoding undoes encoding for every byte that a file name can hold") {
    std::string name;
    for (int byte = 1; byte < 256; ++byte)
        name += static_cast<char>(byte);
    CHECK(percent_decoded(percent_encoded(name.substr(0, '/' - 1))) == name.substr(0, '/' - 1));
    CHECK(percent_decoded(percent_encoded(name.substr('/'))) == name.substr('/'));
    CHECK(percent_encoded("/a/b") == "/a/b");
}
