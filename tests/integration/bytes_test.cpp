// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <longshore/process/process_launcher.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>

using longshore::LaunchOutcome;
using longshore::ProcessLauncher;
using longshore::Reached;
using namespace longshore_test;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Every byte value, in an order that no line end, no text encoding and no terminal would leave alone.
std::string every_byte(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t index = 0; index < size; ++index)
        bytes[index] = static_cast<char>((index * 167 + index / 256) & 0xFFU);
    return bytes;
}

LaunchOutcome run(Place const& place, std::string script, std::string input) {
    auto request = place.request({"sh", "-c", std::move(script)});
    request.input = std::move(input);
    return ProcessLauncher{}.run(request);
}

// Without this, doctest would print megabytes when they differ.
bool same(std::string const& left, std::string const& right) { return left == right; }

} // namespace

TEST_CASE("every byte value passes unchanged: in, out, and on standard error") {
    in_every_place([](Place const& place) {
        auto const input = every_byte(4096) + "\r\n\033[0m\xff\xc0 no newline at the end";
        auto const outcome = run(place, "tee /dev/stderr", input);
        CHECK(outcome.command_exit == 0);
        CHECK(same(outcome.output.bytes, input));
        CHECK(same(outcome.error.bytes, input));
        CHECK(outcome.output.complete);
        CHECK(outcome.error.complete);
        CHECK(outcome.transport_noise == "");
    });
}

TEST_CASE("a tool that ignores 4 MiB of input keeps its own exit status") {
    in_every_place([](Place const& place) {
        auto const outcome = run(place, "echo done; exit 7", every_byte(4 * mebibyte));
        CHECK(outcome.reached == Reached::end);
        CHECK(outcome.command_exit == 7);
        CHECK(outcome.output.bytes == "done\n");
        CHECK(outcome.error.bytes == "");
    });
}

TEST_CASE("binary output comes as text with replacements, and as the bytes that it was") {
    in_every_place([](Place const& place) {
        auto executor = place.shell("printf 'a\\000\\377\\376\\033[0m\\r\\nb'");
        auto const result = executor.execute_tool("binary", boost::json::object{});
        REQUIRE_MESSAGE(result, result.error());
        CHECK(result.standard_output().bytes == std::string{"a\0\xff\xfe\033[0m\r\nb", 11});
        CHECK(
            result.output() ==
            boost::json::object{{"raw_output", std::string{"a\0\xef\xbf\xbd\xef\xbf\xbd\033[0m\r\nb", 15}}});
    });
}
