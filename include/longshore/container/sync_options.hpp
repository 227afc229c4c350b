// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_SYNC_OPTIONS_HPP
#define LONGSHORE_CONTAINER_SYNC_OPTIONS_HPP

#include <longshore/designated_only.hpp>
#include <longshore/timeout.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

namespace longshore::inline v0 {

/// What one call may move at most. What lies beyond is refused with an error that names the limit, and is
/// never cut short. A limit itself is still allowed.
struct SyncLimits {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// Bytes of one file.
    std::uint64_t file_bytes = std::uint64_t{1} << 30;

    /// Bytes of all files together.
    std::uint64_t total_bytes = std::uint64_t{16} << 30;

    /// Files, directories and refused things together.
    std::size_t entries = 50'000;

    /// Levels of directories below the one that is fetched; 0: its own files only.
    std::size_t depth = 64;
};

/// How far a call has come. The text lives as long as the observer runs.
struct SyncProgress {
    std::string_view file{};      ///< the file's path in the container
    std::uint64_t file_bytes = 0; ///< of this file, so far
    std::uint64_t file_total = 0; ///< of this file, in the end
    std::uint64_t bytes = 0;      ///< of all files, so far
    std::uint64_t total = 0;      ///< of all files, as they were when the call began; 0: not known
    std::size_t files = 0;        ///< files that are in their place
};

/// What a call that moves files has beside its paths, written with designated initialisers:
/// `executor.sync_tree_to_host("/workspace/build", {.timeout = 30s})`.
struct SyncOptions {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// Empty: the configuration's `timeout_seconds`. It covers everything, from the start to the last byte.
    std::optional<Timeout> timeout = {};

    SyncLimits limits = {};

    /// Hears when a file begins and after each piece of it, on the thread that drives the call. What it
    /// throws leaves the call once nothing is left running, and the file that was being moved is abandoned.
    std::function<void(SyncProgress const&)> on_progress = {};

    /// Ends the call, or its wait for its turn, when a stop is requested.
    std::stop_token stop_token = {};

    /// Whether fetched files outlive a power cut, which takes a disk some milliseconds each, or only the end
    /// of this process.
    bool survives_power_loss = true;
};

} // namespace longshore::inline v0

#endif
