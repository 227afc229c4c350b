// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_TEMPORARY_FILE_HPP
#define LONGSHORE_DETAIL_TEMPORARY_FILE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/open_regular_file.hpp>
#include <longshore/detail/temporary_name.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace longshore::inline v0 {
namespace detail {

// A file that is being written under a name of its own, in the directory where it shall stand. Whoever dies
// leaves it unlocked for the next sweep; whoever gives up removes it.
//
// The lock is a hint to sweeps, not a guard of the content. Where the file system has none, nobody can take
// one there, so no sweep removes anything.
class TemporaryFile {
public:
    TemporaryFile() noexcept = default;
    TemporaryFile(TemporaryFile&& other) noexcept
        : calls_{other.calls_}, directory_{std::move(other.directory_)}, file_{std::move(other.file_)},
          name_{std::exchange(other.name_, {})} {}
    TemporaryFile& operator=(TemporaryFile&& other) noexcept {
        if (this == &other) return *this;
        remove();
        calls_ = other.calls_;
        directory_ = std::move(other.directory_);
        file_ = std::move(other.file_);
        name_ = std::exchange(other.name_, {});
        return *this;
    }
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;
    ~TemporaryFile() { remove(); }

    // An open one, of mode 0600 and empty; or one that is not, and errno.
    static TemporaryFile create(FileCalls const& calls, FileDescriptor directory) {
        TemporaryFile result;
        result.calls_ = &calls;
        result.directory_ = std::move(directory);
        auto error = EEXIST;
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            error = result.try_create();
            if (error != EEXIST && error != EWOULDBLOCK) break;
        }
        errno = error;
        return result;
    }

    bool is_open() const noexcept { return file_.valid(); }
    int descriptor() const noexcept { return file_.get(); }
    int directory() const noexcept { return directory_.get(); }

    // Whether the name still stands for the file that was created.
    bool stands() const {
        struct ::stat written {};
        struct ::stat named {};
        return calls_->status(file_.get(), written) == 0 &&
               calls_->status_at(directory_.get(), name_.c_str(), named) == 0 && is_same_file(written, named);
    }

    // Takes the place of `name` in one step. -1 with errno: nothing has changed.
    int rename_to(std::string const& name) {
        auto const result = calls_->rename(directory_.get(), name_.c_str(), name.c_str());
        if (result == 0) name_.clear();
        return result;
    }

    // Leaves nothing behind, open or on disk; a file that was renamed stays.
    void remove() noexcept {
        if (!name_.empty()) calls_->remove(directory_.get(), name_.c_str());
        name_.clear();
        file_.reset();
        directory_.reset();
    }

private:
    // A name that is taken, or a sweep that came between creating and locking: beyond this somebody does it
    // on purpose.
    static constexpr int most_attempts = 16;

    // errno, or 0.
    int try_create() {
        auto name = temporary_name();
        constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
        FileDescriptor file{
            uninterrupted([&] { return calls_->open_at(directory_.get(), name.c_str(), flags, 0600); })};
        if (!file.valid()) return errno;
        file_ = std::move(file);
        name_ = std::move(name);
        if (is_locked() && stands()) return 0;
        calls_->remove(directory_.get(), name_.c_str());
        name_.clear();
        file_.reset();
        return EWOULDBLOCK;
    }

    bool is_locked() const {
        return uninterrupted([&] { return calls_->lock(file_.get(), LOCK_EX | LOCK_NB); }) == 0 ||
               errno != EWOULDBLOCK;
    }

    FileCalls const* calls_ = nullptr;
    FileDescriptor directory_{};
    FileDescriptor file_{};
    std::string name_{};
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
