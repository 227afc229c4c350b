// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_REDACT_JSON_HPP
#define LONGSHORE_DETAIL_REDACT_JSON_HPP

#include <longshore/container/redactor.hpp>
#include <longshore/json/policy.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0::detail {

template <JsonPolicy Json>
void redact_json(typename Json::object& members, Redactor const& redactor);

// Text is redacted as it is, before JSON escapes anything in it. A number that shows a secret becomes text.
template <JsonPolicy Json>
void redact_json(typename Json::value& document, Redactor const& redactor) {
    auto const assign_changed = [&](std::string_view text) {
        if (auto const redacted = redactor(text); redacted != text) Json::assign(document, redacted);
    };
    switch (Json::kind(document)) {
    case JsonKind::string:
        assign_changed(std::string{Json::as_string(document)});
        break;
    case JsonKind::integer:
    case JsonKind::unsigned_integer:
    case JsonKind::number:
        assign_changed(Json::serialize(document));
        break;
    case JsonKind::array:
        Json::for_each_element(document, [&](auto& element) { redact_json<Json>(element, redactor); });
        break;
    case JsonKind::object:
        redact_json<Json>(Json::as_object(document), redactor);
        break;
    case JsonKind::null:
    case JsonKind::boolean:
        break;
    }
}

// Replaces secrets in names and values. The document must be one that `JsonCheck` accepts: its depth is
// followed.
template <JsonPolicy Json>
void redact_json(typename Json::object& members, Redactor const& redactor) {
    Json::rename_members(members, [&](std::string_view name) {
        auto redacted = redactor(name);
        return redacted == name ? std::optional<std::string>{} : std::optional{std::move(redacted)};
    });
    Json::for_each_member(members, [&](std::string_view, typename Json::value& member) {
        redact_json<Json>(member, redactor);
    });
}

} // namespace longshore::inline v0::detail

#endif
