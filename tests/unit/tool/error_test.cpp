// SPDX-License-Identifier: BSL-1.0
#include <longshore/tool/error.hpp>

#include <doctest/doctest.h>

#include <string>

SCENARIO("ToolError carries structured context attributes") {
    longshore::ToolError const error{"file_read", "not_found", "no such tool is registered"};
    CHECK(error.tool_name() == "file_read");
    CHECK(error.error_type() == "not_found");
    CHECK(error.details() == "no such tool is registered");
    CHECK(std::string{error.what()} == "tool 'file_read': no such tool is registered");
}
