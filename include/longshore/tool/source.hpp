// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_SOURCE_HPP
#define LONGSHORE_TOOL_SOURCE_HPP

#include <cstdint>
#include <string_view>

namespace longshore::inline v0 {

/// Where a tool comes from.
/// Source: inline-tool-executor.md, "Language / Source Support".
enum class ToolSource : std::uint8_t {
    custom,      ///< written for this program or skill
    builtin,     ///< part of the program that runs it
    mcp,         ///< offered by a server of the Model Context Protocol
    agent_skill, ///< part of a skill
    wrapped      ///< another tool behind a shell of its own
};

/// The enumerator's name, such as `"agent_skill"`.
constexpr std::string_view to_string(ToolSource source) noexcept {
    switch (source) {
    case ToolSource::custom:
        return "custom";
    case ToolSource::builtin:
        return "builtin";
    case ToolSource::mcp:
        return "mcp";
    case ToolSource::agent_skill:
        return "agent_skill";
    case ToolSource::wrapped:
        return "wrapped";
    }
    return "unknown";
}

} // namespace longshore::inline v0

#endif
