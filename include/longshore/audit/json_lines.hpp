// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_AUDIT_JSON_LINES_HPP
#define LONGSHORE_AUDIT_JSON_LINES_HPP

#include <longshore/config.hpp>

#include <longshore/audit/json_line.hpp>
#include <longshore/audit/record.hpp>
#include <longshore/container/config_field.hpp>
#include <longshore/designated_only.hpp>
#include <longshore/detail/append_file.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>

#if !LONGSHORE_WINDOWS

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace longshore::inline v0 {

/// How a `JsonLinesAuditSink` writes, with designated initialisers.
struct JsonLinesOptions {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// Bytes kept of each of a record's inputs, output, metadata, error and hint; the cut is marked.
    std::size_t payload_limit = std::size_t{1} << 20;

    /// Whether each record is brought to the disk before the tool's result comes back. Without it a record
    /// outlives the program, however that ends, but not the machine.
    bool sync = false;

    /// How long a record waits for other processes before it is added all the same.
    Grace lock_timeout = std::chrono::seconds{2};
};

/// An audit trail in a file: one line of JSON for each record, as `json_line` says.
///
/// - A line is one append, and nothing is buffered: it is in the file when the execution returns, and a
/// program
///   that is killed right then loses nothing.
/// - Several processes may write to one file. A line that another one left unfinished, by a crash or on a
/// full disk,
///   is taken back or ended first, so that every record starts on a line of its own.
/// - Rotation is the system's: the file is opened anew when it was moved or deleted. A new file is the
/// owner's
///   alone (0600). Symbolic links, devices and pipes are refused.
///
/// Throws `std::system_error` when a record is lost; the file may become usable again at any time. Copies
/// share one open file. Thread safety: all members may be called from several threads at once.
class JsonLinesAuditSink {
public:
    /// Does not touch the file yet. A relative path is taken from where the program is now.
    /// Throws `ValueError` for a path that is empty or holds a null byte.
    explicit JsonLinesAuditSink(std::string const& path, JsonLinesOptions options = {})
        : payload_limit_{options.payload_limit}, file_{std::make_shared<detail::AppendFile>(
                                                     checked(path), options.sync,
                                                     options.lock_timeout.value())} {}

    /// Adds a record.
    void operator()(AuditRecord const& record) const { file_->append(json_line(record, payload_limit_)); }

    /// The absolute path of the file.
    std::string const& path() const noexcept { return file_->path(); }

private:
    static std::string const& checked(std::string const& path) {
        if (path.empty()) throw ValueError{"the path of an audit trail must not be empty"};
        if (detail::holds_null(path))
            throw ValueError{"the path of an audit trail must not hold a null byte: " +
                             detail::shown_text(path)};
        return path;
    }

    std::size_t payload_limit_;
    std::shared_ptr<detail::AppendFile> file_;
};

static_assert(AuditSink<JsonLinesAuditSink>);

} // namespace longshore::inline v0

#endif
#endif
