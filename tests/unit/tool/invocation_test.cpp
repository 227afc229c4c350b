// SPDX-License-Identifier: BSL-1.0
#include <longshore/tool/invocation.hpp>

#include <doctest/doctest.h>

using longshore::ToolInvocation;

SCENARIO("ToolInvocation has container_metadata field") {
    ToolInvocation const invocation{
        .tool_name = "lint",
        .container_metadata = boost::json::object{{"container_id", "abc123"}, {"image", "node:20"}}};
    REQUIRE(invocation.container_metadata.has_value());
    CHECK(invocation.container_metadata->at("container_id") == "abc123");
    CHECK(invocation.container_metadata->at("image") == "node:20");
}

SCENARIO("ToolInvocation container_metadata defaults to None") {
    ToolInvocation const invocation{.tool_name = "lint"};
    CHECK_FALSE(invocation.container_metadata.has_value());
}
