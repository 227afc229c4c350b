// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/open_regular_file.hpp>

#include "../filesystem/sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>

using namespace sandbox_support;

namespace {

// A machine without /proc, or with somebody who puts another thing there between looking and opening.
class Tricky : public FileCalls {
public:
    using FileCalls::FileCalls;

    int open_at(int directory, char const* path, int flags, ::mode_t mode) const override {
        if (std::string_view{path}.starts_with("/proc/self/fd/")) {
            errno = ENOENT;
            return -1;
        }
        if (std::string_view{path} == "file" && (flags & O_PATH) == 0 && !swap_from.empty())
            ::rename(std::exchange(swap_from, {}).c_str(), swap_to.c_str());
        return FileCalls::open_at(directory, path, flags, mode);
    }

    mutable std::string swap_from{};
    std::string swap_to{};
};

} // namespace

TEST_CASE("Without /proc a regular file is opened by looking twice") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        place.write("file", "text");
        CHECK(::mkfifo(place.sandbox("fifo").c_str(), 0600) == 0);
        Tricky const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        CHECK(sandbox.open_file("file").size() == 4);
        CHECK(escape_of([&] { sandbox.open_file("fifo"); }) == SandboxEscape::not_a_regular_file);
    }
}

TEST_CASE("What is put in the place of a file between looking and opening is refused without blocking") {
    for (auto const& way : every_way())
        for (auto const kind : {S_IFREG, S_IFIFO, S_IFLNK, S_IFDIR}) {
            CAPTURE(way.name);
            CAPTURE(kind);
            Place const place;
            place.write("file", "text");
            Tricky calls{way.features};
            calls.swap_from = place.sandbox("other");
            calls.swap_to = place.sandbox("file");
            if (kind == S_IFREG) place.write("other", "other");
            if (kind == S_IFIFO) CHECK(::mkfifo(calls.swap_from.c_str(), 0600) == 0);
            if (kind == S_IFLNK) place.link("other", place.outside("secret"));
            if (kind == S_IFDIR) place.make("other");
            SandboxDirectory const sandbox{place.sandbox(), {}, calls};
            auto const before = open_descriptors();
            auto const open = [&] { sandbox.open_file("file"); };
            if (kind == S_IFREG) CHECK(system_error_of(open) == EAGAIN);
            if (kind == S_IFIFO) CHECK(escape_of(open) == SandboxEscape::not_a_regular_file);
            if (kind == S_IFLNK) CHECK(system_error_of(open) == ELOOP);
            if (kind == S_IFDIR) CHECK(sandbox.open_file("file").size() == 4); // a directory replaces no file
            CHECK(open_descriptors() == before);
        }
}
