// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/file_descriptor.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <utility>

#include <fcntl.h>

using longshore::detail::FileDescriptor;

static_assert(!std::is_copy_constructible_v<FileDescriptor> && !std::is_copy_assignable_v<FileDescriptor>);
static_assert(std::is_nothrow_move_constructible_v<FileDescriptor>);

namespace {

int open_null() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }
bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

} // namespace

TEST_CASE("A file descriptor is closed with its owner") {
    auto const number = open_null();
    {
        FileDescriptor const owner{number};
        CHECK(owner.valid());
        CHECK(owner.get() == number);
        CHECK(is_open(number));
    }
    CHECK_FALSE(is_open(number));
}

TEST_CASE("A moved file descriptor has one owner, and assignment closes what was held") {
    FileDescriptor first{open_null()};
    auto const number = first.get();
    FileDescriptor second{std::move(first)};
    CHECK_FALSE(first.valid());
    CHECK(second.get() == number);

    FileDescriptor third{open_null()};
    auto const replaced = third.get();
    third = std::move(second);
    CHECK_FALSE(is_open(replaced));
    CHECK(third.get() == number);

    auto& same = third;
    third = std::move(same);
    CHECK(third.get() == number);
    CHECK(is_open(number));
}

TEST_CASE("A released file descriptor stays open") {
    FileDescriptor owner{open_null()};
    auto const number = owner.release();
    CHECK_FALSE(owner.valid());
    CHECK(is_open(number));
    owner.reset(number);
    owner.reset();
    CHECK_FALSE(is_open(number));
}
