// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_SYNC_REPORT_HPP
#define LONGSHORE_CONTAINER_SYNC_REPORT_HPP

#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_error.hpp>
#include <longshore/timeout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0 {

/// Why a file did not come. Nothing of it was left on the host, and what stood there before still does.
enum class SyncProblem : std::uint8_t {
    none,          ///< it came
    missing,       ///< the container has nothing of that name
    symbolic_link, ///< links are not followed
    not_a_file,    ///< a directory, a FIFO, a device or a socket, where a regular file was asked for
    unreadable,    ///< the container's user may not read it
    too_large,     ///< more bytes than `SyncLimits::file_bytes`
    too_deep,      ///< a directory below more than `SyncLimits::depth` others
    changed,       ///< it was written to, replaced or failed while it was read
    refused,       ///< the host's sandbox refused its path or what stands in its place
    not_written,   ///< the host could not write it, for example because its disk is full
    not_reached    ///< the call ended before it was this file's turn, or in the middle of it
};

/// The enumerator's name, such as `"too_large"`.
constexpr std::string_view to_string(SyncProblem problem) noexcept {
    constexpr std::string_view names[]{"none",       "missing",     "symbolic_link", "not_a_file",
                                       "unreadable", "too_large",   "too_deep",      "changed",
                                       "refused",    "not_written", "not_reached"};
    auto const index = static_cast<std::size_t>(problem);
    return index < std::size(names) ? names[index] : "unknown";
}

/// What became of one file.
struct SyncedFile {
    std::string container_path{};
    std::string host_path{}; ///< where it stands now, or would stand
    std::uint64_t size = 0;  ///< bytes; 0 when it did not come
    SyncProblem problem = SyncProblem::none;
    std::string error{};                   ///< what went wrong, for people; empty when nothing did
    std::optional<SandboxEscape> escape{}; ///< what the sandbox found, where that was the problem

    /// Whether it came.
    explicit operator bool() const noexcept { return problem == SyncProblem::none; }

    friend bool operator==(SyncedFile const&, SyncedFile const&) = default;
};

/// What became of a call that fetches files. Files that came stay, whatever became of the others.
struct [[nodiscard]] SyncReport {
    /// One for each path in the order asked for; or, of a tree, one for each file and for whatever in it was
    /// refused, in the order of its names.
    std::vector<SyncedFile> files{};

    std::size_t directories = 0; ///< of a tree, that are on the host now, its own included
    std::uint64_t bytes = 0;     ///< of the files that came

    /// What ended the call early, `FailureKind::none` when nothing did.
    Failure failure{};
    std::optional<Timeout> passed_deadline{}; ///< where that was the deadline

    int exit_code = -1;           ///< of the command in the container; -1: none is known
    std::string standard_error{}; ///< the last part of what it wrote there

    /// Whether everything came that was asked for.
    explicit operator bool() const noexcept {
        return failure.kind == FailureKind::none && first_problem() == nullptr;
    }

    /// The first file that did not come; null when all did. It lives as long as this is not changed.
    SyncedFile const* first_problem() const noexcept {
        auto const found =
            std::find_if(files.begin(), files.end(), [](SyncedFile const& file) { return !file; });
        return found == files.end() ? nullptr : &*found;
    }

    /// Throws what `sync_results_to_host` throws when not everything came: `ContainerTimeoutError`,
    /// `SandboxEscapeError` or another `ContainerExecutionError`.
    void require() const {
        if (passed_deadline) throw ContainerTimeoutError{passed_deadline->seconds(), standard_error};
        if (failure.kind != FailureKind::none)
            throw ContainerExecutionError{failure.text, exit_code, standard_error};
        auto const* const file = first_problem();
        if (file == nullptr) return;
        if (file->escape) throw SandboxEscapeError{file->error, *file->escape};
        throw ContainerExecutionError{file->error, exit_code, standard_error};
    }
};

} // namespace longshore::inline v0

#endif
