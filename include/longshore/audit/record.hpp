// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_AUDIT_RECORD_HPP
#define LONGSHORE_AUDIT_RECORD_HPP

#include <longshore/designated_only.hpp>
#include <longshore/environment/resolver.hpp>
#include <longshore/error.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <string>

namespace longshore::inline v0 {

/// One execution as the audit trail keeps it: plain text and figures, with its JSON as text, and without the
/// secrets that a runner knows.
struct AuditRecord {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// Unique among all processes and machines; ids of later executions sort after those of earlier ones.
    std::string id = {};

    std::chrono::system_clock::time_point started_at = {};
    std::chrono::nanoseconds duration = {};
    std::string tool_name = {};

    /// Where it ran and who chose that; empty when it came to an end before.
    std::optional<EnvironmentDecision> environment = {};

    std::string inputs = {}; ///< a JSON object; empty: they cannot be written as JSON
    bool success = false;
    std::string output = {}; ///< a JSON object; empty: it cannot be written as JSON
    FailureKind failure_kind = FailureKind::none;
    std::string error = {};
    std::string hint = {};
    std::string container_metadata = {}; ///< a JSON object; empty: it did not run in a container

    friend bool operator==(AuditRecord const&, AuditRecord const&) = default;
};

/// Keeps records. Any copyable callable is a model that takes an `AuditRecord const&`, so a lambda is one.
///
/// It throws when a record is lost; a runner reports that to its log and returns the tool's result all the
/// same. Records come on the thread that ran the tool, from several threads at once when executions run at
/// once.
template <typename S>
concept AuditSink = std::copy_constructible<S> && std::invocable<S&, AuditRecord const&>;

} // namespace longshore::inline v0

#endif
