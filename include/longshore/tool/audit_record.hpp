// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_AUDIT_RECORD_HPP
#define LONGSHORE_TOOL_AUDIT_RECORD_HPP

#include <longshore/audit/record.hpp>
#include <longshore/container/redactor.hpp>
#include <longshore/detail/json_check.hpp>
#include <longshore/detail/redact_json.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/tool/basic_invocation.hpp>

#include <optional>
#include <string>

namespace longshore::inline v0 {

namespace detail {

// Empty for a document that JSON cannot say, which a trail must survive.
template <JsonPolicy Json>
std::string audit_json(typename Json::object const& document, Redactor const* redactor) {
    try {
        if (redactor == nullptr) return Json::serialize(document);
        JsonCheck<Json>::require_serialisable(document); // a copy of any depth would overflow the stack
        auto redacted = document;
        redact_json<Json>(redacted, *redactor);
        return Json::serialize(redacted);
    } catch (ValueError const&) {
        return {};
    }
}

} // namespace detail

/// An execution as the audit trail keeps it.
/// @param redactor replaces secrets in every text and every JSON document; null: there are none.
template <JsonPolicy Json>
AuditRecord audit_record(BasicToolInvocation<Json> const& invocation, Redactor const* redactor = nullptr) {
    auto const text = [&](std::string const& shown) { return redactor ? (*redactor)(shown) : shown; };
    AuditRecord record{.id = invocation.id,
                       .started_at = invocation.started_at,
                       .duration = invocation.duration,
                       .tool_name = text(invocation.tool_name),
                       .environment = invocation.environment};
    if (invocation.inputs) record.inputs = detail::audit_json<Json>(*invocation.inputs, redactor);
    if (invocation.container_metadata)
        record.container_metadata = detail::audit_json<Json>(*invocation.container_metadata, redactor);
    if (auto const& result = invocation.result) {
        record.success = result->success();
        record.output = detail::audit_json<Json>(result->output(), redactor);
        record.failure_kind = result->failure_kind();
        record.error = text(result->error());
        record.hint = text(result->hint());
    }
    return record;
}

} // namespace longshore::inline v0

#endif
