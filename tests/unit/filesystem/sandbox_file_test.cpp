// SPDX-License-Identifier: BSL-1.0
#include <longshore/filesystem/sandbox_file.hpp>

#include "sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/sysmacros.h>

using namespace sandbox_support;
using longshore::ContainerExecutionError;
using longshore::SandboxFile;

static_assert(std::is_nothrow_move_constructible_v<SandboxFile> &&
              std::is_nothrow_move_assignable_v<SandboxFile> && !std::is_copy_constructible_v<SandboxFile>);

namespace {

// Remembers every name that was opened so that opening could have acted on it.
class Watching : public FileCalls {
public:
    using FileCalls::FileCalls;

    int open_at(int directory, char const* path, int flags, ::mode_t mode) const override {
        if ((flags & (O_PATH | O_DIRECTORY | O_EXCL)) == 0) opened.emplace_back(path);
        return FileCalls::open_at(directory, path, flags, mode);
    }

    mutable std::vector<std::string> opened{};
};

} // namespace

TEST_CASE("Bytes appended in pieces appear at once when the file is finished") {
    Place const place;
    place.write("file", "old");
    SandboxDirectory const sandbox{place.sandbox()};
    auto file = sandbox.begin_file("./file", 6);
    CHECK(file.is_open());
    CHECK(file.path() == "./file");
    CHECK(file.expected_size() == 6);
    for (auto const* const piece : {"a", "", "bc", "def"}) {
        file.append(piece);
        CHECK(content(place.sandbox("file")) == "old");
    }
    CHECK(file.written() == 6);
    auto const names = names_in(place.sandbox());
    CHECK(names.size() == 2);
    CHECK(longshore::detail::is_temporary_name(names.front()));
    CHECK(mode_of(place.sandbox(names.front())) == 0600);
    file.finish();
    CHECK_FALSE(file.is_open());
    CHECK(content(place.sandbox("file")) == "abcdef");
    CHECK(names_in(place.sandbox()) == Names{"file"});
}

TEST_CASE("An empty file is a file") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox()};
    sandbox.begin_file("file", 0).finish();
    CHECK(names_in(place.sandbox()) == Names{"file"});
}

TEST_CASE("More or fewer bytes than announced leave the old file whole") {
    for (auto const* const bytes : {"", "abc", "abcd", "abcdef"}) {
        CAPTURE(bytes);
        Place const place;
        place.write("file", "old");
        SandboxDirectory const sandbox{place.sandbox()};
        auto file = sandbox.begin_file("file", 5);
        auto const before = open_descriptors();
        CHECK_THROWS_AS(
            [&] {
                file.append(bytes);
                file.finish();
            }(),
            ContainerExecutionError);
        CHECK_FALSE(file.is_open());
        CHECK(open_descriptors() < before);
        CHECK(content(place.sandbox("file")) == "old");
        CHECK(names_in(place.sandbox()) == Names{"file"});
    }
}

TEST_CASE("The text of a wrong length says how many bytes were announced and came") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox()};
    auto const in = "'file' in the sandbox '" + place.sandbox() + "': ";
    CHECK(text_of([&] { sandbox.begin_file("file", 5).append("sixsix"); }) ==
          in + "5 bytes were announced, and more came");
    auto file = sandbox.begin_file("file", 5);
    file.append("abc");
    CHECK(text_of([&] { file.finish(); }) == in + "5 bytes were announced, and only 3 came");
}

TEST_CASE("A file that is abandoned or destroyed leaves nothing") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox()};
    auto const before = open_descriptors();
    {
        auto destroyed = sandbox.begin_file("one", 5);
        destroyed.append("abc");
        auto abandoned = sandbox.begin_file("two", 5);
        abandoned.abandon();
        abandoned.abandon();
        auto replaced = sandbox.begin_file("three", 5);
        replaced = sandbox.begin_file("four", 1);
        CHECK(names_in(place.sandbox()).size() == 2);
        replaced.append("x");
        replaced.finish();
    }
    CHECK(names_in(place.sandbox()) == Names{"four"});
    CHECK(open_descriptors() == before);
}

