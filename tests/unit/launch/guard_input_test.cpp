// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

using support::GuardedProcess;
using support::run;
using support::script_tool;
using support::shells;
using support::tool;

namespace {

// Bytes without a period that any block size would share, zeros and newlines among them.
std::string bytes_of(std::size_t size) {
    std::string bytes(size, '\0');
    std::uint32_t state = 12345;
    for (auto& byte : bytes) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<char>(state >> 24U);
    }
    return bytes;
}

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

} // namespace

TEST_CASE("a tool reads exactly the announced input and then its end") {
    for (auto const& shell : shells())
        for (std::size_t const size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{4097},
                                       std::size_t{65536}, 5 * mebibyte}) {
            CAPTURE(shell.name);
            CAPTURE(size);
            auto call = tool({"cat"});
            call.input = bytes_of(size);
            auto const result = run(shell, call);
            CHECK(result.output.size() == size);
            CHECK((result.output == call.input)); // not shown: megabytes
            CHECK(result.error.empty());
            CHECK(result.end == "end 0");
            CHECK(result.verdict == "gone");
        }
}

TEST_CASE("bytes beyond the announced ones are the tool's never") {
    for (auto const& shell : shells())
        for (std::size_t const size : {std::size_t{0}, std::size_t{3}, std::size_t{5000}}) {
            CAPTURE(shell.name);
            CAPTURE(size);
            auto call = tool({"cat"});
            call.input = std::string(size, 'x');
            GuardedProcess guarded{shell, call};
            guarded.process().send("more than was announced\n");
            CHECK(support::finish(guarded).output == call.input);
        }
}

TEST_CASE("input that a tool does not read, or not to the end, changes nothing") {
    for (auto const& shell : shells())
        for (std::size_t const size : {std::size_t{4096}, std::size_t{65536}, 5 * mebibyte}) {
            CAPTURE(shell.name);
            CAPTURE(size);
            auto const with_input = [&](support::GuardedCall call) {
                call.input = std::string(size, 'x');
                return run(shell, call);
            };
            auto const none = with_input(script_tool("exit 7"));
            CHECK(none.end == "end 7");
            CHECK(none.error.empty());
            auto const some = with_input(tool({"head", "-c", "3"}));
            CHECK(some.output == "xxx");
            CHECK(some.end == "end 0");
            auto const closed = with_input(script_tool("exec <&-; echo closed"));
            CHECK(closed.output == "closed\n");
            CHECK(closed.error.empty());
            CHECK(closed.verdict == "gone");
        }
}

TEST_CASE("the input is taken off stdin at once, even when the tool does not read it") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = script_tool("echo ready; exec sleep 1000");
        call.input = std::string(5 * mebibyte, 'x');
        GuardedProcess guarded{shell, call};
        CHECK(guarded.wait_for_output("ready\n"));
        CHECK(guarded.process().pump_until([&] { return guarded.process().took_everything(); }));
        CHECK(guarded.give_up() == 0);
        CHECK(guarded.word("gone"));
        CHECK(guarded.word("end") == "end 137");
    }
}

TEST_CASE("a header that is not complete starts nothing") {
    auto const start = [](support::Shell const& shell, std::string const& header) {
        auto call = script_tool("echo started");
        support::PipedProcess process{support::guard_arguments(shell, call), call.environment};
        process.send(header);
        process.close_input();
        auto const status = process.wait_for_end();
        CHECK(process.output().empty());
        CHECK(process.error().empty());
        return status;
    };
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        for (std::string const header :
             {"", "MARK", "MARK ID 0 0", "MARK ID 0", "MARK\n", "MARK ID\n", "MARK ID 0\n", "MARK ID x 0\n",
              "MARK ID 0 x\n", "MARK ID 0 1\n", "MARK ID 0 1\n1\n", "MARK ID 0 1\n1\nA=b",
              "MARK ID 0 1\n2\nA=b\n", "MARK ID 0 2\n1\nA=b\n", "MARK ID 0 0 0\n"}) {
            CAPTURE(header);
            CHECK(start(shell, header) == 125);
        }
    }
}
