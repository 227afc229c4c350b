// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_RESULT_JSON_HPP
#define LONGSHORE_TOOL_RESULT_JSON_HPP

#include <longshore/detail/json_reader.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/tool/basic_result.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

namespace detail {

template <JsonPolicy Json>
typename Json::value stream_to_json(ToolStream const& stream) {
    typename Json::object object;
    Json::insert(object, "text", Json::make(std::string_view{utf8_replace(stream.bytes)}));
    Json::insert(object, "total", Json::make(stream.total));
    Json::insert(object, "truncated", Json::make(stream.truncated));
    return Json::make(object);
}

template <JsonPolicy Json>
ToolStream stream_from_json(JsonReader<Json> const& reader) {
    return {reader.text("text"), reader.template integer<std::uint64_t>("total"),
            reader.boolean("truncated")};
}

// The kind that a failure was written with.
inline FailureKind failure_kind_of(std::string_view name) {
    if (name.empty()) return FailureKind::tool_failed;
    for (auto number = std::uint8_t{1}; to_string(FailureKind{number}) != "unknown"; ++number)
        if (to_string(FailureKind{number}) == name) return FailureKind{number};
    throw ValueError{"JSON value at '/failure_kind' is no failure kind: '" + std::string{name} + "'"};
}

template <typename Result>
concept ToolResultType = std::same_as<Result, BasicToolResult<typename Result::json_policy>>;

} // namespace detail

/// The result as a JSON object, for storing and for sending: `success`, `output`, `error`, `metadata`,
/// `duration_ms`, then what longshore adds. Bytes of a stream that are not UTF-8 stand there as U+FFFD.
template <JsonPolicy Json>
typename Json::object to_json(BasicToolResult<Json> const& result) {
    auto const text = [](std::string_view value) { return Json::make(value); };
    typename Json::object object;
    Json::insert(object, "success", Json::make(result.success()));
    Json::insert(object, "output", Json::make(result.output()));
    Json::insert(object, "error", result.success() ? Json::make() : text(result.error()));
    Json::insert(object, "metadata", Json::make(result.metadata()));
    Json::insert(object, "duration_ms", Json::make(result.duration_ms()));
    Json::insert(object, "failure_kind", text(to_string(result.failure_kind())));
    Json::insert(object, "hint", text(result.hint()));
    Json::insert(object, "output_incomplete", Json::make(result.output_incomplete()));
    Json::insert(object, "standard_output", detail::stream_to_json<Json>(result.standard_output()));
    Json::insert(object, "standard_error", detail::stream_to_json<Json>(result.standard_error()));
    return object;
}

/// Reads what `to_json` wrote: `from_json<ToolResult>(object)`. Absent members have their defaults, so an
/// object with the specification's members alone will do; a failure without `failure_kind` is `tool_failed`.
/// Throws `ValueError` for a member of another kind and for a state that no result can have.
template <detail::ToolResultType Result>
Result from_json(typename Result::object const& object) {
    using Json = typename Result::json_policy;
    detail::JsonReader<Json> const reader{object};
    typename Result::Details details;
    if (reader.has("metadata")) details.metadata = reader.members("metadata");
    details.duration_ms = reader.number("duration_ms");
    details.output_incomplete = reader.boolean("output_incomplete");
    details.standard_output = detail::stream_from_json(reader.object("standard_output"));
    details.standard_error = detail::stream_from_json(reader.object("standard_error"));
    auto const error = reader.text("error");
    typename Result::object output{};
    if (reader.has("output")) output = reader.members("output");
    if (reader.boolean("success")) {
        if (!error.empty()) throw ValueError{"ToolResult with success=true must not have an error message"};
        return Result::success(std::move(output), std::move(details));
    }
    return Result::failure(
        Failure{detail::failure_kind_of(reader.text("failure_kind")), error, reader.text("hint")},
        std::move(details), std::move(output));
}

} // namespace longshore::inline v0

#endif