TEST_CASE("After its end a file takes no call, and the finished file stays") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox()};
    auto file = sandbox.begin_file("file", 1);
    file.append("x");
    file.finish();
    CHECK_THROWS_AS(file.append("y"), std::logic_error);
    CHECK_THROWS_AS(file.finish(), std::logic_error);
    file.abandon();
    CHECK(content(place.sandbox("file")) == "x");
    auto failed = sandbox.begin_file("file", 1);
    CHECK_THROWS_AS(failed.finish(), ContainerExecutionError);
    CHECK_THROWS_AS(failed.append("y"), std::logic_error);
}

TEST_CASE("A special file in the place of the target is refused, never opened, and left as it is") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Place const place;
        CHECK(::mkfifo(place.sandbox("fifo").c_str(), 0644) == 0);
        place.make("directory");
        make_socket(place.sandbox("socket"));
        std::vector<std::string> names{"fifo", "directory", "socket"};
        if (::mknod(place.sandbox("device").c_str(), S_IFCHR | 0644, makedev(1, 3)) == 0)
            names.emplace_back("device");
        Watching const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        for (auto const& name : names) {
            CAPTURE(name);
            auto const mode = mode_of(place.sandbox(name));
            auto const other = SandboxEscape::not_a_regular_file;
            CHECK(escape_of([&] { sandbox.begin_file(name, 1); }) == other);
            CHECK(escape_of([&] { sandbox.open_file(name); }) == other);
            CHECK(mode_of(place.sandbox(name)) == mode);
        }
        CHECK(holds(text_of([&] { sandbox.write_file("fifo", "x"); }), "is a FIFO, not a regular file"));
        CHECK(calls.opened.empty());
        CHECK(names_in(place.sandbox()).size() == names.size());
    }
}

TEST_CASE("A special file that appears while the file is written is refused as well") {
    Place const place;
    SandboxDirectory const sandbox{place.sandbox()};
    auto file = sandbox.begin_file("file", 1);
    file.append("x");
    CHECK(::mkfifo(place.sandbox("file").c_str(), 0644) == 0);
    CHECK(escape_of([&] { file.finish(); }) == SandboxEscape::not_a_regular_file);
    CHECK(names_in(place.sandbox()) == Names{"file"});
}

TEST_CASE("A temporary that somebody else has changed is not put in the place of the file") {
    using Change = void (*)(std::string const& temporary, std::string const& outside);
    for (Change const change :
         {+[](std::string const&temporary, std::string const&) { ::truncate(temporary.c_str(), 2); },
          +[](std::string const&temporary, std::string const&) { ::unlink(temporary.c_str()); },
          +[](std::string const&temporary, std::string const&outside) {
              ::unlink(temporary.c_str());
              std::filesystem::create_symlink(outside, temporary);
          },
          +[](std::string const&temporary, std::string const&) {
              ::unlink(temporary.c_str());
              std::ofstream{temporary} << "four";
          }}) {
        Place const place;
        SandboxDirectory const sandbox{place.sandbox()};
        auto file = sandbox.begin_file("file", 4);
        file.append("text");
        change(place.sandbox(names_in(place.sandbox()).front()), place.outside("secret"));
        CHECK(escape_of([&] { file.finish(); }) == SandboxEscape::exchanged);
        CHECK(names_in(place.sandbox()).empty());
        CHECK(place.outside_is_untouched());
    }
}

TEST_CASE("A file is written in constant memory") {
    Place const place;
    auto const resident_pages = [] {
        std::ifstream statm{"/proc/self/statm"};
        long total = 0;
        long resident = 0;
        statm >> total >> resident;
        return resident;
    };
    std::string const piece(std::size_t{64} << 10, 'x');
    constexpr int pieces = 1024;
    SandboxDirectory const sandbox{place.sandbox(), {.durability = longshore::Durability::process_end}};
    auto file = sandbox.begin_file("file", piece.size() * pieces);
    auto const before = resident_pages();
    for (int count = 0; count < pieces; ++count)
        file.append(piece);
    CHECK((resident_pages() - before) * ::sysconf(_SC_PAGESIZE) < long{8} << 20);
    file.finish();
    CHECK(std::filesystem::file_size(place.sandbox("file")) == piece.size() * pieces);
}
