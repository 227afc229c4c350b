// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/concurrency_limit.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <future>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

using longshore::ConcurrencyLimit;

TEST_CASE("ConcurrencyLimit grants at once while there is room, and again what was given back") {
    ConcurrencyLimit limit{2};
    auto first = limit.acquire();
    auto second = limit.acquire();
    CHECK(first);
    CHECK(second);
    bool third_came = false;
    limit.acquire([&](ConcurrencyLimit::Permit permit) { third_came = static_cast<bool>(permit); });
    CHECK_FALSE(third_came);
    first.release();
    CHECK(third_came);
    CHECK_FALSE(first);
    CHECK(second);
}

TEST_CASE("ConcurrencyLimit without a limit grants every permit at once") {
    ConcurrencyLimit limit{0};
    std::vector<ConcurrencyLimit::Permit> permits;
    for (int count = 0; count < 100; ++count)
        CHECK(permits.emplace_back(limit.acquire()));
    bool came = false;
    limit.acquire([&](ConcurrencyLimit::Permit permit) { came = static_cast<bool>(permit); });
    CHECK(came);
}

TEST_CASE("ConcurrencyLimit serves waiters in the order in which they came") {
    ConcurrencyLimit limit{1};
    auto running = limit.acquire();
    std::vector<int> order;
    std::vector<ConcurrencyLimit::Permit> held(3);
    for (int waiter = 0; waiter < 3; ++waiter)
        limit.acquire([&, waiter](ConcurrencyLimit::Permit permit) {
            order.push_back(waiter);
            held[static_cast<std::size_t>(waiter)] = std::move(permit);
        });
    running.release();
    CHECK(order == std::vector{0});
    held[0].release();
    held[1].release();
    CHECK(order == std::vector{0, 1, 2});
}

TEST_CASE("ConcurrencyLimit calls a cancelled waiter with an empty permit and passes it over") {
    ConcurrencyLimit limit{1};
    auto running = limit.acquire();
    std::optional<bool> first_granted;
    std::optional<bool> second_granted;
    auto const ticket =
        limit.acquire([&](ConcurrencyLimit::Permit permit) { first_granted = static_cast<bool>(permit); });
    limit.acquire([&](ConcurrencyLimit::Permit permit) { second_granted = static_cast<bool>(permit); });
    ticket.cancel();
    CHECK(first_granted == false);
    ticket.cancel();
    running.release();
    CHECK(second_granted == true);
}

TEST_CASE("ConcurrencyLimit ignores the cancellation of a waiter whose turn had come") {
    ConcurrencyLimit limit{1};
    int calls = 0;
    ConcurrencyLimit::Permit held;
    auto running = limit.acquire();
    auto const ticket = limit.acquire([&](ConcurrencyLimit::Permit permit) {
        ++calls;
        held = std::move(permit);
    });
    running.release();
    ticket.cancel();
    CHECK(calls == 1);
    CHECK(held);
}

TEST_CASE("ConcurrencyLimit blocks a thread until its turn comes") {
    ConcurrencyLimit limit{1};
    auto running = limit.acquire();
    auto waiting = std::async(std::launch::async, [&] { return static_cast<bool>(limit.acquire()); });
    running.release();
    CHECK(waiting.get());
}

TEST_CASE("ConcurrencyLimit wakes a blocked thread with an empty permit when a stop is requested") {
    ConcurrencyLimit limit{1};
    auto const running = limit.acquire();
    std::stop_source stop;
    auto waiting =
        std::async(std::launch::async, [&] { return static_cast<bool>(limit.acquire(stop.get_token())); });
    stop.request_stop();
    CHECK_FALSE(waiting.get());
    CHECK_FALSE(limit.acquire(stop.get_token()));
}

TEST_CASE("ConcurrencyLimit never lets more run at once than it allows, whatever the threads do") {
    constexpr int allowed = 3;
    ConcurrencyLimit limit{allowed};
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread)
        threads.emplace_back([&] {
            for (int round = 0; round < 200; ++round) {
                auto const permit = limit.acquire();
                auto const now = ++running;
                auto seen = most.load();
                while (now > seen && !most.compare_exchange_weak(seen, now)) {
                }
                --running;
            }
        });
    threads.clear();
    CHECK(most.load() <= allowed);
    CHECK(running.load() == 0);
    CHECK(limit.acquire());
}

TEST_CASE("a permit outlives its ConcurrencyLimit, and moving one gives back the one it replaces") {
    ConcurrencyLimit::Permit kept;
    {
        ConcurrencyLimit limit{1};
        kept = limit.acquire();
    }
    CHECK(kept);
    ConcurrencyLimit limit{1};
    auto held = limit.acquire();
    held = ConcurrencyLimit::Permit{};
    CHECK_FALSE(held);
    CHECK(limit.acquire());
}
