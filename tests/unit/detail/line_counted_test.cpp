// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/line_counted.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using longshore::detail::line_counted;
using longshore::detail::take_line;
using longshore::detail::take_line_counted;
using namespace std::string_view_literals;

TEST_CASE("texts of any lines are told with their count, and come back") {
    std::vector<std::string> const texts{"a", "", "\n", "a\nb", "\n\nb\n", "3", "1\n1\n", "\xff"};
    CHECK(line_counted("a\nb"sv) == "2\na\nb\n");
    CHECK(line_counted(std::vector<std::string>{"", "x"}) == "1\n\n1\nx\n");
    CHECK(take_line_counted(line_counted(texts)) == texts);
    CHECK(take_line_counted("").empty());
}

TEST_CASE("lines are taken one by one, the last without its end as well") {
    std::string_view rest{"a\n\nb"};
    CHECK(take_line(rest) == "a");
    CHECK(take_line(rest) == "");
    CHECK(take_line(rest) == "b");
    CHECK(rest.empty());
}
