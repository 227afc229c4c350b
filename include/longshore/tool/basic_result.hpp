// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_BASIC_RESULT_HPP
#define LONGSHORE_TOOL_BASIC_RESULT_HPP

#include <longshore/container/metadata.hpp>
#include <longshore/designated_only.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace longshore::inline v0 {

/// What a tool wrote to one stream, as far as it was kept.
struct ToolStream {
    std::string bytes{};     ///< exactly as written, whatever the encoding
    std::uint64_t total = 0; ///< bytes that were written, kept or not
    bool truncated = false;  ///< more was written than is kept

    friend bool operator==(ToolStream const&, ToolStream const&) = default;
};

/// What stands beside the output or the error of a result, written with designated initialisers.
template <JsonPolicy Json>
struct ToolResultDetails {
    DesignatedOnly designated_only = DesignatedOnly{};
    typename Json::object metadata = {};
    double duration_ms = 0;
    ToolStream standard_output = {};
    ToolStream standard_error = {};
    bool output_incomplete = false; ///< the end of a stream was never seen
};

/// What came of a tool: its output, or why there is none.
///
/// A tool that fails is a result, not an exception. A result is either a success without an error or a
/// failure with one; other states cannot be made. It converts to `bool`: `if (auto result = ...; !result)`.
///
/// A value that cannot be changed once made. Thread safety: as any `const` object.
/// Source: container_tool_exec.feature, "ToolResult validation"; execution-environment.md, "Error Reporting".
template <JsonPolicy Json>
class BasicToolResult {
public:
    using json_policy = Json;
    using object = typename Json::object;
    using Details = ToolResultDetails<Json>;

    /// @return a success with that output.
    static BasicToolResult success(object output, Details details = {}) {
        return {std::move(output), Failure{}, std::move(details)};
    }

    /// @return a failure, with what the tool returned all the same. Throws `ValueError` for a failure without
    /// a kind or without a text.
    static BasicToolResult failure(Failure failure, Details details = {}, object output = {}) {
        if (failure.kind == FailureKind::none) throw ValueError{"a failed ToolResult needs a failure kind"};
        if (failure.text.empty()) throw ValueError{"ToolResult with success=false requires an error message"};
        return {std::move(output), std::move(failure), std::move(details)};
    }

    /// The specification's constructor. Throws `ValueError` for a success with an error message and for a
    /// failure without one.
    BasicToolResult(bool success, object output, std::string error = {}, object metadata = {},
                    double duration_ms = 0)
        : output_{std::move(output)}, failure_{success ? FailureKind::none : FailureKind::tool_failed,
                                               std::move(error)} {
        if (success && !failure_.text.empty())
            throw ValueError{"ToolResult with success=true must not have an error message"};
        if (!success && failure_.text.empty())
            throw ValueError{"ToolResult with success=false requires an error message"};
        details_.metadata = std::move(metadata);
        details_.duration_ms = duration_ms;
    }

    explicit operator bool() const noexcept { return success(); }
    bool success() const noexcept { return failure_.kind == FailureKind::none; }

    /// What the tool returned; empty for a call that failed.
    object const& output() const noexcept { return output_; }

    /// What went wrong, in the specification's words; empty for a success.
    std::string const& error() const noexcept { return failure_.text; }

    FailureKind failure_kind() const noexcept { return failure_.kind; }

    /// What to do next; may be empty.
    std::string const& hint() const noexcept { return failure_.hint; }

    object const& metadata() const noexcept { return details_.metadata; }

    /// Milliseconds that the call took, waiting included.
    double duration_ms() const noexcept { return details_.duration_ms; }

    ToolStream const& standard_output() const noexcept { return details_.standard_output; }
    ToolStream const& standard_error() const noexcept { return details_.standard_error; }

    /// True when the end of a stream was never seen: a process that the tool left behind held it open, or the
    /// transport lost it.
    bool output_incomplete() const noexcept { return details_.output_incomplete; }

    /// How the call inside the container went; empty for a tool that ran on the host. Throws `ValueError`
    /// when the metadata was made by hand and has members of another kind.
    std::optional<ContainerMetadata> container() const {
        auto const* member = Json::find(details_.metadata, "container");
        if (member == nullptr || Json::kind(*member) != JsonKind::object) return std::nullopt;
        return from_json<ContainerMetadata, Json>(Json::as_object(*member));
    }

private:
    BasicToolResult(object output, Failure failure, Details details)
        : output_{std::move(output)}, failure_{std::move(failure)}, details_{std::move(details)} {}

    object output_{};
    Failure failure_{};
    Details details_{};
};

/// The container object out of a result's metadata; empty where there is none.
/// Source: container_tool_exec.feature, "extract_container_metadata returns container dict from ToolResult".
template <JsonPolicy Json>
std::optional<typename Json::object> extract_container_metadata(BasicToolResult<Json> const& result) {
    auto const* member = Json::find(result.metadata(), "container");
    if (member == nullptr || Json::kind(*member) != JsonKind::object) return std::nullopt;
    return Json::as_object(*member);
}

} // namespace longshore::inline v0

#endif
