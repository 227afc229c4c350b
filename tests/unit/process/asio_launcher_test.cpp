// SPDX-License-Identifier: BSL-1.0
#include <longshore/process/asio_launcher.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using longshore::AsioLauncher;
using longshore::Ended;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::Reached;

namespace {

LaunchRequest on_host(std::vector<std::string> arguments, bool guarded = true) {
    LaunchRequest request;
    request.transport.environment = {"PATH=/usr/bin:/bin"};
    request.command.arguments = std::move(arguments);
    request.timeout = 60;
    request.guarded = guarded;
    return request;
}

LaunchRequest shell(std::string text, bool guarded = true) {
    return on_host({"/bin/sh", "-c", std::move(text)}, guarded);
}

LaunchOutcome run(LaunchRequest request) {
    asio::io_context context;
    auto outcome = AsioLauncher{context.get_executor()}.async_run(std::move(request), asio::use_future);
    context.run();
    return outcome.get();
}

} // namespace

TEST_CASE("an asynchronous call has the outcome of a blocking one, guarded or not") {
    for (bool const guarded : {true, false}) {
        CAPTURE(guarded);
        auto request = shell("cat; echo problem >&2; exit 3", guarded);
        request.input = std::string(1 << 20, 'x');
        auto const outcome = run(request);
        CHECK(outcome.ended == Ended::exited);
        CHECK(outcome.exit_code() == 3);
        CHECK(outcome.output.bytes == std::string(1 << 20, 'x'));
        CHECK(outcome.error.bytes == "problem\n");
        CHECK(outcome.output.complete);
        auto const blocking = longshore::ProcessLauncher{}.run(request);
        CHECK(blocking.output == outcome.output);
        CHECK(blocking.reached == outcome.reached);
    }
}

TEST_CASE("every completion token works, and none completes inside the initiating function") {
    asio::io_context context;
    AsioLauncher launcher{context.get_executor()};
    int completed = 0;
    auto const count = [&completed](std::exception_ptr failure, LaunchOutcome outcome) {
        CHECK(failure == nullptr);
        CHECK(outcome.output.bytes == "hi\n");
        ++completed;
    };
    launcher.async_run(shell("echo hi"), count);
    launcher.async_run(shell("echo hi"), asio::deferred)(count);
    auto future = launcher.async_run(shell("echo hi"), asio::use_future);
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void> {
            count(nullptr, co_await launcher.async_run(shell("echo hi"), asio::use_awaitable));
        },
        asio::detached);
    CHECK(completed == 0);
    context.run();
    CHECK(completed == 3);
    CHECK(future.get().output.bytes == "hi\n");
}

TEST_CASE("what cannot be started completes with the exception that a blocking call throws") {
    asio::io_context context;
    AsioLauncher launcher{context.get_executor()};
    auto missing = launcher.async_run(on_host({"/no/such/program"}, false), asio::use_future);
    auto no_program = launcher.async_run(on_host({}), asio::use_future);
    context.run();
    CHECK_THROWS_AS(missing.get(), std::system_error);
    CHECK_THROWS_AS(no_program.get(), longshore::ValueError);
}

TEST_CASE("the deadline, a cancellation slot and a stop token end the command and complete once") {
    for (bool const guarded : {true, false}) {
        CAPTURE(guarded);
        asio::io_context context;
        AsioLauncher launcher{context.get_executor()};
        std::vector<Ended> ended;
        auto const note = [&ended](std::exception_ptr, LaunchOutcome outcome) {
            CHECK(outcome.everything_killed == true);
            CHECK(outcome.output.bytes == "started\n");
            ended.push_back(outcome.ended);
        };
        auto const hanging = [&](auto on_start) {
            auto request = shell("echo started; setsid sleep 1000 & sleep 1000", guarded);
            request.output.sink = [on_start](std::string_view) {
                on_start();
                return longshore::Flow::go_on;
            };
            return request;
        };
        auto timed = hanging([] {});
        timed.timeout = 300ms;
        launcher.async_run(timed, note);
        asio::cancellation_signal signal;
        launcher.async_run(hanging([&] { signal.emit(asio::cancellation_type::terminal); }),
                           asio::bind_cancellation_slot(signal.slot(), note));
        std::stop_source stop;
        auto stopped = hanging([&] { stop.request_stop(); });
        stopped.stop_token = stop.get_token();
        launcher.async_run(stopped, note);
        context.run();
        CHECK(ended.size() == 3);
        CHECK(std::count(ended.begin(), ended.end(), Ended::cancelled) == 2);
        CHECK(std::count(ended.begin(), ended.end(), Ended::timed_out) == 1);
    }
}

