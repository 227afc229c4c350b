// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/caught_exception.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include <pthread.h>
#include <unistd.h>

using longshore::detail::catching;
using longshore::detail::caught_exception_text;

namespace {

struct Trouble : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <typename Thrown>
std::string text_of(Thrown thrown) {
    return catching([&]() -> std::string { throw thrown; }, [] { return caught_exception_text(); });
}

} // namespace

TEST_CASE("an exception is named by its own type and text") {
    CHECK(text_of(std::out_of_range{"no such key"}) == "std::out_of_range: no such key");
    CHECK(text_of(Trouble{"x"}).find("Trouble: x") != std::string::npos);
    CHECK(text_of(7) == "an exception that is no std::exception");
    CHECK(catching([] { return 1; }, [] { return 2; }) == 1);
}

TEST_CASE("a thread that is cancelled in a call ends, and is no exception") {
    static bool caught = false;
    ::pthread_t thread{};
    REQUIRE(::pthread_create(
                &thread, nullptr,
                [](void*) -> void* {
                    catching([] { ::pause(); }, [] { caught = true; });
                    return nullptr;
                },
                nullptr) == 0);
    CHECK(::pthread_cancel(thread) == 0);
    void* ended = nullptr;
    CHECK(::pthread_join(thread, &ended) == 0);
    CHECK(ended == PTHREAD_CANCELED);
    CHECK_FALSE(caught);
}
