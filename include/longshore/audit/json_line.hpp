// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_AUDIT_JSON_LINE_HPP
#define LONGSHORE_AUDIT_JSON_LINE_HPP

#include <longshore/audit/record.hpp>
#include <longshore/detail/json_text.hpp>
#include <longshore/detail/utc_text.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/environment/resolver.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

namespace detail {

// How deep the arrays and objects of a JSON document are nested.
inline std::size_t json_nesting(std::string_view json) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        auto const c = json[at];
        if (in_string) {
            if (c == '\\') ++at;
            in_string = c != '"';
        } else if (c == '{' || c == '[') {
            deepest = (std::max)(deepest, ++depth);
        } else if (c == '}' || c == ']') {
            --depth;
        } else {
            in_string = c == '"';
        }
    }
    return deepest;
}

class JsonLine {
public:
    explicit JsonLine(std::size_t limit) : limit_{limit} {}

    // A member whose value is JSON already.
    void member(std::string_view name, std::string_view json) {
        text_.append(text_.empty() ? "{" : ",").append(json_text(name)).append(":").append(json);
    }

    void text(std::string_view name, std::string_view value) { member(name, json_text(value)); }

    // Text of any length: its beginning, split in no character, and a note of how long it was.
    void bounded_text(std::string_view name, std::string_view value) {
        text(name, utf8_cut(value, limit_));
        if (value.size() > limit_) note_cut(name, value.size());
    }

    // A document of any length. A beginning of one is no document, so it stands there as text; so does one
    // whose nesting would make the line deeper than JSON may be.
    void bounded_json(std::string_view name, std::string const& json) {
        if (json.size() > limit_ || json_nesting(json) >= json_depth_limit)
            bounded_text(name, json);
        else
            member(name, json.empty() ? "null" : on_one_line(json));
    }

    std::string finish() {
        member("truncated", truncated_.empty() ? "{}" : truncated_ + '}');
        return std::move(text_) + '}';
    }

private:
    void note_cut(std::string_view name, std::size_t size) {
        truncated_.append(truncated_.empty() ? "{" : ",")
            .append(json_text(name))
            .append(":")
            .append(std::to_string(size));
    }

    // In a JSON document a line end can only be white space.
    static std::string on_one_line(std::string json) {
        for (auto& c : json)
            if (c == '\n' || c == '\r') c = ' ';
        return json;
    }

    std::size_t limit_;
    std::string text_{};
    std::string truncated_{};
};

// Milliseconds to the microsecond, with a point whatever the locale.
inline std::string milliseconds_text(std::chrono::nanoseconds length) {
    auto const microseconds = std::chrono::duration_cast<std::chrono::microseconds>(length).count();
    auto const sign = microseconds < 0 ? "-" : "";
    auto const size = microseconds < 0 ? -microseconds : microseconds;
    return sign + std::to_string(size / 1000) + '.' + padded(size % 1000, 3);
}

} // namespace detail

/// A record as one line of JSON, without the newline.
///
/// The members, in this order, are always there: `id`, `started_at` (UTC, RFC 3339, microseconds),
/// `tool_name`, `duration_ms`, `environment` and `decided_by` (null when it never came to that), `success`,
/// `failure_kind`, `error` (null for a success), `hint`, `container_metadata` (null when it did not run in
/// one), `inputs`, `output`, and `truncated`.
///
/// `tool_name` and all from `error` on hold at most `limit` bytes each. A document that is longer stands
/// there as a *string*: the beginning of its text, split in no character. `truncated` then has a member of
/// its name, with the bytes that it had: `"truncated":{"output":52428800}`. So does, whole, a document that
/// is nested `json_depth_limit` levels deep, because the line around it would be too deep to be read.
inline std::string json_line(AuditRecord const& record, std::size_t limit) {
    detail::JsonLine line{limit};
    auto const& environment = record.environment;
    line.text("id", record.id);
    line.text("started_at", detail::utc_text(record.started_at));
    line.bounded_text("tool_name", record.tool_name);
    line.member("duration_ms", detail::milliseconds_text(record.duration));
    line.member("environment", environment ? detail::json_text(to_string(environment->environment)) : "null");
    line.member("decided_by", environment ? detail::json_text(to_string(environment->level)) : "null");
    line.member("success", record.success ? "true" : "false");
    line.text("failure_kind", to_string(record.failure_kind));
    if (record.success)
        line.member("error", "null");
    else
        line.bounded_text("error", record.error);
    line.bounded_text("hint", record.hint);
    line.bounded_json("container_metadata", record.container_metadata);
    line.bounded_json("inputs", record.inputs);
    line.bounded_json("output", record.output);
    return line.finish();
}

} // namespace longshore::inline v0

#endif
