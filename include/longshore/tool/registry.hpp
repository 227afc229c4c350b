// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_REGISTRY_HPP
#define LONGSHORE_TOOL_REGISTRY_HPP

#include <longshore/json/boost_json.hpp>
#include <longshore/tool/basic_registry.hpp>
#include <longshore/tool/spec.hpp>

namespace longshore::inline v0 {

/// The tools of a program that uses Boost.JSON.
using ToolRegistry = BasicToolRegistry<BoostJson>;

} // namespace longshore::inline v0

#endif
