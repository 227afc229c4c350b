// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_METADATA_HPP
#define LONGSHORE_CONTAINER_METADATA_HPP

#include <longshore/designated_only.hpp>
#include <longshore/detail/json_reader.hpp>
#include <longshore/json/policy.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// How much of a stream a result holds.
struct StreamFigures {
    std::uint64_t kept = 0;  ///< bytes that the result holds
    std::uint64_t total = 0; ///< bytes that the tool wrote
    bool truncated = false;  ///< more was written than is held

    friend bool operator==(StreamFigures const&, StreamFigures const&) = default;
};

/// What a `ContainerMetadata` is made of, written with designated initialisers.
struct ContainerMetadataFields {
    DesignatedOnly designated_only = DesignatedOnly{};
    std::string container_id = {};
    std::string image = {};
    std::string workspace_folder = {};
    double exec_time_ms = 0; ///< milliseconds from the start to the end, waiting in a queue not counted
    int exit_code = 0;       ///< of the tool; -1 where there is none; -n: signal n on the host
    bool timed_out = false;  ///< the deadline passed
    double queued_ms = 0;    ///< milliseconds that the call waited before its start
    std::optional<int> signal = {}; ///< the signal that ended the tool or the container CLI
    StreamFigures standard_output = {};
    StreamFigures standard_error = {};
    std::optional<bool> container_process_killed = {}; ///< nothing is left running; empty: not known
    std::string cli = {};                              ///< the container CLI's binary
    std::string cli_version = {};                      ///< empty: not known
    bool guarded = true; ///< false: how far the call came is not proven, because nothing watched it there

    friend bool operator==(ContainerMetadataFields const&, ContainerMetadataFields const&) = default;
};

/// How a call inside a container went, for the audit trail. It cannot be changed once made.
///
/// A regular value; thread safe as any `const` object is.
/// Source: container_tool_exec.feature, "ContainerMetadata is frozen and holds execution details".
class ContainerMetadata {
public:
    ContainerMetadata() = default;
    explicit ContainerMetadata(ContainerMetadataFields fields) : fields_{std::move(fields)} {}

    std::string const& container_id() const noexcept { return fields_.container_id; }
    std::string const& image() const noexcept { return fields_.image; }
    std::string const& workspace_folder() const noexcept { return fields_.workspace_folder; }
    double exec_time_ms() const noexcept { return fields_.exec_time_ms; }
    int exit_code() const noexcept { return fields_.exit_code; }
    bool timed_out() const noexcept { return fields_.timed_out; }
    double queued_ms() const noexcept { return fields_.queued_ms; }
    std::optional<int> signal() const noexcept { return fields_.signal; }
    StreamFigures const& standard_output() const noexcept { return fields_.standard_output; }
    StreamFigures const& standard_error() const noexcept { return fields_.standard_error; }
    std::optional<bool> container_process_killed() const noexcept { return fields_.container_process_killed; }
    std::string const& cli() const noexcept { return fields_.cli; }
    std::string const& cli_version() const noexcept { return fields_.cli_version; }
    bool guarded() const noexcept { return fields_.guarded; }

    /// All of it, for making a changed copy.
    ContainerMetadataFields const& fields() const noexcept { return fields_; }

    friend bool operator==(ContainerMetadata const&, ContainerMetadata const&) = default;

private:
    ContainerMetadataFields fields_{};
};

namespace detail {

inline std::string_view killed_word(std::optional<bool> killed) noexcept {
    if (!killed) return "unknown";
    return *killed ? "yes" : "no";
}

template <JsonPolicy Json>
typename Json::object figures_to_json(StreamFigures const& figures) {
    typename Json::object object;
    Json::insert(object, "kept", Json::make(figures.kept));
    Json::insert(object, "total", Json::make(figures.total));
    Json::insert(object, "truncated", Json::make(figures.truncated));
    return object;
}

template <JsonPolicy Json>
StreamFigures figures_from_json(JsonReader<Json> const& reader) {
    return {reader.template integer<std::uint64_t>("kept"), reader.template integer<std::uint64_t>("total"),
            reader.boolean("truncated")};
}

} // namespace detail

/// The metadata as a JSON object: the specification's six keys first, then what longshore adds.
/// Source: execution-environment.md, "Audit Trail".
template <JsonPolicy Json>
typename Json::object to_json(ContainerMetadata const& metadata) {
    auto const text = [](std::string const& value) { return Json::make(std::string_view{value}); };
    typename Json::object object;
    Json::insert(object, "container_id", text(metadata.container_id()));
    Json::insert(object, "image", text(metadata.image()));
    Json::insert(object, "workspace_folder", text(metadata.workspace_folder()));
    Json::insert(object, "exec_time_ms", Json::make(metadata.exec_time_ms()));
    Json::insert(object, "exit_code", Json::make(std::int64_t{metadata.exit_code()}));
    Json::insert(object, "timed_out", Json::make(metadata.timed_out()));
    Json::insert(object, "queued_ms", Json::make(metadata.queued_ms()));
    Json::insert(object, "signal",
                 metadata.signal() ? Json::make(std::int64_t{*metadata.signal()}) : Json::make());
    Json::insert(object, "standard_output",
                 Json::make(detail::figures_to_json<Json>(metadata.standard_output())));
    Json::insert(object, "standard_error",
                 Json::make(detail::figures_to_json<Json>(metadata.standard_error())));
    Json::insert(object, "container_process_killed",
                 Json::make(detail::killed_word(metadata.container_process_killed())));
    Json::insert(object, "cli", text(metadata.cli()));
    Json::insert(object, "cli_version", text(metadata.cli_version()));
    Json::insert(object, "guarded", Json::make(metadata.guarded()));
    return object;
}

/// Reads what `to_json` wrote: `from_json<ContainerMetadata, BoostJson>(object)`. Absent members have their
/// defaults, so an object with the specification's six keys alone will do.
/// Throws `ValueError` that names a member of another kind.
template <std::same_as<ContainerMetadata> Metadata, JsonPolicy Json>
ContainerMetadata from_json(typename Json::object const& object) {
    detail::JsonReader<Json> const reader{object};
    ContainerMetadataFields fields;
    fields.container_id = reader.text("container_id");
    fields.image = reader.text("image");
    fields.workspace_folder = reader.text("workspace_folder");
    fields.exec_time_ms = reader.number("exec_time_ms");
    fields.exit_code = reader.template integer<int>("exit_code");
    fields.timed_out = reader.boolean("timed_out");
    fields.queued_ms = reader.number("queued_ms");
    if (reader.has("signal")) fields.signal = reader.template integer<int>("signal");
    fields.standard_output = detail::figures_from_json(reader.object("standard_output"));
    fields.standard_error = detail::figures_from_json(reader.object("standard_error"));
    auto const killed = reader.text("container_process_killed");
    if (killed == "yes" || killed == "no") fields.container_process_killed = killed == "yes";
    fields.cli = reader.text("cli");
    fields.cli_version = reader.text("cli_version");
    if (reader.has("guarded")) fields.guarded = reader.boolean("guarded");
    return ContainerMetadata{std::move(fields)};
}

} // namespace longshore::inline v0

#endif
