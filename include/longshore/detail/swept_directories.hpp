// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SWEPT_DIRECTORIES_HPP
#define LONGSHORE_DETAIL_SWEPT_DIRECTORIES_HPP

#include <longshore/config.hpp>

#if !LONGSHORE_WINDOWS

#include <mutex>
#include <set>
#include <utility>

#include <sys/stat.h>
#include <sys/types.h>

namespace longshore::inline v0 {
namespace detail {

// Directories that were swept already: to sweep one for every file would cost its size each time. They are
// known by identity, as names can be exchanged. Thread safe.
class SweptDirectories {
public:
    // True for the first who asks.
    bool add(struct ::stat const& directory) {
        std::lock_guard const lock{mutex_};
        return known_.insert({directory.st_dev, directory.st_ino}).second;
    }

private:
    std::mutex mutex_;
    std::set<std::pair<::dev_t, ::ino_t>> known_;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
