// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/file_sync.hpp>

#include "sync_support.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <sys/stat.h>

using longshore::ContainerExecutionError;
using longshore::ContainerTimeoutError;
using longshore::ContainerToolExecutor;
using longshore::InputStream;
using longshore::MockLauncher;
using longshore::SandboxEscapeError;
using longshore::SyncProgress;
using longshore::ValueError;
using namespace sync_support;
using namespace std::chrono_literals;
using namespace std::string_view_literals;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::string send_error(ShellExecutor& executor, Folders const& folders, std::string const& from,
                       std::string const& to, longshore::SyncOptions const& options = {}) {
    return text_of([&] { executor.send_to_container(folders.here(from), folders.there(to), options); });
}

} // namespace

TEST_CASE("every byte of a file is sent to a shell, whatever its size") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        for (auto const size : {0U, 1U, 4096U, 4097U, 3000001U}) {
            CAPTURE(size);
            folders.sandbox.write("file", every_byte(size));
            executor.send_to_container(folders.here("file"), folders.there("file"));
            CHECK((folders.workspace.read("file") == every_byte(size)));
        }
        CHECK(names_in(folders.workspace.path()) == Names{"file"});
        CHECK(names_in(folders.sandbox.path()) == Names{"file"});
    });
}

TEST_CASE("a file that is sent has mode 0600, its new parents 0700, and existing parents keep theirs") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        folders.sandbox.write("file", "sent", 0644);
        ::chmod(folders.workspace.make("old").c_str(), 0755);
        executor.send_to_container(folders.here("file"), folders.there("old/new/deep/file"));
        CHECK(mode_of(folders.there("old")) == 0755);
        CHECK(mode_of(folders.there("old/new")) == 0700);
        CHECK(mode_of(folders.there("old/new/deep")) == 0700);
        CHECK(mode_of(folders.there("old/new/deep/file")) == 0600);
        CHECK(folders.workspace.read("old/new/deep/file") == "sent");
    });
}

TEST_CASE("a file is sent under any name that a file can have") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        for (std::string const name : {"-n", "a\nb", "$(id)", "a'b", "a\\nb", "\xff\xfe", "*", "%s", "ä"}) {
            CAPTURE(name);
            folders.sandbox.write(name, "content of " + name);
            executor.send_to_container(folders.here(name), folders.there(name));
            CHECK(folders.workspace.read(name) == "content of " + name);
        }
    });
}

TEST_CASE("what stands in the place of the file in the container is replaced only when it is a file") {
    in_every_place([](Place const& place) {
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        folders.sandbox.write("file", "new");
        folders.workspace.write("file", "old", 0400);
        std::filesystem::create_hard_link(folders.there("file"), folders.there("other"));
        CHECK(send_error(executor, folders, "file", "file") == "");
        CHECK(folders.workspace.read("file") == "new");
        CHECK(folders.workspace.read("other") == "old");
        folders.workspace.make("folder");
        std::filesystem::create_symlink("other", folders.there("link"));
        REQUIRE(::mkfifo(folders.there("fifo").c_str(), 0600) == 0);
        for (auto const& planted : {std::pair{"folder", "a directory stands in the place"},
                                    {"link", "a symbolic link stands in the place"},
                                    {"fifo", "a special file stands in the place"},
                                    {"other/x", "its directory cannot be made"}}) {
            CAPTURE(planted.first);
            auto const error = error_of<ContainerExecutionError>(
                [&] { executor.send_to_container(folders.here("file"), folders.there(planted.first)); });
            REQUIRE(error);
            CHECK(holds(error->what(), planted.second));
            CHECK(error->exit_code() == 1);
            CHECK(holds(error->standard_error(), planted.second));
        }
        CHECK(folders.workspace.read("other") == "old");
        CHECK(names_in(folders.workspace.path()) == Names{"fifo", "file", "folder", "link", "other"});
    });
}

TEST_CASE("temporaries of senders that were killed are swept, and those of living ones are not") {
    in_every_place([](Place const& place) {
        if (place.name() == "dash with few utilities") return; // it has no find
        Folders const folders;
        auto executor = executor_in(place, folders.config());
        auto const old = folders.workspace.write(".longshore-0123456789abcdef.part", "old");
        std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() - 2h);
        folders.workspace.write(".longshore-0123456789abcdee.part", "living");
        folders.sandbox.write("file", "sent");
        executor.send_to_container(folders.here("file"), folders.there("file"));
        CHECK(names_in(folders.workspace.path()) == Names{".longshore-0123456789abcdee.part", "file"});
    });
}

