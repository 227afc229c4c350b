// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/temporary_file.hpp>

#include "../filesystem/sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <functional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>

using namespace sandbox_support;

namespace {

// Lets something happen right before a lock is taken or a name removed, once.
class Interrupted : public FileCalls {
public:
    using FileCalls::FileCalls;

    int lock(int file, int operation) const override {
        happen(before_lock);
        return FileCalls::lock(file, operation);
    }
    int remove(int directory, char const* name) const override {
        happen(before_remove);
        return FileCalls::remove(directory, name);
    }

    mutable std::function<void()> before_lock{};
    mutable std::function<void()> before_remove{};

private:
    static void happen(std::function<void()>& action) {
        if (auto const once = std::exchange(action, {})) once();
    }
};

bool is_locked(std::string const& path) {
    longshore::detail::FileDescriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    return ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
}

} // namespace

TEST_CASE("A temporary that is swept before it was locked is made again under another name") {
    Place const place;
    Interrupted const calls;
    SandboxDirectory const sandbox{place.sandbox(), {}, calls};
    sandbox.sweep();
    std::size_t swept = 0;
    calls.before_lock = [&] { swept = SandboxDirectory{place.sandbox()}.sweep(); };
    sandbox.write_file("file", "text");
    CHECK(swept == 1);
    CHECK(content(place.sandbox("file")) == "text");
    CHECK(names_in(place.sandbox()) == Names{"file"});
}

TEST_CASE("A temporary that somebody else has locked is made again, and the other is removed") {
    Place const place;
    Interrupted const calls;
    SandboxDirectory const sandbox{place.sandbox(), {}, calls};
    longshore::detail::FileDescriptor other;
    calls.before_lock = [&] {
        other.reset(::open(place.sandbox(names_in(place.sandbox()).front()).c_str(), O_RDONLY | O_CLOEXEC));
        CHECK(::flock(other.get(), LOCK_EX | LOCK_NB) == 0);
    };
    sandbox.write_file("file", "text");
    CHECK(other.valid());
    CHECK(names_in(place.sandbox()) == Names{"file"});
}

TEST_CASE("Somebody who locks every temporary ends in an error and nothing is left") {
    class Contested : public FileCalls {
    public:
        int lock(int, int) const override {
            errno = EWOULDBLOCK;
            return -1;
        }
    };
    Place const place;
    Contested const calls;
    SandboxDirectory const sandbox{place.sandbox(), {}, calls};
    CHECK(system_error_of([&] { sandbox.begin_file("file", 1); }) == EWOULDBLOCK);
    CHECK(names_in(place.sandbox()).empty());
}

TEST_CASE("A file system without locks is written to, and swept of nothing") {
    class Lockless : public FileCalls {
    public:
        int lock(int, int) const override {
            errno = EOPNOTSUPP;
            return -1;
        }
    };
    Place const place;
    place.write(stray_name, "stray");
    Lockless const calls;
    SandboxDirectory const sandbox{place.sandbox(), {}, calls};
    sandbox.write_file("file", "text");
    CHECK(sandbox.sweep() == 0);
    CHECK(names_in(place.sandbox()) == Names{stray_name, "file"});
}

TEST_CASE("A sweep holds the lock of a stray until the stray is gone") {
    Place const place;
    place.write(stray_name, "stray");
    Interrupted const calls;
    SandboxDirectory const sandbox{place.sandbox(), {}, calls};
    bool locked = false;
    calls.before_remove = [&] { locked = is_locked(place.sandbox(stray_name)); };
    CHECK(sandbox.sweep() == 1);
    CHECK(locked);
}

TEST_CASE("A temporary is locked until the file stands in its place") {
    class Renaming : public FileCalls {
    public:
        int rename(int directory, char const* from, char const* to) const override {
            auto const result = FileCalls::rename(directory, from, to);
            locked = is_locked("/proc/self/fd/" + std::to_string(directory) + '/' + to);
            return result;
        }
        mutable bool locked = false;
    };
    Place const place;
    Renaming const calls;
    SandboxDirectory{place.sandbox(), {}, calls}.write_file("file", "text");
    CHECK(calls.locked);
    CHECK_FALSE(is_locked(place.sandbox("file")));
}