TEST_CASE("a stop that was requested before the start starts nothing") {
    std::stop_source stop;
    stop.request_stop();
    auto request = shell("echo hi");
    request.stop_token = stop.get_token();
    auto const outcome = run(request);
    CHECK(outcome.ended == Ended::cancelled);
    CHECK(outcome.reached == Reached::unknown);
    CHECK(outcome.output.bytes.empty());
}

TEST_CASE("a sink that throws ends the call, and the handler gets what it threw") {
    asio::io_context context;
    auto request = shell("echo hi; sleep 1000");
    request.output.sink = [](std::string_view) -> longshore::Flow { throw std::runtime_error{"sink"}; };
    auto outcome = AsioLauncher{context.get_executor()}.async_run(request, asio::use_future);
    context.run();
    CHECK_THROWS_WITH(outcome.get(), "sink");
}

TEST_CASE("the handler runs on its own executor") {
    asio::thread_pool pool{2};
    asio::io_context own;
    auto const here = std::this_thread::get_id();
    std::thread::id seen;
    AsioLauncher launcher{pool.get_executor()};
    launcher.async_run(shell("echo hi"), asio::bind_executor(own, [&](std::exception_ptr, LaunchOutcome) {
                           seen = std::this_thread::get_id();
                       }));
    own.run(); // the call counts as work of the handler's context
    CHECK(seen == here);
    pool.join();
}

namespace {

std::atomic<std::size_t> bytes_allocated{0};

template <typename T>
struct CountingAllocator {
    using value_type = T;
    CountingAllocator() = default;
    template <typename U>
    CountingAllocator(CountingAllocator<U> const&) {}
    T* allocate(std::size_t count) {
        bytes_allocated += count * sizeof(T);
        return std::allocator<T>{}.allocate(count);
    }
    void deallocate(T* place, std::size_t count) { std::allocator<T>{}.deallocate(place, count); }
    friend bool operator==(CountingAllocator const&, CountingAllocator const&) { return true; }
};

} // namespace

TEST_CASE("the operation is allocated with the handler's allocator") {
    bytes_allocated = 0;
    asio::io_context context;
    bool completed = false;
    AsioLauncher{context.get_executor()}.async_run(
        shell("echo hi"), asio::bind_allocator(CountingAllocator<char>{},
                                               [&](std::exception_ptr, LaunchOutcome) { completed = true; }));
    context.run();
    CHECK(completed);
    CHECK(bytes_allocated > 0);
}

TEST_CASE("many calls run at once on a pool of threads, each with its own outcome") {
    asio::thread_pool pool{4};
    AsioLauncher launcher{pool.get_executor()};
    std::vector<std::future<LaunchOutcome>> outcomes;
    for (int number = 0; number < 64; ++number)
        outcomes.push_back(
            launcher.async_run(shell("echo " + std::to_string(number), number % 2 == 0), asio::use_future));
    for (std::size_t number = 0; number < outcomes.size(); ++number)
        CHECK(outcomes[number].get().output.bytes == std::to_string(number) + "\n");
}

TEST_CASE("a context that goes before its call ends takes the command with it") {
    std::string process;
    {
        asio::io_context context;
        AsioLauncher launcher{context.get_executor()};
        auto request = shell("echo $$; exec sleep 1000", false);
        request.output.sink = [&](std::string_view bytes) {
            process += bytes;
            return longshore::Flow::go_on;
        };
        launcher.async_run(request, [](std::exception_ptr, LaunchOutcome) { FAIL("completed"); });
        while (process.find('\n') == std::string::npos)
            context.run_one();
    }
    CHECK(::kill(static_cast<::pid_t>(std::stoi(process)), 0) == -1);
}

TEST_CASE("a cancellation that comes before the first step is not lost, whatever thread runs the call") {
    asio::thread_pool pool{2};
    asio::io_context own;
    AsioLauncher launcher{pool.get_executor()};
    for (int round = 0; round < 20; ++round) {
        asio::cancellation_signal signal;
        auto ended = Ended::exited;
        launcher.async_run(
            shell("sleep 1000"),
            asio::bind_cancellation_slot(
                signal.slot(), asio::bind_executor(own, [&](std::exception_ptr, LaunchOutcome outcome) {
                    ended = outcome.ended;
                })));
        signal.emit(asio::cancellation_type::terminal);
        own.restart();
        own.run();
        CHECK(ended == Ended::cancelled);
    }
    pool.join();
}
