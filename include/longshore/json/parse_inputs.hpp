// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_JSON_PARSE_INPUTS_HPP
#define LONGSHORE_JSON_PARSE_INPUTS_HPP

#include <longshore/detail/json_fault.hpp>
#include <longshore/error.hpp>
#include <longshore/json/parse_output.hpp>
#include <longshore/json/policy.hpp>

#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// The inputs of a tool out of the JSON text that a model or another program has written. Nothing in it is
/// ever guessed, rounded or replaced.
///
/// Throws `ValueError` for text that is no JSON document, with the JSON pointer of what is wrong and the
/// reason: an integer beyond 64 bits, NaN, Infinity, invalid UTF-8, half of a surrogate pair, too deep a
/// nesting, or where the text breaks off. Throws `TypeError` for a document that is no object.
template <JsonPolicy Json>
typename Json::object parse_inputs(std::string_view text) {
    auto const document_text = detail::document_text(text);
    auto document = Json::parse(document_text);
    if (!document) throw ValueError{detail::JsonFault<Json>::of(document_text)};
    if (Json::kind(*document) != JsonKind::object)
        throw TypeError{"inputs must be a dict, that is a JSON object"};
    return std::move(Json::as_object(*document));
}

} // namespace longshore::inline v0

#endif
