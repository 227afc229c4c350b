// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_FILESYSTEM_SANDBOX_FILE_HPP
#define LONGSHORE_FILESYSTEM_SANDBOX_FILE_HPP

#include <longshore/config.hpp>
#include <longshore/detail/directory_handle.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/held_signal.hpp>
#include <longshore/detail/sandbox_place.hpp>
#include <longshore/detail/temporary_file.hpp>
#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_error.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>

namespace longshore::inline v0 {

/// What a written file outlives.
enum class Durability : std::uint8_t {
    /// The end of this process, however it ends. A power cut may leave the file empty, and a network file
    /// system may tell too late that its disk was full.
    process_end,
    /// A power cut as well: file and directory are synced, which takes a disk milliseconds.
    power_loss
};

/// A file that is being written to a sandbox. Under its own name stands the old file, or none, until
/// `finish` puts the new one in its place in one step. `SandboxDirectory::begin_file` makes it.
///
/// The bytes go to a temporary in the same directory, `.longshore-<16 hex digits>.part`, of mode 0600.
/// Whenever anything fails, and when this is destroyed before `finish`, the temporary is removed, nothing
/// stays open and the old file is whole; after that only destruction and assignment are left to do. When the
/// process is killed the temporary stays, until a sandbox sweeps its directory.
///
/// Errors: `ContainerExecutionError` when more or fewer bytes come than were announced, `SandboxEscapeError`
/// when something else stands where the file or its temporary should, `std::system_error` with the file in
/// its text for what the system refuses (a full disk, a quota, a file size limit: SIGXFSZ never reaches the
/// host), `std::logic_error` for a call after the end.
/// Memory: constant. Thread safety: none; it may move between threads. Lifetime: it outlives its
/// `SandboxDirectory` if it must.
class SandboxFile {
public:
    SandboxFile(SandboxFile&&) noexcept = default;
    SandboxFile& operator=(SandboxFile&&) noexcept = default;
    SandboxFile(SandboxFile const&) = delete;
    SandboxFile& operator=(SandboxFile const&) = delete;
    ~SandboxFile() = default;

    /// Writes the next bytes.
    void append(std::string_view bytes) {
        or_abandon([&] { write(bytes); });
    }

    /// Puts the file in its place: checks that all bytes came, and replaces what stood there. An existing
    /// file is replaced as a whole, with its mode and its owner; its other hard links keep the old content.
    ///
    /// When it throws, the old file is untouched, with one exception that the text states: the new file
    /// stands and its directory could not be synced.
    void finish() {
        or_abandon([&] { put_in_place(); });
    }

    /// Gives up. Does nothing after the end.
    void abandon() noexcept { temporary_.remove(); }

    /// Whether bytes can still be appended.
    bool is_open() const noexcept { return temporary_.is_open(); }

    std::uint64_t expected_size() const noexcept { return expected_; }
    std::uint64_t written() const noexcept { return written_; }

    /// As it was given to `begin_file`.
    std::string const& path() const noexcept { return place_.path; }

private:
    friend class SandboxDirectory;

    SandboxFile(detail::FileCalls const& calls, detail::FileDescriptor directory, std::string name,
                detail::SandboxPlace place, std::uint64_t expected, Durability durability)
        : calls_{&calls}, place_{std::move(place)}, name_{std::move(name)}, expected_{expected},
          durability_{durability} {
        check_target(directory.get());
        temporary_ = detail::TemporaryFile::create(calls, std::move(directory));
        if (!temporary_.is_open()) place_.fail(errno, "create a temporary for");
    }

    template <typename Step>
    void or_abandon(Step step) {
        if (!is_open()) throw std::logic_error{place_.text() + " is not being written any more"};
        try {
            step();
        } catch (...) {
            abandon();
            throw;
        }
    }

    // Nothing that is there is ever opened.
    void check_target(int directory) const {
        struct ::stat status {};
        if (calls_->status_at(directory, name_.c_str(), status) != 0) {
            if (errno != ENOENT) place_.fail(errno, "look at");
        } else if (!S_ISREG(status.st_mode)) {
            place_.refuse_kind(status.st_mode);
        }
    }

    void write(std::string_view bytes) {
        if (bytes.size() > expected_ - written_) refuse_size("more came");
        detail::HeldSignal size_signal{SIGXFSZ};
        while (!bytes.empty()) {
            auto const count = detail::uninterrupted(
                [&] { return calls_->write(temporary_.descriptor(), bytes.data(), bytes.size()); });
            auto const error = count < 0 ? errno : EIO;
            if (error == EFBIG) size_signal.take_back();
            if (count <= 0) place_.fail(error, "write");
            bytes.remove_prefix(static_cast<std::size_t>(count));
            written_ += static_cast<std::uint64_t>(count);
        }
    }

    void put_in_place() {
        if (written_ != expected_) refuse_size("only " + std::to_string(written_) + " came");
        if (durability_ == Durability::power_loss &&
            detail::uninterrupted([&] { return calls_->synchronise(temporary_.descriptor()); }) != 0)
            place_.fail(errno, "sync");
        check_temporary();
        check_target(temporary_.directory());
        if (temporary_.rename_to(name_) != 0) place_.fail(errno, "put in its place");
        synchronise_directory();
        abandon();
    }

    // Whoever shares the directory could have written to the temporary, or put something else in its place.
    void check_temporary() const {
        struct ::stat status {};
        if (calls_->status(temporary_.descriptor(), status) != 0) place_.fail(errno, "check");
        if (static_cast<std::uint64_t>(status.st_size) != expected_ || !temporary_.stands())
            place_.refuse(SandboxEscape::exchanged, "was changed by somebody else while it was written");
    }

    void synchronise_directory() const {
        if (durability_ != Durability::power_loss) return;
        if (auto const error = detail::synchronise_directory(*calls_, temporary_.directory()); error != 0)
            place_.fail(error, "sync the directory, in which the new file stands, of");
    }

    [[noreturn]] void refuse_size(std::string const& what) const {
        throw ContainerExecutionError{place_.text() + ": " + std::to_string(expected_) +
                                      " bytes were announced, and " + what};
    }

    detail::FileCalls const* calls_;
    detail::SandboxPlace place_;
    std::string name_;
    std::uint64_t expected_;
    std::uint64_t written_ = 0;
    Durability durability_;
    detail::TemporaryFile temporary_{};
};

} // namespace longshore::inline v0

#endif
#endif
