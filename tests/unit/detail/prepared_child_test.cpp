// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/prepared_child.hpp>

#include "process_support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/resource.h>

using namespace longshore::detail;

namespace {

std::string text_of(PreparedChild const& child, StartFailure const& failure) {
    try {
        throw_start_error(child, failure);
    } catch (std::system_error const& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("No limit asked for is no limit set") { CHECK(process_limits({}).empty()); }

TEST_CASE("A limit of zero is a limit") {
    auto const limits = process_limits({.file_bytes = 0});
    REQUIRE(limits.size() == 1);
    CHECK(limits.front().resource == RLIMIT_FSIZE);
    CHECK(limits.front().value.rlim_cur == 0);
    CHECK(limits.front().value.rlim_max == 0);
}

TEST_CASE("The hard limit of processor time leaves a second for the signal that tells why") {
    auto const limits = process_limits({.cpu_seconds = 5});
    REQUIRE(limits.size() == 1);
    CHECK(limits.front().value.rlim_cur == 5);
    CHECK(limits.front().value.rlim_max == 6);
}

TEST_CASE("A search for descriptors is bounded whatever the limit is") {
    CHECK(process_support::in_own_process([] {
        ::rlimit low{64, 64};
        if (descriptor_search_bound() > 65536) return false;
        ::setrlimit(RLIMIT_NOFILE, &low);
        return descriptor_search_bound() == 64;
    }));
}

TEST_CASE("A list for exec ends in a null pointer") {
    std::vector<std::string> const texts{"a", "", "b c"};
    auto const pointers = c_strings(texts, "a text");
    REQUIRE(pointers.size() == 4);
    CHECK(std::equal(texts.begin(), texts.end(), pointers.begin(), [](auto const& text, auto const* pointer) {
        return std::string_view{pointer} == text;
    }));
    CHECK(pointers.back() == nullptr);
    CHECK(c_strings({}, "a text") == std::vector<char*>{nullptr});
}

TEST_CASE("The text of a failed start tells the step at which it failed") {
    std::string program = "/bin/program";
    PreparedChild child;
    child.arguments = {program.data(), nullptr};
    child.directory = "/work";
    CHECK(text_of(child, {StartStage::program, ENOENT}) ==
          "cannot start /bin/program: No such file or directory");
    CHECK(text_of(child, {StartStage::directory, ENOTDIR}) ==
          "cannot start /bin/program: cannot enter the working directory /work: Not a directory");
    CHECK(text_of(child, {StartStage::limits, EPERM}) ==
          "cannot start /bin/program: cannot set its resource limits: Operation not permitted");
    CHECK(text_of(child, {StartStage::none, EAGAIN}) ==
          "cannot start /bin/program in /work: Resource temporarily unavailable");
}
