// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/open_beneath.hpp>

#include "../filesystem/sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

using namespace sandbox_support;

namespace {

// An openat2 that is refused, or that a test follows.
class Refusing : public FileCalls {
public:
    explicit Refusing(int error) : error_{error} {}

    int open_beneath(int directory, char const* path, int flags) const override {
        ++asked;
        if (error_ == 0) return FileCalls::open_beneath(directory, path, flags);
        errno = error_;
        return -1;
    }
    int open_at(int directory, char const* path, int flags, ::mode_t mode) const override {
        ++walked;
        return FileCalls::open_at(directory, path, flags, mode);
    }

    mutable int asked = 0;
    mutable int walked = 0;

private:
    int error_;
};

} // namespace

TEST_CASE("Whatever refuses openat2, the walk does the same, and an endless EAGAIN ends") {
    for (auto const error : {ENOSYS, EPERM, EINVAL, EAGAIN, E2BIG, EACCES, EXDEV}) {
        CAPTURE(error);
        Place const place;
        place.make("a");
        place.make("a/b");
        place.link("a/link", place.outside());
        Refusing const calls{error};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        sandbox.write_file("a/b/file", "text");
        CHECK(calls.asked == 1);
        CHECK(content(place.sandbox("a/b/file")) == "text");
        CHECK(escape_of([&] { sandbox.write_file("a/link/file", "x"); }) == SandboxEscape::symbolic_link);
        CHECK(place.outside_is_untouched());
    }
}

TEST_CASE("Where openat2 is there, directories that exist are opened by it alone") {
    Place const place;
    place.make("a");
    place.write("a/file", "x");
    Refusing const calls{0};
    SandboxDirectory const sandbox{place.sandbox(), {}, calls};
    auto const before = calls.walked;
    sandbox.create_directory("a");
    if (calls.walked != before) {
        MESSAGE("skipped: this kernel has no openat2");
        return;
    }
    CHECK(calls.asked == 1);
}

TEST_CASE("A directory that is removed again and again ends in the system's error") {
    class Removing : public FileCalls {
    public:
        using FileCalls::FileCalls;
        int make_directory(int, char const*) const override { return 0; }
    };
    for (auto const& way : every_way()) {
        Place const place;
        Removing const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        CHECK(system_error_of([&] { sandbox.write_file("a/file", "x"); }) == ENOENT);
    }
}

TEST_CASE("A directory that somebody else creates first is used") {
    class Late : public FileCalls {
    public:
        using FileCalls::FileCalls;
        int make_directory(int directory, char const* name) const override {
            FileCalls::make_directory(directory, name);
            return FileCalls::make_directory(directory, name);
        }
    };
    for (auto const& way : every_way()) {
        Place const place;
        Late const calls{way.features};
        SandboxDirectory{place.sandbox(), {}, calls}.write_file("a/b/file", "x");
        CHECK(content(place.sandbox("a/b/file")) == "x");
    }
}
