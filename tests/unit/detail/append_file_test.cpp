// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/append_file.hpp>

#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using longshore::detail::AppendFile;
using longshore::detail::FileDescriptor;
using namespace std::chrono_literals;

namespace {

// A directory with the file that the tests add to.
struct Trail {
    support::TemporaryDirectory directory{};
    std::string path{directory.path() + "/trail"};
    AppendFile file{path, false, 2s};

    std::string text() const { return directory.read("trail"); }

    // The number of the error that adding a line throws; 0: none.
    int error_of(std::string const& line) {
        try {
            file.append(line);
        } catch (std::system_error const& error) {
            return error.code().value();
        }
        return 0;
    }
};

::mode_t mode_of(std::string const& path) {
    struct ::stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

} // namespace

TEST_CASE("lines are added at the end of a file that is the owner's alone") {
    Trail trail;
    trail.file.append("one");
    trail.file.append("two");
    CHECK(trail.text() == "one\ntwo\n");
    CHECK(mode_of(trail.path) == 0600);
}

TEST_CASE("a file that is there already keeps its lines and its mode") {
    Trail trail;
    trail.directory.write("trail", "before\n", 0640);
    trail.file.append("one");
    CHECK(trail.text() == "before\none\n");
    CHECK(mode_of(trail.path) == 0640);
}

TEST_CASE("a line that a crash cut short is ended before the next one starts") {
    Trail trail;
    trail.directory.write("trail", "whole\n{\"torn\":");
    trail.file.append("one");
    trail.file.append("two");
    CHECK(trail.text() == "whole\n{\"torn\":\none\ntwo\n");
}

TEST_CASE("a file that was moved or deleted is opened anew") {
    Trail trail;
    trail.file.append("one");
    std::filesystem::rename(trail.path, trail.path + ".1");
    trail.file.append("two");
    CHECK(trail.directory.read("trail.1") == "one\n");
    CHECK(trail.text() == "two\n");
    std::filesystem::remove(trail.path);
    trail.file.append("three");
    CHECK(trail.text() == "three\n");
    CHECK(mode_of(trail.path) == 0600);
}

TEST_CASE("a relative path is taken from where the program was at first") {
    support::TemporaryDirectory directory;
    auto const before = std::filesystem::current_path();
    std::filesystem::current_path(directory.path());
    AppendFile file{"trail", false, 2s};
    std::filesystem::current_path(before);
    file.append("one");
    CHECK(directory.read("trail") == "one\n");
}

TEST_CASE("links, pipes, devices and directories are refused at once") {
    Trail trail;
    auto const refused = [&] {
        auto const error = trail.error_of("one");
        std::filesystem::remove(trail.path);
        return error;
    };
    auto const target = trail.directory.write("target", "untouched");
    std::filesystem::create_symlink(target, trail.path);
    CHECK(refused() == ELOOP);
    CHECK(trail.directory.read("target") == "untouched");
    REQUIRE(::mkfifo(trail.path.c_str(), 0600) == 0);
    CHECK(refused() == EINVAL);
    std::filesystem::create_directory(trail.path);
    CHECK(refused() == EISDIR);
    CHECK_THROWS_WITH_AS((AppendFile{"/dev/null", false, 2s}.append("one")),
                         "cannot append to '/dev/null': it is not a regular file: Invalid argument",
                         std::system_error);
    CHECK_THROWS_WITH_AS((AppendFile{trail.path + "/missing/trail", false, 2s}.append("one")),
                         doctest::Contains("No such file or directory"), std::system_error);
    CHECK(trail.error_of("one") == 0);
}

TEST_CASE("a process that never gives the lock back does not stop the others") {
    Trail trail;
    AppendFile impatient{trail.path, false, 0s};
    impatient.append("one");
    FileDescriptor other{::open(trail.path.c_str(), O_RDONLY | O_CLOEXEC)};
    REQUIRE(::flock(other.get(), LOCK_EX | LOCK_NB) == 0);
    impatient.append("two");
    CHECK(trail.text() == "one\ntwo\n");
    other.reset();
    impatient.append("three");
    CHECK(trail.text() == "one\ntwo\nthree\n");
}

TEST_CASE("the lock is given back after every line") {
    Trail trail;
    trail.file.append("one");
    FileDescriptor const other{::open(trail.path.c_str(), O_RDONLY | O_CLOEXEC)};
    CHECK(::flock(other.get(), LOCK_EX | LOCK_NB) == 0);
}

TEST_CASE("a line beyond the process's own limit of file sizes is an error, not the end of the program") {
    Trail trail;
    trail.file.append("one");
    auto const process = ::fork();
    if (process == 0) {
        ::rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        ::rlimit const tight{10, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &tight);
        auto const held = trail.error_of("too long for it") == EFBIG && trail.error_of("two") == 0;
        ::setrlimit(RLIMIT_FSIZE, &before); // the end of the process may write to other files
        ::_exit(held ? 0 : 1);
    }
    int status = -1;
    CHECK(::waitpid(process, &status, 0) == process);
    CHECK(status == 0);
    CHECK(trail.text() == "one\ntwo\n");
}

TEST_CASE("a forked process adds lines beside its parent") {
    Trail trail;
    trail.file.append("one");
    auto const process = ::fork();
    if (process == 0) ::_exit(trail.error_of("two"));
    int status = -1;
    CHECK(::waitpid(process, &status, 0) == process);
    CHECK(status == 0);
    trail.file.append("three");
    CHECK(trail.text() == "one\ntwo\nthree\n");
}

TEST_CASE("a synced file gets its lines as any other") {
    support::TemporaryDirectory directory;
    AppendFile file{directory.path() + "/trail", true, 2s};
    file.append("one");
    file.append("two");
    CHECK(directory.read("trail") == "one\ntwo\n");
}
