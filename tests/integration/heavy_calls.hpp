// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_INTEGRATION_HEAVY_CALLS_HPP
#define LONGSHORE_TESTS_INTEGRATION_HEAVY_CALLS_HPP

#include <integration/place.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

// Calls that move many bytes. The ordinary run makes them on few ways, the extended one on the others too.
namespace longshore_test {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

// A document that is still JSON when its end is cut off, and then says something else.
inline void is_cut_with_a_warning(Place const& place) {
    std::vector<std::string> warnings;
    longshore::Hooks hooks;
    hooks.log = [&](longshore::LogLevel level, std::string_view text) {
        if (level == longshore::LogLevel::warning) warnings.emplace_back(text);
    };
    auto executor =
        place.executor(place.config({"sh", "-c", "head -c 62914560 /dev/zero | tr '\\0' 1"}), hooks);
    auto const result = executor.execute_tool("number", boost::json::object{});

    REQUIRE_MESSAGE(result, result.error());
    CHECK(result.standard_output().total == 60 * mebibyte);
    CHECK(result.standard_output().truncated);
    CHECK(result.standard_output().bytes.size() == 50 * mebibyte);
    REQUIRE(result.output().contains("raw_output"));
    CHECK(result.output().at("raw_output").as_string().size() == 50 * mebibyte);
    CHECK_FALSE(result.output_incomplete());
    CHECK(warnings ==
          std::vector<std::string>{"standard output of tool 'number' was truncated: 52428800 of 62914560 "
                                   "bytes are kept"});
    CHECK(result.container().value().standard_output().total == 60 * mebibyte);
}

// The 40 MiB are one JSON text in, and the same out.
inline void echoes_40_mebibytes(Place const& place) {
    std::string text(40 * mebibyte, 'x');
    for (std::size_t at = 0; at < text.size(); at += 4096)
        text[at] = static_cast<char>('A' + at / 4096 % 26);
    auto executor = place.shell("exec cat");
    auto const result = executor.execute_tool("cat", boost::json::object{{"text", text}});
    REQUIRE_MESSAGE(result, result.error());
    CHECK((result.output() == boost::json::object{{"text", text}}));
}

inline constexpr int calls = 200;
inline constexpr int at_a_time = 6;

// `seq` from a start that only this call has: 100 KiB, in which no line is like another.
inline std::string numbers_from(int start) {
    std::string text;
    for (int number = start; text.size() < 102400; ++number)
        text += std::to_string(number) + '\n';
    return text;
}

struct Lost {
    std::atomic<int> calls = 0;
    std::atomic<int> bytes = 0;
    std::atomic<int> others = 0;
};

inline void call(Executor& executor, int number, Lost& lost) {
    auto const start = 1'000'000 + number * 20'000;
    auto const expected = numbers_from(start);
    auto const result = executor.execute_tool(std::to_string(start), boost::json::object{});
    if (!result) ++lost.calls;
    if (result.standard_output().bytes != expected) ++lost.bytes;
    if (result.standard_error().bytes != expected) ++lost.others;
}

// Both streams end at once and in full pipes, where a transport that exits too early loses the tail.
inline void loses_nothing(Place const& place) {
    auto executor =
        place.shell("seq $0 $(($0 + 12799)) >\"numbers.$0\"; cat \"numbers.$0\" >&2 & cat \"numbers.$0\"; "
                    "wait; rm \"numbers.$0\"");
    Lost lost;
    std::atomic<int> next = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < at_a_time; ++thread)
        threads.emplace_back([&] {
            for (int number = next++; number < calls; number = next++)
                call(executor, number, lost);
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(lost.calls == 0);
    CHECK(lost.bytes == 0);
    CHECK(lost.others == 0);
}

} // namespace longshore_test

#endif
