// SPDX-License-Identifier: BSL-1.0
#include <longshore/process/any_launcher.hpp>
#include <longshore/testing/mock_launcher.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>

using longshore::AnyLauncher;
using longshore::LaunchOutcome;
using longshore::LaunchRequest;
using longshore::MockLauncher;

namespace {

// A launcher that can only be moved.
struct OwningLauncher {
    std::unique_ptr<int> status = std::make_unique<int>(7);
    LaunchOutcome run(LaunchRequest const&) { return {.transport_exit = *status}; }
};

static_assert(std::is_nothrow_move_constructible_v<AnyLauncher>);
static_assert(!std::is_copy_constructible_v<AnyLauncher>);
static_assert(!std::is_constructible_v<AnyLauncher, int>);

} // namespace

TEST_CASE("AnyLauncher runs what it holds, and can hold another one later") {
    MockLauncher const mock;
    MockLauncher{mock}.prints("hello").fails_to_start(EAGAIN);
    AnyLauncher launcher{mock};
    CHECK(launcher.run({}).output.bytes == "hello");
    CHECK_THROWS_AS(launcher.run({}), std::system_error);
    CHECK(mock.runs() == 2);
    launcher = OwningLauncher{};
    auto moved = std::move(launcher);
    CHECK(moved.run({}).transport_exit == 7);
}
