// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_RESULT_HPP
#define LONGSHORE_TOOL_RESULT_HPP

#include <longshore/json/boost_json.hpp>
#include <longshore/tool/basic_result.hpp>

namespace longshore::inline v0 {

/// A result whose output and metadata are values of Boost.JSON.
using ToolResult = BasicToolResult<BoostJson>;

} // namespace longshore::inline v0

#endif