TEST_CASE("only regular files of the sandbox are sent, and no link is followed to one") {
    Folders const folders;
    MockLauncher launcher;
    ContainerToolExecutor executor{folders.config(), launcher};
    support::TemporaryDirectory const outside;
    outside.write("secret", "secret");
    std::filesystem::create_symlink(outside.path() + "/secret", folders.here("link"));
    std::filesystem::create_symlink(outside.path(), folders.here("folder"));
    folders.sandbox.make("directory");
    REQUIRE(::mkfifo(folders.here("fifo").c_str(), 0600) == 0);
    auto const send = [&](std::string const& from) {
        executor.send_to_container(from, folders.there("file"));
    };
    for (auto const* name : {"link", "folder/secret", "directory", "fifo"}) {
        CAPTURE(name);
        CHECK_THROWS_AS(send(folders.here(name)), SandboxEscapeError);
    }
    CHECK_THROWS_AS(send(outside.path() + "/secret"), SandboxEscapeError);
    CHECK_THROWS_AS(send(folders.here("../outside")), SandboxEscapeError);
    CHECK_THROWS_AS(send("file"), ValueError);
    CHECK(holds(text_of([&] { send(folders.here("missing")); }), "No such file"));
    folders.sandbox.write("file", "sent");
    CHECK_THROWS_AS(executor.send_to_container(folders.here("file"), "/etc/passwd"), SandboxEscapeError);
    CHECK_THROWS_AS(executor.send_to_container(folders.here("file"), folders.there("../x")),
                    SandboxEscapeError);
    CHECK_THROWS_AS(executor.send_to_container(folders.here("file"), "x"), ValueError);
    CHECK(launcher.runs() == 0);
    CHECK_NOTHROW(send(folders.here("file")));
    CHECK(launcher.runs() == 1);
}

TEST_CASE("a file that is sent may have as many bytes as the limit, and no more") {
    Folders const folders;
    MockLauncher launcher;
    ContainerToolExecutor executor{folders.config(), launcher};
    folders.sandbox.write("file", "12345");
    CHECK_NOTHROW(executor.send_to_container(folders.here("file"), folders.there("file"),
                                             {.limits = {.file_bytes = 5}}));
    CHECK(text_of([&] {
              executor.send_to_container(folders.here("file"), folders.there("file"),
                                         {.limits = {.file_bytes = 4}});
          }) == "'" + folders.here("file") + "' has 5 bytes, more than the limit of 4");
    CHECK(launcher.runs() == 1);
}

TEST_CASE("an observer hears how a file is sent, and what it throws ends that") {
    Folders const folders;
    Place const place{"dash", "/bin/dash", every_utility()};
    auto executor = executor_in(place, folders.config());
    folders.sandbox.write("file", every_byte(2 * mebibyte));
    folders.workspace.write("file", "old");
    std::vector<std::uint64_t> heard;
    auto const hear = [&](SyncProgress const& progress) {
        CHECK(progress.file == folders.there("file"));
        CHECK(progress.total == 2 * mebibyte);
        heard.push_back(progress.bytes);
    };
    struct Enough {};
    auto const throws = [](SyncProgress const& progress) {
        if (progress.bytes > mebibyte) throw Enough{};
    };
    CHECK_THROWS_AS(
        executor.send_to_container(folders.here("file"), folders.there("file"), {.on_progress = throws}),
        Enough);
    CHECK(folders.workspace.read("file") == "old");
    executor.send_to_container(folders.here("file"), folders.there("file"), {.on_progress = hear});
    CHECK(heard.size() >= 2);
    CHECK(heard.back() == 2 * mebibyte);
}

TEST_CASE("a file that becomes shorter while it is sent does not arrive") {
    Folders const folders;
    Place const place{"dash", "/bin/dash", every_utility()};
    auto executor = executor_in(place, folders.config());
    folders.sandbox.write("file", every_byte(2 * mebibyte));
    auto const cut = [&](SyncProgress const&) { std::filesystem::resize_file(folders.here("file"), 100); };
    CHECK(holds(send_error(executor, folders, "file", "file", {.on_progress = cut}), "became shorter"));
    CHECK_FALSE(std::filesystem::exists(folders.there("file")));
}

TEST_CASE("a container that cannot keep what is sent leaves the old file as it is") {
    Folders const folders;
    folders.sandbox.write("file", every_byte(200000));
    folders.workspace.write("file", "old");
    for (auto const& [utility, script, text] :
         {std::tuple{"wc", "echo 7", "7 of 200000 bytes were written"},
          {"mv", "exit 1", "cannot be put in its place"},
          {"head", "[ \"$2\" = 200000 ] && [ -f /proc/self/fd/1 ] && exit 1\nexec $REAL \"$@\"",
           "cannot be written"}}) {
        Place const place{"dash", "/bin/dash", every_utility()};
        place.replace(utility, script);
        auto executor = executor_in(place, folders.config());
        CHECK(holds(send_error(executor, folders, "file", "file"), text));
        CHECK(folders.workspace.read("file") == "old");
        CHECK(names_in(folders.workspace.path()) == Names{"file"});
    }
}

TEST_CASE("a deadline ends a file that is sent, and the old one stays") {
    Folders const folders;
    Place const place{"dash", "/bin/dash", every_utility()};
    place.replace("mv", "sleep 600");
    auto executor = executor_in(place, folders.config());
    folders.sandbox.write("file", "new");
    folders.workspace.write("file", "old");
    CHECK_THROWS_AS(
        executor.send_to_container(folders.here("file"), folders.there("file"), {.timeout = 500ms}),
        ContainerTimeoutError);
    CHECK(folders.workspace.read("file") == "old");
}

TEST_CASE("what is sent is pulled from the file while it is sent") {
    Folders const folders;
    MockLauncher launcher;
    ContainerToolExecutor executor{folders.config(), launcher};
    folders.sandbox.write("file", "content");
    executor.send_to_container(folders.here("file"), folders.there("file"));
    auto const request = launcher.requests().back();
    REQUIRE(std::holds_alternative<InputStream>(request.input));
    auto const& stream = std::get<InputStream>(request.input);
    CHECK(stream.length == 7);
    std::string into(100, '\0');
    CHECK(stream.read(std::span<char>{into}) == 7);
    CHECK(into.substr(0, 7) == "content");
}
