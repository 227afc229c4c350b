// SPDX-License-Identifier: BSL-1.0
#include <longshore/process/process_launcher.hpp>

#include <support/launch.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/resource.h>

using longshore::Ended;
using longshore::Flow;
using longshore::InputStream;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::ProcessLauncher;
using longshore::Reached;
using support::guarded_and_not;
using support::on_host;
using support::script_on_host;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

LaunchOutcome run(LaunchRequest const& request) { return ProcessLauncher{}.run(request); }

// Bytes of which each block differs from the next.
std::string bytes_of(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < size; ++at)
        bytes[at] = static_cast<char>((at >> 12U) ^ at);
    return bytes;
}

// A source of such bytes that counts how it is asked.
struct Source {
    std::size_t given = 0;
    std::size_t asked = 0;

    InputStream stream(std::uint64_t length) {
        return {length, [this](std::span<char> room) {
                    ++asked;
                    auto const size = (std::min)(room.size(), std::size_t{10000});
                    for (auto& byte : room.first(size)) {
                        byte = static_cast<char>((given >> 12U) ^ given);
                        ++given;
                    }
                    return size;
                }};
    }
};

} // namespace

TEST_CASE("tens of megabytes go through a command both ways at once") {
    auto const bytes = bytes_of(64 * mebibyte);
    for (auto request : guarded_and_not(on_host({"/bin/cat"}))) {
        CAPTURE(request.guarded);
        request.input = bytes;
        request.output.keep = bytes.size();
        auto const outcome = run(request);
        CHECK(outcome.ended == Ended::exited);
        CHECK(outcome.exit_code() == 0);
        CHECK(outcome.output.total == bytes.size());
        CHECK((outcome.output.bytes == bytes));
        CHECK_FALSE(outcome.output.cut);
        CHECK(outcome.output.complete);
    }
}

TEST_CASE("output beyond what is kept is counted, and the command is not disturbed") {
    for (auto request : guarded_and_not(script_on_host("head -c 5000000 /dev/zero; echo x >&2; exit 4"))) {
        CAPTURE(request.guarded);
        for (std::size_t const keep : {std::size_t{0}, std::size_t{1}, std::size_t{70000}}) {
            request.output.keep = keep;
            auto const outcome = run(request);
            CHECK(outcome.output.total == 5000000);
            CHECK(outcome.output.bytes == std::string(keep, '\0'));
            CHECK(outcome.output.cut);
            CHECK(outcome.output.complete);
            CHECK(outcome.error.bytes == "x\n");
            CHECK(outcome.exit_code() == 4);
        }
    }
}

TEST_CASE("a megabyte on stderr and then one on stdout do not block the command") {
    for (auto const& request : guarded_and_not(
             script_on_host("head -c 1048576 /dev/zero >&2; head -c 1048576 /dev/zero; exit 9"))) {
        CAPTURE(request.guarded);
        auto const outcome = run(request);
        CHECK(outcome.output.bytes.size() == mebibyte);
        CHECK(outcome.error.bytes.size() == mebibyte);
        CHECK(outcome.exit_code() == 9);
    }
}

TEST_CASE("empty input ends at once, and a command waits for its end as long as it likes") {
    for (auto request : guarded_and_not(script_on_host("cat; echo after"))) {
        CAPTURE(request.guarded);
        CHECK(run(request).output.bytes == "after\n");
        request.input = "before ";
        CHECK(run(request).output.bytes == "before after\n");
        request.input = InputStream{};
        CHECK(run(request).output.bytes == "after\n");
    }
}

TEST_CASE("a command that exits without reading its input is told by its exit status alone") {
    for (int const status : {0, 7})
        for (auto request : guarded_and_not(script_on_host("exit " + std::to_string(status)))) {
            CAPTURE(request.guarded);
            request.input = std::string(16 * mebibyte, 'x');
            auto const outcome = run(request);
            CHECK(outcome.ended == Ended::exited);
            CHECK(outcome.exit_code() == status);
        }
}

TEST_CASE("line ends and every byte come through unchanged, both ways") {
    std::string bytes = "a\r\nb\rc\n\n";
    for (int byte = 0; byte < 256; ++byte)
        bytes += static_cast<char>(byte);
    for (auto request : guarded_and_not(script_on_host("tee /dev/stderr"))) {
        request.input = bytes;
        auto const outcome = run(request);
        CHECK(outcome.output.bytes == bytes);
        CHECK(outcome.error.bytes == bytes);
    }
}

TEST_CASE("no stream of a command is a terminal") {
    for (auto const& request :
         guarded_and_not(script_on_host("for i in 0 1 2; do [ -t $i ] && echo $i; done; true")))
        CHECK(run(request).output.bytes.empty());
}

