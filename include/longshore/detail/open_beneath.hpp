// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_OPEN_BENEATH_HPP
#define LONGSHORE_DETAIL_OPEN_BENEATH_HPP

#include <longshore/config.hpp>
#include <longshore/detail/directory_handle.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/sandbox_path.hpp>
#include <longshore/detail/sandbox_place.hpp>
#include <longshore/filesystem/sandbox_error.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include <sys/stat.h>

namespace longshore::inline v0 {
namespace detail {

// What to do about a directory that is not there.
enum class MissingDirectory : std::uint8_t { fails, created, created_and_synced };

// Opens directories below a root without following a link, at any level.
//
// One openat2 answers for a whole path, and a walk that opens each component relative to the one before does
// so everywhere. The walk is as safe, creates what is missing, and knows which component is to blame; so it
// is asked whenever openat2 gave no descriptor, for whatever reason: an old kernel (ENOSYS, EINVAL), a filter
// (EPERM), a race that the kernel could not decide (EAGAIN, which is so retried exactly once), a link.
class BeneathOpener {
public:
    BeneathOpener(FileCalls const& calls, int root, SandboxPlace const& place,
                  MissingDirectory missing) noexcept
        : calls_{calls}, root_{root}, place_{place}, missing_{missing}, flags_{
                                                                            directory_handle_flags(calls)} {}

    // Throws SandboxEscapeError and std::system_error that name the component.
    FileDescriptor open(SandboxComponents const& components) const {
        if (calls_.features.openat2) {
            FileDescriptor opened{uninterrupted(
                [&] { return calls_.open_beneath(root_, joined(components).c_str(), flags_); })};
            if (opened.valid()) return opened;
        }
        return walk(components);
    }

private:
    // Another process may remove what was just created; beyond this it does so on purpose.
    static constexpr int most_attempts = 16;

    FileDescriptor walk(SandboxComponents const& components) const {
        auto current = open_directory_handle(calls_, root_, ".", flags_);
        if (!current.valid()) place_.fail(errno, "open the root for");
        for (auto const& component : components)
            current = step(current.get(), component);
        return current;
    }

    FileDescriptor step(int directory, std::string const& component) const {
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            auto opened = open_directory_handle(calls_, directory, component.c_str(), flags_);
            if (opened.valid()) return opened;
            if (errno != ENOENT || missing_ == MissingDirectory::fails) break;
            create(directory, component);
            errno = ENOENT;
        }
        explain(errno, directory, component);
    }

    void create(int directory, std::string const& component) const {
        if (calls_.make_directory(directory, component.c_str()) != 0) {
            if (errno == EEXIST) return;
            place_.fail(errno, "create the directory " + shown_text(component) + " of");
        }
        if (missing_ != MissingDirectory::created_and_synced) return;
        if (auto const error = synchronise_directory(calls_, directory); error != 0)
            place_.fail(error, "sync the new directory " + shown_text(component) + " of");
    }

    // Systems tell a link in different ways (ELOOP, ENOTDIR, EMLINK), so the name itself is asked. A
    // directory that stands there by now was no directory when it was opened.
    [[noreturn]] void explain(int error, int directory, std::string const& component) const {
        struct ::stat status {};
        auto const no_directory = error == ENOTDIR || error == ELOOP || error == EMLINK;
        if (no_directory && calls_.status_at(directory, component.c_str(), status) == 0) {
            if (S_ISLNK(status.st_mode))
                place_.refuse(SandboxEscape::symbolic_link,
                              "goes through " + shown_text(component) + ", which is a symbolic link");
            if (S_ISDIR(status.st_mode))
                place_.refuse(SandboxEscape::exchanged,
                              "goes through " + shown_text(component) + ", which was just exchanged");
        }
        place_.fail(error, "open the directory " + shown_text(component) + " of");
    }

    FileCalls const& calls_;
    int root_;
    SandboxPlace const& place_;
    MissingDirectory missing_;
    int flags_;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
