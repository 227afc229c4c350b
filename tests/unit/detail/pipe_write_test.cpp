// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/pipe_write.hpp>

#include <longshore/detail/pipe.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include <pthread.h>

using longshore::detail::make_non_blocking;
using longshore::detail::make_pipe;
using longshore::detail::SystemFeatures;
using longshore::detail::write_without_signal;
using longshore::detail::WriteResult;
using process_support::Disposition;

namespace {

int volatile signals_seen = 0;
void count_signal(int) { signals_seen = signals_seen + 1; }

std::vector<SystemFeatures> both_ways() {
    SystemFeatures without;
    without.write_without_signal = false;
    return {SystemFeatures{}, without};
}

::sigset_t pipe_signal() {
    ::sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGPIPE);
    return set;
}

bool pipe_signal_is(int (*ask)(::sigset_t*)) {
    ::sigset_t set;
    ::sigemptyset(&set);
    ask(&set);
    return ::sigismember(&set, SIGPIPE) == 1;
}
bool is_pending() {
    return pipe_signal_is([](::sigset_t* set) { return ::sigpending(set); });
}
bool is_blocked() {
    return pipe_signal_is([](::sigset_t* set) { return ::pthread_sigmask(SIG_BLOCK, nullptr, set); });
}

} // namespace

TEST_CASE("A write to a pipe whose reader is gone raises no signal") {
    for (auto const& features : both_ways())
        for (auto* const handler : {&count_signal, SIG_DFL, SIG_IGN}) {
            CAPTURE(features.write_without_signal);
            Disposition const disposition{SIGPIPE, handler};
            signals_seen = 0;
            auto pipe = make_pipe();
            pipe.reader.reset();
            for (int count = 0; count < 3; ++count) {
                auto const result = write_without_signal(pipe.writer.get(), "bytes", features);
                CHECK(result == WriteResult{0, EPIPE});
                CHECK(result.reader_gone());
            }
            CHECK(signals_seen == 0);
            CHECK_FALSE(is_pending());
            CHECK_FALSE(is_blocked());
        }
}

TEST_CASE("A pipe signal of the host that was waiting before a write is still waiting after it") {
    for (auto const& features : both_ways()) {
        CAPTURE(features.write_without_signal);
        Disposition const disposition{SIGPIPE, count_signal};
        signals_seen = 0;
        auto const set = pipe_signal();
        ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
        ::pthread_kill(::pthread_self(), SIGPIPE);
        auto pipe = make_pipe();
        pipe.reader.reset();
        CHECK(write_without_signal(pipe.writer.get(), "bytes", features).reader_gone());
        CHECK(is_blocked());
        CHECK(is_pending());
        ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        CHECK(signals_seen == 1);
    }
}

TEST_CASE("A full pipe takes a part and then nothing") {
    for (auto const& features : both_ways()) {
        CAPTURE(features.write_without_signal);
        auto const pipe = make_pipe();
        make_non_blocking(pipe.writer);
        std::string const much(std::size_t{1} << 24, 'x');
        auto const first = write_without_signal(pipe.writer.get(), much, features);
        CHECK(first.error == 0);
        CHECK(first.bytes > 0);
        CHECK(first.bytes < much.size());
        auto const second = write_without_signal(pipe.writer.get(), much, features);
        CHECK(second.bytes == 0);
        CHECK(second.would_block());
        CHECK_FALSE(second.reader_gone());
    }
}

TEST_CASE("What cannot be written to is an error with its number") {
    for (auto const& features : both_ways()) {
        auto const pipe = make_pipe();
        CHECK(write_without_signal(-1, "bytes", features) == WriteResult{0, EBADF});
        CHECK(write_without_signal(pipe.reader.get(), "bytes", features) == WriteResult{0, EBADF});
    }
}

TEST_CASE("A program that exits without reading 16 MiB of input raises no signal in the host") {
    for (auto const& features : both_ways())
        for (auto* const handler : {&count_signal, SIG_DFL}) {
            CAPTURE(features.write_without_signal);
            Disposition const disposition{SIGPIPE, handler};
            signals_seen = 0;
            std::string const input(std::size_t{16} << 20, 'x');
            auto job = process_support::shell("exit 7");
            job.input = input;
            auto child = process_support::start(job, features);
            auto written = child.input_written;
            CHECK(written > 0);
            WriteResult last;
            while (!last.reader_gone() && written < input.size()) {
                ::pollfd entry{child.input.get(), POLLOUT, 0};
                ::poll(&entry, 1, -1);
                last = write_without_signal(child.input.get(), std::string_view{input}.substr(written),
                                            features);
                written += last.bytes;
            }
            CHECK(last.reader_gone());
            CHECK(process_support::wait_status(child) == 7);
            CHECK(signals_seen == 0);
        }
}
