// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SYNC_PATH_HPP
#define LONGSHORE_DETAIL_SYNC_PATH_HPP

#include <longshore/config.hpp>
#include <longshore/container/config.hpp>
#include <longshore/detail/lexical_path.hpp>
#include <longshore/detail/sandbox_path.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/filesystem/sandbox_directory.hpp>
#include <longshore/filesystem/sandbox_error.hpp>
#include <longshore/path_mapper.hpp>

#if !LONGSHORE_WINDOWS

#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// A place that both sides have, or shall have.
struct SyncPath {
    std::string container{}; // resolved as text
    std::string host{};
    std::string relative{}; // to the root of the sandbox; `.` is the root itself
};

inline void check_sync_path(std::string_view path, std::string const& name) {
    if (holds_null(path)) throw ValueError{name + " must not contain null bytes: " + shown_text(path)};
    if (!path.starts_with('/')) throw ValueError{name + " must be absolute: " + shown_text(path)};
}

// A slash at the end, and what is a slash in disguise.
inline bool names_directory(std::string_view path) noexcept {
    return path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
}

inline void check_names_file(std::string_view path, std::string const& name) {
    if (names_directory(path))
        throw ValueError{name + " must name a file, not a directory: " + shown_text(path)};
}

// `outside_of`: "the sandbox '/srv/project'".
[[noreturn]] inline void refuse_traversal(std::string_view path, std::string const& outside_of) {
    throw SandboxEscapeError{"path traversal: " + shown_text(path) + " leads outside of " + outside_of,
                             SandboxEscape::traversal};
}

// Below the root of the sandbox, as `SandboxDirectory` takes it. Throws SandboxEscapeError for what is not.
inline std::string relative_to_sandbox(std::string_view host_path, std::string_view path,
                                       std::string_view root) {
    if (!is_lexically_within(host_path, root)) refuse_traversal(path, "the sandbox " + shown_text(root));
    return host_path.size() == root.size() ? "." : std::string{host_path.substr(root.size() + 1)};
}

// Where a path of the container belongs on the host. Throws ValueError for a NUL and for a relative path, and
// SandboxEscapeError for a path whose place is not in the sandbox: of another mount, of none, or climbing.
inline SyncPath sync_path(PathMapper const& mapper, std::string_view container_path) {
    check_sync_path(container_path, "container_path");
    SyncPath path;
    path.container = lexically_resolved(container_path);
    if (!mapper.is_container_path(path.container))
        refuse_traversal(container_path, "the workspace " + shown_text(mapper.container_root()));
    path.host = mapper.container_to_host(path.container);
    path.relative = relative_to_sandbox(path.host, container_path, mapper.host_root());
    return path;
}

// The same for a file. Throws ValueError as well for a path that can only name a directory, and what
// sandbox_file_path throws.
inline SyncPath sync_file_path(PathMapper const& mapper, std::string_view container_path) {
    auto path = sync_path(mapper, container_path);
    check_names_file(container_path, "container_path");
    sandbox_file_path(path.relative);
    return path;
}

// The other way: a file of the sandbox by its host path, and a file's place in what the container shares.
inline std::string sent_file_path(PathMapper const& mapper, std::string_view host_path) {
    check_sync_path(host_path, "host_path");
    check_names_file(host_path, "host_path");
    return relative_to_sandbox(lexically_resolved(host_path), host_path, mapper.host_root());
}

inline std::string sent_file_target(PathMapper const& mapper, std::string_view container_path) {
    check_sync_path(container_path, "container_path");
    check_names_file(container_path, "container_path");
    auto target = lexically_resolved(container_path);
    if (!mapper.is_container_path(target))
        refuse_traversal(container_path,
                         "the workspace " + shown_text(mapper.container_root()) + " and the mounts");
    return target;
}

// The default one is a well-known name in a directory that everybody may write to; another one is what the
// program's user chose.
inline SandboxDirectory open_sandbox(ContainerConfig const& config, PathMapper const& mapper,
                                     SandboxOptions options) {
    options.root = config.host_sandbox_path.empty() ? RootRule::private_only : RootRule::as_given;
    return SandboxDirectory{mapper.host_root(), options};
}

} // namespace longshore::inline v0::detail

#endif
#endif
