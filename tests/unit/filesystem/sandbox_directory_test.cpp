// SPDX-License-Identifier: BSL-1.0
#include <longshore/filesystem/sandbox_directory.hpp>

#include "sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using namespace sandbox_support;
using longshore::Durability;
using longshore::RootRule;
using longshore::ValueError;

static_assert(std::is_move_constructible_v<SandboxDirectory> &&
              !std::is_copy_constructible_v<SandboxDirectory>);
static_assert(std::is_base_of_v<longshore::ContainerExecutionError, SandboxEscapeError>);

TEST_CASE("A file is written with mode 0600 and its new parents with 0700") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        sandbox.write_file("a/b/c.txt", "text");
        CHECK(content(place.sandbox("a/b/c.txt")) == "text");
        CHECK(mode_of(place.sandbox("a/b/c.txt")) == 0600);
        CHECK(mode_of(place.sandbox("a")) == 0700);
        CHECK(mode_of(place.sandbox("a/b")) == 0700);
        CHECK(names_in(place.sandbox("a/b")) == Names{"c.txt"});
    }
}

TEST_CASE("Existing parents are left as they are") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        ::chmod(place.make("shared").c_str(), 02775);
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        sandbox.write_file("shared/new/file", "text");
        CHECK(mode_of(place.sandbox("shared")) == 02775);
        CHECK((mode_of(place.sandbox("shared/new")) & 0777U) == 0700);
    }
}

TEST_CASE("A file is replaced as a whole and a hard link to it keeps the old content") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        CHECK(::link(place.outside("secret").c_str(), place.sandbox("file").c_str()) == 0);
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        sandbox.write_file("file", "new");
        CHECK(content(place.sandbox("file")) == "new");
        CHECK(mode_of(place.sandbox("file")) == 0600);
        CHECK(place.outside_is_untouched());
    }
}

TEST_CASE("A symbolic link in a path is refused at every level, wherever it leads") {
    for (auto const& way : every_way())
        for (auto const* const to : {"../outside", "real", "/", ".", "nowhere", "loop"}) {
            CAPTURE(way.name);
            CAPTURE(to);
            Place const place;
            place.make("real");
            place.make("top");
            place.link("loop", to);
            place.link("top/loop", to);
            FileCalls const calls{way.features};
            SandboxDirectory const sandbox{place.sandbox(), {}, calls};
            auto const link = SandboxEscape::symbolic_link;
            CHECK(escape_of([&] { sandbox.write_file("loop/file", "x"); }) == link);
            CHECK(escape_of([&] { sandbox.write_file("top/loop/file", "x"); }) == link);
            CHECK(escape_of([&] { sandbox.write_file("top/loop/new/file", "x"); }) == link);
            CHECK(escape_of([&] { sandbox.write_file("loop", "x"); }) == link);
            CHECK(escape_of([&] { sandbox.open_file("loop/secret"); }) == link);
            CHECK(escape_of([&] { sandbox.open_file("loop"); }) == link);
            CHECK(escape_of([&] { sandbox.create_directory("loop"); }) == link);
            CHECK(escape_of([&] { sandbox.create_directory("top/loop/new"); }) == link);
            CHECK(escape_of([&] { sandbox.sweep("loop"); }) == link);
            CHECK(names_in(place.sandbox("real")).empty());
            CHECK(place.outside_is_untouched());
        }
}

TEST_CASE("A symbolic link is refused although what lies behind it exists") {
    struct Link {
        std::string to;
        std::string path;
    };
    std::vector<Link> const links{{"real", "loop/sub"}, {".", "loop/real/sub"}, {"..", "loop/outside"}};
    for (auto const& way : every_way())
        for (auto const& one : links) {
            CAPTURE(way.name);
            CAPTURE(one.to);
            auto const& path = one.path;
            Place const place;
            place.make("real");
            place.make("real/sub");
            place.link("loop", one.to);
            FileCalls const calls{way.features};
            SandboxDirectory const sandbox{place.sandbox(), {}, calls};
            auto const link = SandboxEscape::symbolic_link;
            CHECK(escape_of([&] { sandbox.write_file(path + "/file", "x"); }) == link);
            CHECK(escape_of([&] { sandbox.open_file(path + "/secret"); }) == link);
            CHECK(escape_of([&] { sandbox.create_directory(path); }) == link);
            CHECK(escape_of([&] { sandbox.sweep(path); }) == link);
            CHECK(names_in(place.sandbox("real/sub")).empty());
            CHECK(place.outside_is_untouched());
        }
}

TEST_CASE("The text of a refusal names the link, the path and the sandbox") {
    for (auto const& way : every_way()) {
        Place const place;
        place.make("a");
        place.link("a/bad", place.outside());
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        auto const text = text_of([&] { sandbox.write_file("a/bad/file", "x"); });
        CHECK(text == "'a/bad/file' in the sandbox '" + place.sandbox() +
                          "' goes through 'bad', which is a symbolic link");
    }
}

