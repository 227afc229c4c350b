// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FETCH_PROBLEM_HPP
#define LONGSHORE_DETAIL_FETCH_PROBLEM_HPP

#include <longshore/container/sync_options.hpp>
#include <longshore/container/sync_report.hpp>
#include <longshore/detail/fetch_reader.hpp>
#include <longshore/detail/shown_text.hpp>

#include <string>

namespace longshore::inline v0::detail {

inline void set_problem(SyncedFile& file, SyncProblem problem, std::string const& what) {
    file.problem = problem;
    file.error = shown_text(file.container_path) + ' ' + what;
}

// What a container says of a file that it does not send. `file` is told by its path in the container.
inline void set_problem(SyncedFile& file, FetchRecord const& record, SyncLimits const& limits,
                        bool is_tree_root) {
    switch (record.word) {
    case FetchWord::missing:
        return set_problem(file, SyncProblem::missing, "does not exist in the container");
    case FetchWord::link:
        return set_problem(file, SyncProblem::symbolic_link, "is a symbolic link, which is not followed");
    case FetchWord::folder:
        return set_problem(file, SyncProblem::not_a_file, "is a directory, not a regular file");
    case FetchWord::special:
        return set_problem(file, SyncProblem::not_a_file,
                           is_tree_root ? "is no directory" : "is a FIFO, a device or a socket");
    case FetchWord::large:
        return set_problem(file, SyncProblem::too_large,
                           "has " + std::to_string(record.number) + " bytes, more than the limit of " +
                               std::to_string(limits.file_bytes));
    case FetchWord::deep:
        return set_problem(file, SyncProblem::too_deep,
                           "is a directory below " + std::to_string(limits.depth) +
                               " others, which is the limit");
    case FetchWord::changed:
        return set_problem(file, SyncProblem::changed,
                           "was changed while it was read, or could not be read to its end");
    default:
        return set_problem(file, SyncProblem::unreadable, "may not be read in the container");
    }
}

} // namespace longshore::inline v0::detail

#endif