TEST_CASE("merged, both streams are one in the order written") {
    for (auto request : guarded_and_not(script_on_host("for i in 1 2 3; do echo o$i; echo e$i >&2; done"))) {
        CAPTURE(request.guarded);
        request.merge_error = true;
        auto const outcome = run(request);
        CHECK(outcome.output.bytes == "o1\ne1\no2\ne2\no3\ne3\n");
        CHECK(outcome.error.bytes.empty());
        CHECK(outcome.error.complete);
    }
}

TEST_CASE("a pulled input comes through exactly, and is pulled no faster than it is read") {
    for (auto request : guarded_and_not(on_host({"/bin/cat"}))) {
        Source source;
        request.input = source.stream(3 * mebibyte + 1);
        request.output.keep = 4 * mebibyte;
        CHECK((run(request).output.bytes == bytes_of(3 * mebibyte + 1)));
        CHECK(source.given == 3 * mebibyte + 1);
    }
    auto request = script_on_host("exec sleep 1000");
    request.guarded = false; // the guard takes what it can hold
    request.timeout = std::chrono::milliseconds{300};
    Source source;
    request.input = source.stream(1000 * mebibyte);
    CHECK(run(request).ended == Ended::timed_out);
    CHECK(source.given <= 3 * mebibyte); // a grown pipe and a chunk
}

TEST_CASE("a source that throws ends the call, and what it threw comes out once nothing is left") {
    for (auto request : guarded_and_not(script_on_host("cat; sleep 1000"))) {
        CAPTURE(request.guarded);
        int calls = 0;
        request.input = InputStream{100, [&](std::span<char> room) -> std::size_t {
                                        if (++calls == 2) throw std::runtime_error{"no more"};
                                        room.front() = 'x';
                                        return 1;
                                    }};
        CHECK_THROWS_WITH_AS(run(request), "no more", std::runtime_error);
        CHECK(calls == 2);
    }
}

TEST_CASE("a source that ends early, or overruns its room, ends the call") {
    for (auto request : guarded_and_not(script_on_host("cat; sleep 1000"))) {
        CAPTURE(request.guarded);
        request.input = InputStream{100, [](std::span<char>) { return std::size_t{0}; }};
        CHECK_THROWS_AS(run(request), longshore::ValueError);
        request.input = InputStream{100, [](std::span<char> room) { return room.size() + 1; }};
        CHECK_THROWS_AS(run(request), longshore::ValueError);
    }
}

TEST_CASE("a sink gets every byte in order, also of what is not kept") {
    for (auto request :
         guarded_and_not(script_on_host("head -c 1000000 /dev/zero | tr '\\0' x; printf e >&2"))) {
        CAPTURE(request.guarded);
        std::string output;
        std::string error;
        request.output = {.keep = 10, .sink = [&](std::string_view bytes) {
                              output += bytes;
                              return Flow::go_on;
                          }};
        request.error.sink = [&](std::string_view bytes) {
            error += bytes;
            return Flow::go_on;
        };
        auto const outcome = run(request);
        CHECK((output == std::string(1000000, 'x')));
        CHECK(error == "e");
        CHECK(outcome.output.bytes == std::string(10, 'x'));
    }
}

TEST_CASE("a sink can stop the command, and one that throws does") {
    for (auto request : guarded_and_not(script_on_host("echo line; sleep 1000"))) {
        CAPTURE(request.guarded);
        request.output.sink = [](std::string_view) { return Flow::stop; };
        auto const outcome = run(request);
        CHECK(outcome.ended == Ended::stopped_by_sink);
        CHECK(outcome.output.bytes == "line\n");
        CHECK(outcome.everything_killed == true);
        request.output.sink = [](std::string_view) -> Flow { throw std::runtime_error{"full"}; };
        CHECK_THROWS_WITH_AS(run(request), "full", std::runtime_error);
    }
}

TEST_CASE("more output than is accepted ends the command") {
    for (auto request : guarded_and_not(on_host({"/usr/bin/yes"}))) {
        CAPTURE(request.guarded);
        request.output.keep = 1000;
        request.output.accept = 100000;
        auto const outcome = run(request);
        CHECK(outcome.ended == Ended::limit);
        CHECK(outcome.output.bytes.size() == 1000);
        CHECK(outcome.output.total > 100000);
        CHECK(outcome.everything_killed == true);
    }
}

TEST_CASE("memory stays bounded however much a command writes, and however slowly a sink takes it") {
    auto const peak = [] {
        ::rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
    };
    auto const before = peak();
    for (auto request : guarded_and_not(script_on_host("head -c 200000000 /dev/zero"))) {
        std::uint64_t seen = 0;
        request.output = {.keep = 0, .sink = [&](std::string_view bytes) {
                              if (seen == 0) ::poll(nullptr, 0, 100); // the command runs ahead, if it can
                              seen += bytes.size();
                              return Flow::go_on;
                          }};
        CHECK(run(request).output.total == 200000000);
        CHECK(seen == 200000000);
    }
    CHECK(peak() < before + 40 * mebibyte);
}