TEST_CASE("What is no directory in the middle of a path is the system's error with the path") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        place.write("file", "x");
        CHECK(::mkfifo(place.sandbox("fifo").c_str(), 0600) == 0);
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        CHECK(system_error_of([&] { sandbox.write_file("file/below", "x"); }) == ENOTDIR);
        CHECK(system_error_of([&] { sandbox.write_file("fifo/below", "x"); }) == ENOTDIR);
        CHECK(system_error_of([&] { sandbox.create_directory("file"); }) == ENOTDIR);
        CHECK(system_error_of([&] { sandbox.open_file("none/below"); }) == ENOENT);
        CHECK(holds(text_of([&] { sandbox.write_file("file/below", "x"); }), "'file/below' in the sandbox"));
    }
}

TEST_CASE("Paths are relative to the root that was opened, also after its name leads elsewhere") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        std::filesystem::rename(place.sandbox(), place.sandbox() + "-moved");
        std::filesystem::create_symlink(place.outside(), place.sandbox());
        sandbox.write_file("a/file", "text");
        CHECK(content(place.sandbox() + "-moved/a/file") == "text");
        CHECK(place.outside_is_untouched());
    }
}

TEST_CASE("A directory beside the root whose name begins alike is not reached") {
    Place const place;
    std::filesystem::create_directory(place.sandbox() + "-evil");
    SandboxDirectory const sandbox{place.sandbox()};
    CHECK(escape_of([&] { sandbox.write_file("../sandbox-evil/x", "x"); }) == SandboxEscape::traversal);
    CHECK(names_in(place.sandbox() + "-evil").empty());
}

TEST_CASE("A path longer than the system takes at once is written and read back") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        Mounted const mounted{place.sandbox()};
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {.durability = Durability::process_end}, calls};
        std::string path;
        for (int level = 0; level < 500; ++level)
            path += "directory/";
        path += "file";
        sandbox.write_file(path, "deep");
        CHECK(sandbox.open_file(path).size() == 4);
    }
}

TEST_CASE("A mount below the root is part of the sandbox") {
    Place const place;
    Mounted const mounted{place.make("volume")};
    if (!mounted) return;
    for (auto const& way : every_way()) {
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        sandbox.write_file("volume/file", "text");
        sandbox.write_file("volume/new/file", "text");
        CHECK(names_in(place.sandbox("volume")) == Names{"file", "new"});
    }
}

TEST_CASE("Directories are created with their parents, and existing ones are left alone") {
    for (auto const& way : every_way()) {
        Place const place;
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        sandbox.create_directory("a/b/");
        sandbox.create_directory("a/b");
        sandbox.create_directory(".");
        CHECK(mode_of(place.sandbox("a/b")) == 0700);
        ::chmod(place.sandbox("a").c_str(), 0755);
        sandbox.create_directory("a");
        CHECK(mode_of(place.sandbox("a")) == 0755);
    }
}

TEST_CASE("The host path of a file is its path below the root, resolved as text") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox() + "//./"};
    CHECK(sandbox.path() == place.sandbox());
    CHECK(sandbox.path_of("a//./b") == place.sandbox("a/b"));
    CHECK(sandbox.path_of(".") == place.sandbox());
    CHECK_THROWS_AS(sandbox.path_of("/a"), ValueError);
    CHECK_THROWS_AS(sandbox.path_of("a/../.."), SandboxEscapeError);
}

TEST_CASE("A sandbox outlives a move, and its files outlive it") {
    Place const place;
    auto const before = open_descriptors();
    {
        auto file = [&] {
            SandboxDirectory first{place.sandbox()};
            SandboxDirectory const second{std::move(first)};
            return second.begin_file("file", 4);
        }();
        file.append("text");
        file.finish();
    }
    CHECK(content(place.sandbox("file")) == "text");
    CHECK(open_descriptors() == before);
}

TEST_CASE("Several threads write to one sandbox at once") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox(), {.durability = Durability::process_end}};
    std::string const one(30000, '1');
    std::string const two(30000, '2');
    auto const write = [&](std::string const& text) {
        for (int round = 0; round < 200; ++round) {
            sandbox.write_file("shared/file", text);
            sandbox.write_file("by-" + text.substr(0, 1) + "/" + std::to_string(round), text);
        }
    };
    std::thread other{write, two};
    write(one);
    other.join();
    auto const last = content(place.sandbox("shared/file"));
    CHECK((last == one || last == two));
    CHECK(names_in(place.sandbox("shared")) == Names{"file"});
    CHECK(names_in(place.sandbox("by-1")).size() == 200);
    CHECK(names_in(place.sandbox("by-2")).size() == 200);
}
