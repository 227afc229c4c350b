// SPDX-License-Identifier: BSL-1.0
#include <longshore/filesystem/sandbox_directory.hpp>

#include "sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <exception>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace sandbox_support;

namespace {

// Makes the calls with the given numbers fail, counted from 0, and tells what happened.
class Failing : public FileCalls {
public:
    Failing(FileFeatures allowed, std::set<int> numbers, int error)
        : FileCalls{allowed}, numbers_{std::move(numbers)}, error_{error} {}

    int open_at(int directory, char const* path, int flags, ::mode_t mode) const override {
        return fails() ? -1 : FileCalls::open_at(directory, path, flags, mode);
    }
    int open_beneath(int directory, char const* path, int flags) const override {
        return fails() ? -1 : FileCalls::open_beneath(directory, path, flags);
    }
    int status(int file, struct ::stat& into) const override {
        return fails() ? -1 : FileCalls::status(file, into);
    }
    int status_at(int directory, char const* name, struct ::stat& into) const override {
        return fails() ? -1 : FileCalls::status_at(directory, name, into);
    }
    int make_directory(int directory, char const* name) const override {
        return fails() ? -1 : FileCalls::make_directory(directory, name);
    }
    // Never fails: it is what every other failure is answered with.
    int remove(int directory, char const* name) const override { return FileCalls::remove(directory, name); }
    int rename(int directory, char const* from, char const* to) const override {
        auto const result = fails() ? -1 : FileCalls::rename(directory, from, to);
        renamed = renamed || result == 0;
        return result;
    }
    int lock(int file, int operation) const override {
        return fails() ? -1 : FileCalls::lock(file, operation);
    }
    // No power is cut here, and a disk would make this slow.
    int synchronise(int) const override { return fails() ? -1 : 0; }
    ::ssize_t write(int file, char const* bytes, std::size_t size) const override {
        return fails() ? -1 : FileCalls::write(file, bytes, size);
    }
    ::DIR* list(int directory) const override { return fails() ? nullptr : FileCalls::list(directory); }
    char const* next_name(::DIR* listing) const override {
        return fails() ? nullptr : FileCalls::next_name(listing);
    }

    mutable int count = 0;
    mutable bool renamed = false;

private:
    bool fails() const {
        if (!numbers_.contains(count++)) return false;
        errno = error_;
        return true;
    }

    std::set<int> numbers_;
    int error_;
};

std::string const old_text = "the old file";
std::string const new_text = "the new file, that is longer";

void write_pieces(SandboxDirectory const& sandbox, std::string const& path) {
    auto file = sandbox.begin_file(path, new_text.size());
    file.append(new_text.substr(0, 7));
    file.append(new_text.substr(7));
    file.finish();
}

// Writes with failing calls, each time in a fresh sandbox; on a tmpfs where root can have one, for speed.
class Trial {
public:
    // One write of `path` with the calls of these numbers failing. Checks that what it leaves is whole and
    // clean, and returns how many calls it made.
    int write(FileFeatures features, std::set<int> const& numbers, int error, std::string const& path,
              std::string const& before) {
        auto const root = place_.make("trial-" + std::to_string(++trials_));
        auto const file = root + '/' + path;
        if (!before.empty()) std::ofstream{file} << before;
        Failing const calls{features, numbers, error};
        auto const descriptors = open_descriptors();
        bool thrown = false;
        try {
            write_pieces(SandboxDirectory{root, {}, calls}, path);
        } catch (std::exception const&) {
            thrown = true;
        }
        CHECK(content(file) == (calls.renamed ? new_text : before));
        CHECK((thrown || calls.renamed));
        CHECK(open_descriptors() == descriptors);
        check_only(file, root);
        write_pieces(SandboxDirectory{root, {.durability = longshore::Durability::process_end}}, path);
        CHECK(content(file) == new_text);
        std::filesystem::remove_all(root);
        return calls.count;
    }

private:
    // No file but this one.
    static void check_only(std::string const& file, std::string const& root) {
        for (auto const& entry : std::filesystem::recursive_directory_iterator{root})
            CHECK((entry.is_directory() || entry.path() == file));
    }

    Place place_{};
    Mounted mounted_{place_.sandbox()};
    int trials_ = 0;
};

} // namespace

TEST_CASE("Whichever system call fails, the old file is whole, no temporary is left and nothing leaks") {
    struct Target {
        std::string path;
        std::string before;
    };
    std::vector<Target> const targets{{"file", old_text}, {"file", ""}, {"new/deep/file", ""}};
    Trial trial;
    for (auto const& way : every_way())
        for (auto const& target : targets) {
            auto const calls = trial.write(way.features, {}, 0, target.path, target.before);
            REQUIRE(calls > 10);
            for (auto const error : {EIO, ENOSPC, EDQUOT, EROFS, EXDEV, EINTR, EAGAIN, EACCES, EMFILE, ENOSYS,
                                     EINVAL, EPERM, EEXIST, ENOENT, ENOLCK, ENOMEM})
                for (int number = 0; number < calls; ++number) {
                    CAPTURE(way.name);
                    CAPTURE(target.path);
                    CAPTURE(error);
                    CAPTURE(number);
                    trial.write(way.features, {number}, error, target.path, target.before);
                }
        }
}

TEST_CASE("Whichever two system calls fail, the old file is whole, no temporary is left and nothing leaks") {
    Trial trial;
    for (auto const& way : every_way()) {
        auto const calls = trial.write(way.features, {}, 0, "file", old_text);
        for (auto const error : {EIO, EAGAIN})
            for (int first = 0; first < calls; ++first)
                for (int second = first + 1; second < calls + 4; ++second) {
                    CAPTURE(way.name);
                    CAPTURE(first);
                    CAPTURE(second);
                    trial.write(way.features, {first, second}, error, "file", old_text);
                }
    }
}
