// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_ERROR_HPP
#define LONGSHORE_TOOL_ERROR_HPP

#include <longshore/detail/shown_text.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace longshore::inline v0 {

/// A tool that a runner cannot work with at all, such as one that no registry knows. A tool that fails is a
/// `ToolResult` instead.
/// Source: container_tool_exec.feature, "ToolError carries structured context attributes".
class ToolError : public std::runtime_error {
public:
    /// @param error_type a word for programs, such as `not_found`. @param details a sentence for people.
    ToolError(std::string tool_name, std::string error_type, std::string details)
        : std::runtime_error{"tool " + detail::shown_text(tool_name) + ": " + details},
          tool_name_{std::move(tool_name)}, error_type_{std::move(error_type)}, details_{std::move(details)} {
    }

    std::string const& tool_name() const noexcept { return tool_name_; }
    std::string const& error_type() const noexcept { return error_type_; }
    std::string const& details() const noexcept { return details_; }

private:
    std::string tool_name_;
    std::string error_type_;
    std::string details_;
};

} // namespace longshore::inline v0

#endif
