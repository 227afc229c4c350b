// SPDX-License-Identifier: BSL-1.0
#include "call_machine_support.hpp"

#include <longshore/launch/call_machine.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace std::chrono_literals;
using longshore::CallMachine;
using longshore::Ended;
using longshore::Flow;
using longshore::Instant;
using longshore::LaunchRequest;
using longshore::Reached;
using longshore::Stream;
using namespace call_machine_support;

TEST_CASE("a sink sees every byte of the command and none of the transport, and can stop it") {
    std::string seen;
    auto asked = request();
    asked.output.keep = 0;
    asked.output.sink = [&seen](std::string_view bytes) {
        seen += bytes;
        return seen.ends_with("enough") ? Flow::stop : Flow::go_on;
    };
    auto machine = machine_for(asked);
    machine.received(Stream::output, "noise" + word + "begin 7 8\nfirst ", start);
    CHECK_FALSE(machine.wants().close_input);
    machine.received(Stream::output, "enough", start);
    CHECK(machine.wants().close_input);
    machine.received(Stream::output, "more", start);
    CHECK(seen == "first enough");
    auto const outcome = std::move(machine).finish(start);
    CHECK(outcome.ended == Ended::stopped_by_sink);
    CHECK(outcome.output.bytes.empty());
    CHECK(outcome.output.total == std::strlen("first enoughmore"));
    CHECK(outcome.output.cut);
}

TEST_CASE("a sink or a source that throws ends the call, and what it threw is kept") {
    auto asked = request();
    SUBCASE("sink") {
        asked.output.sink = [](std::string_view) -> Flow { throw std::runtime_error{"sink"}; };
    }
    SUBCASE("source") {
        asked.input = longshore::InputStream{
            100, [](std::span<char>) -> std::size_t { throw std::runtime_error{"source"}; }};
    }
    SUBCASE("source that ends too early") {
        asked.input = longshore::InputStream{100, [](std::span<char>) { return std::size_t{0}; }};
    }
    auto machine = machine_for(asked);
    both(machine, "begin 7 8");
    write_all(machine);
    machine.received(Stream::output, "x", start);
    CHECK(machine.wants().close_input);
    CHECK(machine.failure() != nullptr);
}

TEST_CASE("more output than is accepted ends the command, and what was kept is cut") {
    auto asked = request();
    asked.output.keep = 4;
    asked.output.accept = 6;
    auto machine = machine_for(asked);
    both(machine, "begin 7 8");
    machine.received(Stream::output, "123456", start);
    CHECK_FALSE(machine.wants().close_input);
    machine.received(Stream::output, "7", start);
    CHECK(machine.wants().close_input);
    auto const outcome = std::move(machine).finish(start);
    CHECK(outcome.ended == Ended::limit);
    CHECK(outcome.output.bytes == "1234");
    CHECK(outcome.output.total == 7);
    CHECK(outcome.output.cut);
}

TEST_CASE("input that nobody reads is no failure") {
    auto asked = request(std::string(1 << 20, 'x'));
    auto machine = machine_for(asked);
    machine.written(100, start);
    machine.input_refused(start);
    CHECK(machine.wants().write.empty());
    CHECK(machine.wants().close_input);
    both(machine, "begin 7 8");
    both(machine, "end 7");
    close_all(machine, 0, start);
    auto const outcome = std::move(machine).finish(start);
    CHECK(outcome.command_exit == 7);
    CHECK(outcome.ended == Ended::exited);
}

TEST_CASE("a pulled input is asked for a chunk at a time, in order, and exactly as much as was announced") {
    std::string given;
    auto asked = request();
    asked.guarded = false;
    asked.input = longshore::InputStream{200'000, [&given](std::span<char> room) {
                                             auto const count = (std::min)(room.size(), std::size_t{7'777});
                                             for (auto& byte : room.first(count)) {
                                                 byte = char('a' + given.size() % 26);
                                                 given += byte;
                                             }
                                             return count;
                                         }};
    auto machine = machine_for(asked);
    std::string written;
    while (!machine.wants().write.empty()) {
        auto const piece = machine.wants().write.substr(0, 5'000);
        written += piece;
        machine.written(piece.size(), start);
    }
    CHECK(written.size() == 200'000);
    CHECK(written == given);
    CHECK(machine.wants().close_input);
}

TEST_CASE("what could still have become a word is output after all when a pipe is given up") {
    auto const asked = request();
    auto machine = machine_for(asked);
    both(machine, "begin 7 8");
    machine.received(Stream::output, "partial \036MARK", start);
    machine.received(Stream::error, "\036", start);
    machine.exited(0, start);
    machine.time(start + 500ms);
    CHECK_FALSE(machine.wants().read_output);
    auto const outcome = std::move(machine).finish(start + 500ms);
    CHECK(outcome.output.bytes == "partial \036MARK");
    CHECK(outcome.output.total == std::strlen("partial \036MARK"));
    CHECK_FALSE(outcome.output.complete);
    CHECK(outcome.error.bytes == "\036");
}
