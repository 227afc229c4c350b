// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_INVOCATION_HPP
#define LONGSHORE_TOOL_INVOCATION_HPP

#include <longshore/json/boost_json.hpp>
#include <longshore/tool/basic_invocation.hpp>
#include <longshore/tool/result.hpp>

namespace longshore::inline v0 {

/// An execution whose inputs and result are values of Boost.JSON.
using ToolInvocation = BasicToolInvocation<BoostJson>;

} // namespace longshore::inline v0

#endif
