// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/sandbox_root.hpp>

#include "../filesystem/sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <string_view>

using namespace sandbox_support;
using longshore::RootRule;
using longshore::SandboxOptions;
using longshore::ValueError;

namespace {

constexpr SandboxOptions private_root{.root = RootRule::private_only};
auto const untrusted = SandboxEscape::untrusted_root;

} // namespace

TEST_CASE("A private root that is a symbolic link is refused, however its path ends") {
    for (auto const& way : every_way())
        for (auto const* const end : {"", "/", "//", "/.", "/./"}) {
            CAPTURE(way.name);
            CAPTURE(end);
            Place const place;
            place.link("link", place.outside());
            FileCalls const calls{way.features};
            auto const open = [&] { SandboxDirectory{place.sandbox("link") + end, private_root, calls}; };
            CHECK(escape_of(open) == untrusted);
            CHECK(holds(text_of(open), "is a symbolic link"));
        }
}

TEST_CASE("A private root that others may write is refused with its mode") {
    for (auto const& way : every_way())
        for (auto const mode : {0777U, 0770U, 0702U, 01777U}) {
            Place const place;
            ::chmod(place.sandbox().c_str(), mode);
            FileCalls const calls{way.features};
            auto const open = [&] { SandboxDirectory{place.sandbox(), private_root, calls}; };
            CHECK(escape_of(open) == untrusted);
        }
    Place const place;
    ::chmod(place.sandbox().c_str(), 0723);
    CHECK(holds(text_of([&] {
                    SandboxDirectory{place.sandbox(), private_root};
                }),
                "may be written by others, its mode is 0723"));
}

TEST_CASE("A private root of another user is refused") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: only root can give a directory away");
        return;
    }
    Place const place;
    CHECK(::chown(place.sandbox().c_str(), 12345, 12345) == 0);
    auto const open = [&] { SandboxDirectory{place.sandbox(), private_root}; };
    CHECK(escape_of(open) == untrusted);
    CHECK(holds(text_of(open), "belongs to user 12345"));
}

TEST_CASE("A private root of this user alone is taken") {
    for (auto const mode : {0700U, 0755U, 0750U}) {
        Place const place;
        ::chmod(place.sandbox().c_str(), mode);
        SandboxDirectory{place.sandbox(), private_root}.write_file("file", "x");
        CHECK(content(place.sandbox("file")) == "x");
    }
}

TEST_CASE("A root as given may be a link and belong to all") {
    for (auto const& way : every_way()) {
        Place const place;
        place.make("real");
        ::chmod(place.sandbox("real").c_str(), 0777);
        place.link("link", "real");
        FileCalls const calls{way.features};
        SandboxDirectory{place.sandbox("link"), {}, calls}.write_file("file", "x");
        CHECK(names_in(place.sandbox("real")) == Names{"file"});
    }
}

TEST_CASE("A missing root is created with mode 0700 only when asked") {
    Place const place;
    CHECK(system_error_of([&] { SandboxDirectory{place.sandbox("new")}; }) == ENOENT);
    SandboxOptions options = private_root;
    options.create_root = true;
    for (int time = 0; time < 2; ++time)
        SandboxDirectory{place.sandbox("new"), options}.write_file("file", "x");
    CHECK(mode_of(place.sandbox("new")) == 0700);
    CHECK(system_error_of([&] { SandboxDirectory{place.sandbox("none/new"), options}; }) == ENOENT);
    place.link("dangling", place.outside("new"));
    CHECK(escape_of([&] { SandboxDirectory{place.sandbox("dangling"), options}; }) == untrusted);
    CHECK(place.outside_is_untouched());
}

TEST_CASE("A root that is no directory is refused without opening it") {
    Place const place;
    place.write("file", "x");
    CHECK(::mkfifo(place.sandbox("fifo").c_str(), 0600) == 0);
    for (auto const* const name : {"file", "fifo"})
        for (auto const& options : {SandboxOptions{}, private_root})
            CHECK(system_error_of([&] { SandboxDirectory{place.sandbox(name), options}; }) == ENOTDIR);
}

TEST_CASE("A root that cannot be one is a ValueError") {
    using namespace std::string_view_literals;
    for (auto const path : {""sv, "/"sv, "//"sv, "/."sv, "/./"sv, "/tmp/.."sv, "/tmp\0/x"sv})
        CHECK_THROWS_AS(SandboxDirectory{path}, ValueError);
}
