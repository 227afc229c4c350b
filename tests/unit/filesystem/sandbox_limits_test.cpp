// SPDX-License-Identifier: BSL-1.0
#include <longshore/filesystem/sandbox_file.hpp>

#include "../detail/process_support.hpp"
#include "sandbox_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <string>

#include <sys/resource.h>

using namespace sandbox_support;

namespace {

int volatile signals_seen = 0;
void count_signal(int) { signals_seen = signals_seen + 1; }

void limit_file_size(::rlim_t bytes) {
    ::rlimit const limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

bool is_blocked(int signal) {
    ::sigset_t set;
    ::sigemptyset(&set);
    ::pthread_sigmask(SIG_BLOCK, nullptr, &set);
    return ::sigismember(&set, signal) == 1;
}

} // namespace

TEST_CASE("A file size limit is an error, and its signal never reaches the host") {
    for (auto* const handler : {SIG_DFL, SIG_IGN, &count_signal}) {
        Place const place;
        place.write("file", "old");
        CHECK(process_support::in_own_process([&] {
            std::signal(SIGXFSZ, handler);
            limit_file_size(100000);
            SandboxDirectory const sandbox{place.sandbox()};
            std::string const much(300000, 'x');
            for (int round = 0; round < 3; ++round)
                if (system_error_of([&] { sandbox.write_file("file", much); }) != EFBIG) return false;
            sandbox.write_file("small", much.substr(0, 100000));
            return signals_seen == 0 && !is_blocked(SIGXFSZ);
        }));
        CHECK(content(place.sandbox("file")) == "old");
        CHECK(names_in(place.sandbox()) == Names{"file", "small"});
    }
}

TEST_CASE("A file size signal of the host that was waiting before is still waiting after") {
    Place const place;
    CHECK(process_support::in_own_process([&] {
        std::signal(SIGXFSZ, count_signal);
        ::sigset_t set;
        ::sigemptyset(&set);
        ::sigaddset(&set, SIGXFSZ);
        ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
        ::pthread_kill(::pthread_self(), SIGXFSZ);
        limit_file_size(10);
        SandboxDirectory const sandbox{place.sandbox()};
        if (system_error_of([&] { sandbox.write_file("file", "more than ten"); }) != EFBIG) return false;
        if (!is_blocked(SIGXFSZ) || signals_seen != 0) return false;
        ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        return signals_seen == 1;
    }));
}

TEST_CASE("A full disk leaves the old file whole and no temporary") {
    Place const place;
    Mounted const mounted{place.sandbox(), "size=256k"};
    if (!mounted) return;
    for (auto const& way : every_way()) {
        CAPTURE(way.name);
        FileCalls const calls{way.features};
        SandboxDirectory const sandbox{place.sandbox(), {}, calls};
        sandbox.write_file("file", "old");
        auto const before = open_descriptors();
        std::string const much(std::size_t{1} << 20, 'x');
        auto const write = [&] { sandbox.write_file("file", much); };
        CHECK(system_error_of(write) == ENOSPC);
        CHECK(holds(text_of(write), "cannot write 'file' in the sandbox"));
        CHECK(content(place.sandbox("file")) == "old");
        CHECK(names_in(place.sandbox()) == Names{"file"});
        CHECK(open_descriptors() == before);
        sandbox.write_file("file", much.substr(0, 100000));
    }
}

TEST_CASE("No room for another name leaves the old file whole") {
    Place const place;
    Mounted const mounted{place.sandbox(), "nr_inodes=3"}; // the root, one file, one temporary
    if (!mounted) return;
    SandboxDirectory const sandbox{place.sandbox()};
    sandbox.write_file("file", "old");
    auto const open = sandbox.begin_file("file", 1);
    CHECK(system_error_of([&] { sandbox.write_file("file", "new"); }) == ENOSPC);
    CHECK(system_error_of([&] { sandbox.write_file("new/file", "new"); }) == ENOSPC);
    CHECK(content(place.sandbox("file")) == "old");
}

TEST_CASE("A sandbox that is mounted read-only is an error and still read") {
    Place const place;
    Mounted const mounted{place.sandbox()};
    if (!mounted) return;
    SandboxDirectory const sandbox{place.sandbox()};
    sandbox.write_file("file", "old");
    auto file = sandbox.begin_file("file", 3);
    file.append("new");
    file.abandon();
    REQUIRE(mounted.make_read_only());
    for (auto const& way : every_way()) {
        FileCalls const calls{way.features};
        SandboxDirectory const closed{place.sandbox(), {}, calls};
        CHECK(system_error_of([&] { closed.write_file("file", "new"); }) == EROFS);
        CHECK(system_error_of([&] { closed.write_file("new/file", "new"); }) == EROFS);
        CHECK(system_error_of([&] { closed.create_directory("new"); }) == EROFS);
        CHECK(closed.open_file("file").size() == 3);
        CHECK(closed.sweep() == 0);
    }
    CHECK(names_in(place.sandbox()) == Names{"file"});
}
