// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_CAPABILITY_HPP
#define LONGSHORE_TOOL_CAPABILITY_HPP

namespace longshore::inline v0 {

/// What a tool does to the files of a project. It is the tool's own word, and no sandbox.
/// Source: inline-tool-executor.md, "Write Guard".
struct ToolCapability {
    bool reads = true;
    bool writes = false;

    friend bool operator==(ToolCapability const&, ToolCapability const&) = default;
};

} // namespace longshore::inline v0

#endif
