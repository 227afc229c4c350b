// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_TEMPORARY_SWEEP_HPP
#define LONGSHORE_DETAIL_TEMPORARY_SWEEP_HPP

#include <longshore/config.hpp>
#include <longshore/detail/directory_handle.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/open_regular_file.hpp>
#include <longshore/detail/temporary_name.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <cstddef>
#include <memory>

#include <dirent.h>
#include <sys/file.h>

namespace longshore::inline v0 {
namespace detail {

// A writer holds its temporary's lock exclusively from before the first byte until it is renamed, and loses
// it by dying. A shared lock is enough to know, and needs no leave to write. It is held until the file is
// gone, so a writer that has created its file and not yet locked it sees that it has to take another.
inline bool remove_if_abandoned(FileCalls const& calls, int directory, char const* name) {
    auto const opened = open_regular_file(calls, directory, name);
    return opened.file.valid() &&
           uninterrupted([&] { return calls.lock(opened.file.get(), LOCK_SH | LOCK_NB); }) == 0 &&
           calls.remove(directory, name) == 0;
}

struct Sweep {
    std::size_t removed = 0;
    int error = 0; // errno of what kept the directory from being read to its end
};

// Removes from one directory the temporaries that no living writer has. What cannot be removed stays.
inline Sweep sweep_temporaries(FileCalls const& calls, int directory) {
    auto readable = open_readable(calls, directory);
    if (!readable.valid()) return {0, errno};
    struct Close {
        void operator()(::DIR* listing) const noexcept { ::closedir(listing); }
    };
    std::unique_ptr<::DIR, Close> const listing{calls.list(readable.get())};
    if (!listing) return {0, errno};
    readable.release();
    Sweep sweep;
    while (auto const* const name = calls.next_name(listing.get()))
        if (is_temporary_name(name) && remove_if_abandoned(calls, directory, name)) ++sweep.removed;
    sweep.error = errno;
    return sweep;
}

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
