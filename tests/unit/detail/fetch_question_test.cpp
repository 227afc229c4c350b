// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/fetch_question.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using longshore::InputStream;
using longshore::LaunchRequest;
using longshore::SyncLimits;
using longshore::detail::FetchQuestion;

namespace {

LaunchRequest request(FetchQuestion const& question) {
    LaunchRequest request;
    request.command.arguments = question.arguments();
    request.input = question.input();
    return request;
}

} // namespace

TEST_CASE("a question comes back from the request that asks it") {
    for (bool const tree : {false, true})
        for (bool const totals : {false, true}) {
            FetchQuestion const question{
                .mark = "0123",
                .tree = tree,
                .totals = totals,
                .paths = tree ? std::vector<std::string>{"/w\nx"}
                              : std::vector<std::string>{"/w/a", "/w/b\n", "/w/a"},
                .limits = {.file_bytes = 1, .total_bytes = 2, .entries = 3, .depth = 4}};
            auto const read = FetchQuestion::of(request(question));
            REQUIRE(read);
            CHECK(read->mark == "0123");
            CHECK(read->tree == tree);
            CHECK(read->totals == totals);
            CHECK(read->paths == question.paths);
            CHECK(read->limits.file_bytes == 1);
            CHECK(read->limits.total_bytes == 2);
            CHECK(read->limits.entries == 3);
            CHECK(read->limits.depth == 4);
        }
}

TEST_CASE("the mark and the paths stand in no argument") {
    FetchQuestion const question{.mark = "0123456789", .paths = {"/workspace/secret"}};
    for (auto const& argument : question.arguments()) {
        CHECK(argument.find("0123456789") == std::string::npos);
        CHECK(argument.find("/workspace/secret") == std::string::npos);
    }
    CHECK(question.input() == "0123456789\n1\n/workspace/secret\n");
}

TEST_CASE("limits are told in numbers that every shell can count with") {
    constexpr auto most = (std::numeric_limits<std::uint64_t>::max)();
    FetchQuestion const question{.limits = {.file_bytes = most, .total_bytes = most}};
    CHECK(question.arguments()[5] == "4611686018427387904");
    CHECK(question.arguments()[6] == "4611686018427387904");
}

TEST_CASE("other requests ask for no files") {
    LaunchRequest other;
    CHECK_FALSE(FetchQuestion::of(other));
    other.command.arguments = {"sh", "-c", "exit", "other", "list", "1", "2", "3", "4", "plain"};
    CHECK_FALSE(FetchQuestion::of(other));
    other = request({});
    other.input = InputStream{};
    CHECK_FALSE(FetchQuestion::of(other));
}
