// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/pipe_growth.hpp>

#include <longshore/detail/pipe.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include <fcntl.h>

using longshore::detail::make_pipe;
using longshore::detail::Pipe;
using longshore::detail::PipeGrowth;

namespace {

int size_of(Pipe const& pipe) { return ::fcntl(pipe.writer.get(), F_GETPIPE_SZ); }

} // namespace

TEST_CASE("At most eight pipes of the process are grown at once") {
    std::vector<Pipe> pipes;
    std::vector<PipeGrowth> growths;
    for (int count = 0; count < PipeGrowth::most_at_once; ++count) {
        pipes.push_back(make_pipe());
        growths.emplace_back(pipes.back().writer.get());
        REQUIRE(growths.back().grown());
        CHECK(size_of(pipes.back()) == PipeGrowth::size);
    }
    auto const ninth = make_pipe();
    auto const born = size_of(ninth);
    CHECK_FALSE(PipeGrowth{ninth.writer.get()}.grown());
    CHECK(size_of(ninth) == born);

    growths.pop_back();
    CHECK(PipeGrowth{ninth.writer.get()}.grown());
    CHECK(size_of(ninth) == PipeGrowth::size);
}

TEST_CASE("Growth that fails is ignored and takes no place") {
    for (int count = 0; count < 2 * PipeGrowth::most_at_once; ++count)
        CHECK_FALSE(PipeGrowth{-1}.grown());
    auto const pipe = make_pipe();
    CHECK(PipeGrowth{pipe.writer.get()}.grown());
}

TEST_CASE("A place of growth moves with its owner") {
    auto const pipe = make_pipe();
    PipeGrowth first{pipe.writer.get()};
    PipeGrowth second{std::move(first)};
    CHECK_FALSE(first.grown());
    CHECK(second.grown());
    second = PipeGrowth{};
    CHECK_FALSE(second.grown());
    for (int count = 0; count < 2 * PipeGrowth::most_at_once; ++count)
        CHECK(PipeGrowth{pipe.writer.get()}.grown());
}
