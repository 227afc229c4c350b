// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/pipe.hpp>

#include <doctest/doctest.h>

#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

using longshore::detail::above_standard_streams;
using longshore::detail::FileDescriptor;
using longshore::detail::make_non_blocking;
using longshore::detail::make_pipe;

namespace {

bool is_non_blocking(FileDescriptor const& end) { return (::fcntl(end.get(), F_GETFL) & O_NONBLOCK) != 0; }
bool is_close_on_exec(FileDescriptor const& end) { return (::fcntl(end.get(), F_GETFD) & FD_CLOEXEC) != 0; }

} // namespace

TEST_CASE("Both ends of a pipe are close-on-exec and only the chosen one is non-blocking") {
    auto const pipe = make_pipe();
    make_non_blocking(pipe.writer);
    CHECK(is_close_on_exec(pipe.reader));
    CHECK(is_close_on_exec(pipe.writer));
    CHECK(is_non_blocking(pipe.writer));
    CHECK_FALSE(is_non_blocking(pipe.reader));
    CHECK(::fcntl(pipe.writer.get(), F_GETFL) == (O_WRONLY | O_NONBLOCK));
}

TEST_CASE("What is no pipe end cannot be made non-blocking") {
    CHECK_THROWS_AS(make_non_blocking(FileDescriptor{}), std::system_error);
}

TEST_CASE("A descriptor above the standard streams keeps its number") {
    auto pipe = make_pipe();
    auto const number = pipe.reader.get();
    CHECK(above_standard_streams(std::move(pipe.reader)).get() == number);
    CHECK_FALSE(above_standard_streams(FileDescriptor{}).valid());
}
