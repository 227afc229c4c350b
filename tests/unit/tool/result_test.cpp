// SPDX-License-Identifier: BSL-1.0
#include <longshore/tool/result.hpp>

#include <doctest/doctest.h>

TEST_CASE("ToolResult holds values of Boost.JSON") {
    auto result = longshore::ToolResult::success({{"path", "/tmp/sandbox/a"}});
    boost::json::object const& output = result.output();
    CHECK(output.at("path").as_string() == "/tmp/sandbox/a");
}
