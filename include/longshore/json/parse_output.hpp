// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_JSON_PARSE_OUTPUT_HPP
#define LONGSHORE_JSON_PARSE_OUTPUT_HPP

#include <longshore/detail/utf8.hpp>
#include <longshore/json/policy.hpp>

#include <string_view>
#include <utility>

namespace longshore::inline v0 {

namespace detail {

// The text without a byte order mark before it and white space around it.
constexpr std::string_view document_text(std::string_view text) noexcept {
    constexpr std::string_view byte_order_mark{"\xEF\xBB\xBF"};
    constexpr std::string_view white_space{" \t\n\v\f\r"};
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    auto const first = text.find_first_not_of(white_space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

} // namespace detail

/// A tool's output that is not read as JSON: `{"raw_output": text}`, with U+FFFD for bytes that are not
/// UTF-8. This is what becomes of an output that was cut short, because a document's beginning can look like
/// another document: `123456` cut to `123`.
template <JsonPolicy Json>
typename Json::object unparsed_output(std::string_view text) {
    typename Json::object output;
    Json::insert(output, "raw_output", Json::make(std::string_view{detail::utf8_replace(text)}));
    return output;
}

/// What a tool that ended well has printed, as a JSON object.
///
/// - A JSON object is the output itself; of members with one name the last one wins.
/// - Any other JSON document is wrapped: `{"result": document}`.
/// - Nothing but white space is `{}`.
/// - Everything else is `{"raw_output": text}`: a line before or after the document, two documents, colour
/// codes,
///   NaN, an integer beyond 64 bits, nesting beyond `json_depth_limit`. No part of a text is ever guessed to
///   be the result.
///
/// A byte order mark before the document and white space around it are skipped. The text must be complete;
/// use `unparsed_output` for one that is not. Throws only `std::bad_alloc`. Source:
/// container_tool_exec.feature, "_parse_output edge cases".
template <JsonPolicy Json>
typename Json::object parse_output(std::string_view text) {
    auto const document_text = detail::document_text(text);
    if (document_text.empty()) return {};
    auto document = Json::parse(document_text);
    if (!document) return unparsed_output<Json>(text);
    if (Json::kind(*document) == JsonKind::object) return std::move(Json::as_object(*document));
    typename Json::object output;
    Json::insert(output, "result", std::move(*document));
    return output;
}

} // namespace longshore::inline v0

#endif
