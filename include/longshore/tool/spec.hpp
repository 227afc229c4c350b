// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_SPEC_HPP
#define LONGSHORE_TOOL_SPEC_HPP

#include <longshore/json/boost_json.hpp>
#include <longshore/tool/basic_spec.hpp>

namespace longshore::inline v0 {

/// A tool whose inputs and output are values of Boost.JSON.
using ToolSpec = BasicToolSpec<BoostJson>;

} // namespace longshore::inline v0

#endif
