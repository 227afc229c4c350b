// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/start_shared_memory.hpp>

#include <longshore/config.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#include <csignal>

// Only where the header has something to test, and not under a sanitizer's runtime, which it is not made for.
#if LONGSHORE_LINUX && !LONGSHORE_SANITIZED

#include <fcntl.h>
#include <unistd.h>

namespace {

int volatile signals_seen = 0;
void count_signal(int) { signals_seen = signals_seen + 1; }

int set_marker(void* place) {
    *static_cast<int volatile*>(place) = 7;
    ::_exit(3);
}

} // namespace

TEST_CASE("A child that shares memory writes into the host's own") {
    int volatile mark = 0;
    int pidfd = -1;
    constexpr int clone_pidfd = 0x1000;
    auto const process = longshore::detail::clone_sharing_memory(set_marker, const_cast<int*>(&mark),
                                                                 clone_pidfd | SIGCHLD, &pidfd);
    longshore::detail::FileDescriptor const exit{pidfd};
    REQUIRE(process > 0);
    CHECK(mark == 7);
    int status = 0;
    CHECK(::waitpid(process, &status, 0) == process);
    CHECK(WEXITSTATUS(status) == 3);
}

TEST_CASE("Finding out whether memory is shared is not seen by the host's handlers") {
    process_support::Disposition const counted{SIGCHLD, count_signal};
    CHECK(process_support::in_own_process([] {
        signals_seen = 0;
        auto const shares = longshore::detail::child_shares_memory();
        return shares && signals_seen == 0 && !process_support::has_children();
    }));
}

#endif
