// SPDX-License-Identifier: BSL-1.0
#include <longshore/filesystem/sandbox_reader.hpp>

#include "sandbox_support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <span>
#include <string>
#include <utility>

using namespace sandbox_support;
using longshore::ContainerExecutionError;
using longshore::SandboxReader;

namespace {

std::string read_all(SandboxReader& reader, std::size_t piece) {
    std::string text;
    std::string buffer(piece, '\0');
    while (auto const count = reader.read(std::span<char>{buffer}))
        text.append(buffer, 0, count);
    return text;
}

} // namespace

TEST_CASE("A file is read to the size that was known from the start") {
    for (auto const& way : every_way())
        for (std::size_t const piece : {1U, 3U, 4096U}) {
            CAPTURE(way.name);
            Place const place;
            place.make("a");
            place.write("a/file", "some text");
            FileCalls const calls{way.features};
            SandboxDirectory const sandbox{place.sandbox(), {}, calls};
            auto reader = sandbox.open_file("a/file");
            CHECK(reader.size() == 9);
            CHECK(reader.path() == "a/file");
            CHECK(read_all(reader, piece) == "some text");
            CHECK(reader.remaining() == 0);
            CHECK(reader.read({}) == 0);
        }
}

TEST_CASE("A file that grows is read to its first size, and one that shrinks is an error") {
    Place const place;
    place.write("file", "0123456789");
    SandboxDirectory const sandbox{place.sandbox()};
    auto reader = sandbox.open_file("file");
    place.write("file", "0123456789 and more");
    CHECK(read_all(reader, 4) == "0123456789");

    auto shrinking = sandbox.open_file("file");
    place.write("file", "01234");
    auto const read = [&] { read_all(shrinking, 4); };
    CHECK_THROWS_AS(read(), ContainerExecutionError);
    CHECK(shrinking.remaining() == 14);
}

TEST_CASE("A file that is missing or may not be read is the system's error with the path") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        auto const open = [&] { sandbox.open_file("file"); };
        CHECK(system_error_of(open) == ENOENT);
        CHECK(holds(text_of(open), "cannot open 'file' in the sandbox"));
    }
}

TEST_CASE("A reader outlives its sandbox and closes its file") {
    Place const place;
    place.write("file", "text");
    auto const before = open_descriptors();
    {
        auto reader = SandboxDirectory{place.sandbox()}.open_file("file");
        auto moved = std::move(reader);
        CHECK(read_all(moved, 100) == "text");
    }
    CHECK(open_descriptors() == before);
}
