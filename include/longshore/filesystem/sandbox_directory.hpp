// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_FILESYSTEM_SANDBOX_DIRECTORY_HPP
#define LONGSHORE_FILESYSTEM_SANDBOX_DIRECTORY_HPP

#include <longshore/config.hpp>
#include <longshore/detail/file_calls.hpp>
#include <longshore/detail/file_descriptor.hpp>
#include <longshore/detail/open_beneath.hpp>
#include <longshore/detail/open_regular_file.hpp>
#include <longshore/detail/sandbox_path.hpp>
#include <longshore/detail/sandbox_place.hpp>
#include <longshore/detail/sandbox_root.hpp>
#include <longshore/detail/swept_directories.hpp>
#include <longshore/detail/temporary_sweep.hpp>
#include <longshore/filesystem/sandbox_file.hpp>
#include <longshore/filesystem/sandbox_reader.hpp>

#if !LONGSHORE_WINDOWS

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>

namespace longshore::inline v0 {

/// Which directory may be the root of a sandbox.
enum class RootRule : std::uint8_t {
    as_given,    ///< any directory; a symbolic link to one is followed once, when the sandbox is opened
    private_only ///< no link, owned by this user, and writable by nobody else: for a well-known name in /tmp
};

/// How a sandbox is opened and written, with designated initialisers.
struct SandboxOptions {
    RootRule root = RootRule::as_given; ///< a root that the program's user chose is the user's choice
    bool create_root = false;           ///< create a missing root with mode 0700; its parent must exist
    Durability durability = Durability::power_loss;
};

/// A directory of the host that a hostile program may share, such as a container that has it mounted, and
/// that files are written to and read from without ever leaving it.
///
/// What it promises:
/// 1. The root is opened once, by handle. Every path is relative to it, and is resolved component by
///    component from that handle without following a symbolic link, at any level, however the directory is
///    changed meanwhile: by `openat2`, or by one `openat` a component where there is none. Nothing is
///    written, created, read or removed through a link; links inside the sandbox that lead inside are refused
///    too.
/// 2. Nothing but a regular file or a directory is ever opened, so nothing blocks and no device acts. A FIFO,
///    a device, a socket, a directory or a link in the place of a file is refused and left as it is.
/// 3. A file appears at once and whole, or not at all: see `SandboxFile`. Hard links of the file that it
///    replaces keep their content.
/// 4. New files have mode 0600 and new parents 0700, less the umask; existing parents are left as they are.
/// 5. Temporaries of writers that died are removed: from a directory when this object first writes there, and
///    by `sweep`. Those of living writers, of any process of this kernel, never are.
///
/// What it does not: who may write to the sandbox can change, remove or replace a file after it was written,
/// and may move a directory that is just written to elsewhere, if he may write there himself. Mounts below
/// the root are part of the sandbox. Parents that were created stay when the file fails. A path that is given
/// to another program is resolved again by that program, with links.
///
/// Errors: `ValueError` for a path that is no relative path of a file or directory, `SandboxEscapeError` (a
/// `ContainerExecutionError`) for one that would lead out or to something else than a file,
/// `std::system_error` with the path in its text for what the system refuses.
/// Thread safety: all members may be called from several threads at once. Of two writers of one file the last
/// to finish wins. Lifetime: files and readers outlive it if they must. It owns one descriptor. Move-only.
/// Source: execution-environment.md, "Symlink and Path Traversal Protection" and "Permission Model".
///
/// @code
/// SandboxDirectory const sandbox{"/srv/agent/project-1"};
/// auto file = sandbox.begin_file("build/report.txt", report.size());
/// file.append(report);
/// file.finish();
/// @endcode
class SandboxDirectory {
public:
    /// Opens the root. Throws `ValueError` when it is empty, `/` or holds a NUL, `SandboxEscapeError` when
    /// `options.root` forbids it, `std::system_error` when it cannot be opened.
    explicit SandboxDirectory(std::string_view path, SandboxOptions options = {},
                              detail::FileCalls const& calls = detail::system_file_calls)
        : calls_{&calls}, path_{detail::sandbox_root_path(path)}, options_{options},
          root_{detail::open_sandbox_root(calls, path_, options.create_root,
                                          options.root == RootRule::private_only)},
          swept_{std::make_unique<detail::SweptDirectories>()} {}

    /// The root as given, without a slash at its end.
    std::string const& path() const noexcept { return path_; }

    /// Where a file or directory of the sandbox stands on the host, as text. Nothing is looked up.
    std::string path_of(std::string_view path) const {
        auto const components = detail::sandbox_directory_path(path);
        return components.empty() ? path_ : path_ + '/' + detail::joined(components);
    }

    /// Begins to write a file of `size` bytes, and creates the directories that it needs. Nothing is
    /// reserved.
    SandboxFile begin_file(std::string_view path, std::uint64_t size) const {
        auto target = detail::sandbox_file_path(path);
        auto place = place_of(path);
        auto directory = open(target.directory, place, created());
        sweep_once(directory.get());
        return {*calls_, std::move(directory), std::move(target.name), std::move(place),
                size,    options_.durability};
    }

    /// Writes a file that is in memory.
    void write_file(std::string_view path, std::string_view bytes) const {
        auto file = begin_file(path, bytes.size());
        file.append(bytes);
        file.finish();
    }

    /// Opens a regular file for reading.
    SandboxReader open_file(std::string_view path) const {
        auto const target = detail::sandbox_file_path(path);
        auto place = place_of(path);
        auto const directory = open(target.directory, place, detail::MissingDirectory::fails);
        auto opened = detail::open_regular_file(*calls_, directory.get(), target.name.c_str());
        if (opened.error != 0) place.fail(opened.error, "open");
        if (!opened.file.valid()) place.refuse_kind(opened.status.st_mode);
        return {*calls_, std::move(opened.file), static_cast<std::uint64_t>(opened.status.st_size),
                std::move(place)};
    }

    /// Creates a directory and its parents; one that exists is left as it is.
    void create_directory(std::string_view path) const {
        auto const place = place_of(path);
        open(detail::sandbox_directory_path(path), place, created());
    }

    /// Removes the temporaries that dead writers have left in one directory, and returns how many. Those that
    /// cannot be removed stay.
    std::size_t sweep(std::string_view directory = ".") const {
        auto const place = place_of(directory);
        auto const opened =
            open(detail::sandbox_directory_path(directory), place, detail::MissingDirectory::fails);
        auto const sweep = detail::sweep_temporaries(*calls_, opened.get());
        if (sweep.error != 0) place.fail(sweep.error, "sweep");
        return sweep.removed;
    }

private:
    detail::SandboxPlace place_of(std::string_view path) const { return {path_, std::string{path}}; }

    detail::MissingDirectory created() const noexcept {
        return options_.durability == Durability::power_loss ? detail::MissingDirectory::created_and_synced
                                                             : detail::MissingDirectory::created;
    }

    detail::FileDescriptor open(detail::SandboxComponents const& components,
                                detail::SandboxPlace const& place, detail::MissingDirectory missing) const {
        return detail::BeneathOpener{*calls_, root_.get(), place, missing}.open(components);
    }

    // A sweep that fails keeps nobody from writing.
    void sweep_once(int directory) const {
        struct ::stat status {};
        if (calls_->status(directory, status) == 0 && swept_->add(status))
            detail::sweep_temporaries(*calls_, directory);
    }

    detail::FileCalls const* calls_;
    std::string path_;
    SandboxOptions options_;
    detail::FileDescriptor root_;
    std::unique_ptr<detail::SweptDirectories> swept_;
};

} // namespace longshore::inline v0

#endif
#endif
