// SPDX-License-Identifier: BSL-1.0
#include <longshore/filesystem/sandbox_directory.hpp>

#include "sandbox_support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include <fcntl.h>

using namespace sandbox_support;

namespace {

int rounds() { return std::getenv("LONGSHORE_TEST_EXTENDED") != nullptr ? 100000 : 2000; }

void exchange(std::string const& one, std::string const& other) {
    ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
}

// Does something again and again, as fast as it can, for as long as this lives.
class Meanwhile {
public:
    template <typename Action>
    explicit Meanwhile(Action action)
        : thread_{[this, action] {
              while (!stop_.load(std::memory_order_relaxed)) {
                  action();
                  done_.fetch_add(1, std::memory_order_release);
              }
          }} {
        while (done_.load(std::memory_order_acquire) == 0)
            std::this_thread::yield();
    }
    Meanwhile(Meanwhile const&) = delete;
    Meanwhile& operator=(Meanwhile const&) = delete;
    ~Meanwhile() {
        stop_ = true;
        thread_.join();
    }

private:
    std::atomic<bool> stop_{false};
    std::atomic<long> done_{0};
    std::thread thread_;
};

// A sandbox on a tmpfs, where root can have one, with a stray temporary outside that no sweep may reach.
struct Arena {
    Place place{};
    std::unique_ptr<Mounted> mounted = std::make_unique<Mounted>(place.sandbox());

    Arena() { std::ofstream{place.outside(stray_name)} << "stray"; }
    ~Arena() {
        CHECK(names_in(place.outside()) == Names{stray_name, "secret"});
        CHECK(content(place.outside("secret")) == "secret");
        CHECK(content(place.outside(stray_name)) == "stray");
    }
    Arena(Arena const&) = delete;
    Arena& operator=(Arena const&) = delete;
};

struct Score {
    int done = 0;
    int refused = 0;
    int failed = 0;
};

// Whatever the moment: done, or refused, or the system's error.
template <typename Action>
void attempt(Score& score, Action action) {
    try {
        action();
        ++score.done;
    } catch (SandboxEscapeError const&) {
        ++score.refused;
    } catch (std::system_error const&) {
        ++score.failed;
    }
}

std::string read_whole(SandboxDirectory const& sandbox, std::string const& path) {
    auto reader = sandbox.open_file(path);
    std::array<char, 64> buffer{};
    auto const count = reader.read(buffer);
    return {buffer.data(), count};
}

} // namespace

TEST_CASE("A directory that is swapped for a link while files are written lets not one byte outside") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Arena const arena;
        auto const& place = arena.place;
        place.make("a");
        place.make("a/b");
        place.link("evil", place.outside());
        FileCalls const calls{way.features};
        Score score;
        {
            Meanwhile const swapping{[&] { exchange(place.sandbox("a"), place.sandbox("evil")); }};
            for (int round = 0; round < rounds(); ++round) {
                SandboxDirectory const sandbox{place.sandbox(), {}, calls};
                auto const number = std::to_string(round % 10);
                attempt(score, [&] { sandbox.write_file("a/file", "inside"); });
                attempt(score, [&] { sandbox.write_file("a/b/file", "inside"); });
                attempt(score, [&] { sandbox.write_file("a/new" + number + "/file", "inside"); });
                attempt(score, [&] { sandbox.create_directory("a/made" + number); });
                attempt(score, [&] { sandbox.sweep("a"); });
            }
        }
        CAPTURE(score.refused);
        CHECK(score.done + score.refused + score.failed == 5 * rounds());
        CHECK(score.done > 0);
        CHECK(score.failed == 0);
    }
}

TEST_CASE("A file that is swapped for a link while it is written lets not one byte outside") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Arena const arena;
        auto const& place = arena.place;
        place.write("file", "old");
        FileCalls const calls{way.features};
        Score score;
        {
            Meanwhile const swapping{[&] {
                ::unlink(place.sandbox("evil").c_str());
                static_cast<void>(::symlink(place.outside("secret").c_str(), place.sandbox("evil").c_str()));
                exchange(place.sandbox("file"), place.sandbox("evil"));
                exchange(place.sandbox("file"), place.sandbox("evil"));
            }};
            SandboxDirectory const sandbox{place.sandbox(), {}, calls};
            for (int round = 0; round < rounds(); ++round)
                attempt(score, [&] { sandbox.write_file("file", "inside"); });
        }
        CAPTURE(score.refused);
        CHECK(score.done + score.refused == rounds());
        CHECK(score.done > 0);
    }
}

TEST_CASE("What is read while names are swapped for links is never from outside") {
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        Arena const arena;
        auto const& place = arena.place;
        place.make("a");
        place.write("a/secret", "inside");
        place.write("leaf", "inside");
        place.link("evil", place.outside());
        place.link("evil-leaf", place.outside("secret"));
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        Score score;
        int from_outside = 0;
        {
            Meanwhile const swapping{[&] {
                exchange(place.sandbox("a"), place.sandbox("evil"));
                exchange(place.sandbox("leaf"), place.sandbox("evil-leaf"));
            }};
            for (int round = 0; round < rounds(); ++round)
                for (auto const* const path : {"a/secret", "leaf"})
                    attempt(score, [&] { from_outside += read_whole(sandbox, path) == "inside" ? 0 : 1; });
        }
        CHECK(from_outside == 0);
        CHECK(score.done + score.refused + score.failed == 2 * rounds());
        CHECK(score.done > 0);
    }
}
