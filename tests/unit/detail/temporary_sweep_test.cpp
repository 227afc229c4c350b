// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/temporary_sweep.hpp>

#include "../filesystem/sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

using namespace sandbox_support;

TEST_CASE("A sweep removes regular files with a temporary's name and nothing else") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        auto const stray = [](char digit) { return ".longshore-" + std::string(16, digit) + ".part"; };
        place.write(stray('0'), "stray", 0600);
        place.write(stray('1'), "");
        place.make(stray('2'));
        CHECK(::mkfifo(place.sandbox(stray('3')).c_str(), 0600) == 0);
        make_socket(place.sandbox(stray('4')));
        place.link(stray('5'), place.outside("secret"));
        place.link(stray('6'), stray('0'));
        place.write(".longshore-short.part", "file of the user");
        place.write("file", "file");
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        CHECK(sandbox.sweep() == 2);
        CHECK(sandbox.sweep() == 0);
        CHECK(names_in(place.sandbox()) == Names{stray('2'), stray('3'), stray('4'), stray('5'), stray('6'),
                                                 ".longshore-short.part", "file"});
        CHECK(place.outside_is_untouched());
    }
}

TEST_CASE("The first write to a directory sweeps it, and no other directory") {
    Place const place;
    place.make("a");
    place.make("b");
    place.write("a/" + stray_name, "stray");
    place.write("b/" + stray_name, "stray");
    SandboxDirectory const sandbox{place.sandbox()};
    sandbox.write_file("a/file", "x");
    CHECK(names_in(place.sandbox("a")) == Names{"file"});
    CHECK(names_in(place.sandbox("b")) == Names{stray_name});
    place.write("a/" + stray_name, "stray");
    sandbox.write_file("a/file", "x");
    CHECK(names_in(place.sandbox("a")).size() == 2);
    CHECK(sandbox.sweep("a") == 1);
}

TEST_CASE("A sweep of what is no directory of the sandbox is an error") {
    Place const place;
    place.write("file", "x");
    SandboxDirectory const sandbox{place.sandbox()};
    CHECK(system_error_of([&] { sandbox.sweep("none"); }) == ENOENT);
    CHECK(system_error_of([&] { sandbox.sweep("file"); }) == ENOTDIR);
    CHECK(escape_of([&] { sandbox.sweep(".."); }) == SandboxEscape::traversal);
}
