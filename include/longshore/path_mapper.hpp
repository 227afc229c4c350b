// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_PATH_MAPPER_HPP
#define LONGSHORE_PATH_MAPPER_HPP

#include <longshore/detail/lexical_path.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// Translates paths between the host and a container.
///
/// Requirements on a type `M` and a `const` object `mapper` of it:
/// 1. `mapper.host_to_container(path)` and `mapper.container_to_host(path)`, with a `std::string_view`,
/// return
///    something that converts to `std::string`: the path over there, or the same text where there is none.
///
/// Not required: roots, a constructor. `PathMapper` is the default model.
template <typename M>
concept PathMapping = requires(M const& mapper, std::string_view path) {
    { mapper.host_to_container(path) } -> std::convertible_to<std::string>;
    { mapper.container_to_host(path) } -> std::convertible_to<std::string>;
};

/// One directory that both sides see: absolute, by its path on the host and by its path in the container.
struct Mount {
    std::string host{};
    std::string container{};

    friend bool operator==(Mount const&, Mount const&) = default;
};

/// Maps host paths to container paths and back.
///
/// A path belongs to a mount when it is its root or below it, component by component, after `.`, `..` and
/// doubled slashes are resolved as text; `/workspace2` is not below `/workspace`. Of several mounts the
/// longest root wins. A path that belongs to none, a relative path and a Windows form come back unchanged,
/// byte for byte; so does a host path that the container cannot see because another mount covers its place
/// there. A slash at the end of a path stays. A path that was mapped to the container maps back to itself,
/// resolved.
///
/// It is not a sandbox: nothing here looks at a file system, so symbolic links are not seen.
/// Thread safety: immutable once constructed. A value type; results own their text.
/// Source: container_tool_exec.feature, "PathMapper"; execution-environment.md, "Path Mapping".
class PathMapper {
public:
    /// One mount. Throws `ValueError` that names the root for one that is empty, relative, the file system's
    /// root, or holds a NUL or a backslash, and for two roots that overlap.
    PathMapper(std::string host_root, std::string container_root)
        : mounts_{{std::move(host_root), std::move(container_root)}} {
        accept_mount(0, "host_root", "container_root");
    }

    /// Several mounts, in any order. Throws `ValueError` as above, for no mounts, and for two mounts that
    /// have a root in common.
    explicit PathMapper(std::vector<Mount> mounts) : mounts_{std::move(mounts)} {
        if (mounts_.empty()) throw ValueError{"mounts must not be empty"};
        for (std::size_t index = 0; index < mounts_.size(); ++index) {
            accept_mount(index, name_of(index, ".host"), name_of(index, ".container"));
            refuse_duplicates_of(index);
        }
    }

    /// The path in the container. Throws `ValueError` when the path holds a NUL.
    std::string host_to_container(std::string_view path) const {
        refuse_null(path, "host path");
        ResolvedPath const place{path};
        Mount const* best = nullptr;
        for (auto const& mount : mounts_)
            if (place.is_within(mount.host) && is_longer(mount.host, best, &Mount::host) &&
                is_visible(place, mount))
                best = &mount;
        return best ? place.moved(best->host, best->container) : std::string{path};
    }

    /// The path on the host. Throws `ValueError` when the path holds a NUL.
    std::string container_to_host(std::string_view path) const {
        refuse_null(path, "container path");
        ResolvedPath const place{path};
        auto const* const mount = owner(place, &Mount::container);
        return mount ? place.moved(mount->container, mount->host) : std::string{path};
    }

    /// Whether the path is a host root or below one. False for a path with a NUL.
    bool is_host_path(std::string_view path) const {
        return !detail::holds_null(path) && owner(ResolvedPath{path}, &Mount::host) != nullptr;
    }

    /// Whether the path is a container root or below one. False for a path with a NUL.
    bool is_container_path(std::string_view path) const {
        return !detail::holds_null(path) && owner(ResolvedPath{path}, &Mount::container) != nullptr;
    }

    /// The roots of the first mount, resolved.
    std::string const& host_root() const noexcept { return mounts_.front().host; }
    std::string const& container_root() const noexcept { return mounts_.front().container; }

    /// All mounts in the order given, roots resolved.
    std::vector<Mount> const& mounts() const noexcept { return mounts_; }

    friend bool operator==(PathMapper const&, PathMapper const&) = default;

private:
    using Side = std::string Mount::*;

    // A path with `.`, `..` and doubled slashes resolved; costs no allocation where there is nothing to
    // resolve. It refers to the text that it was made of.
    class ResolvedPath {
    public:
        explicit ResolvedPath(std::string_view path) : view_{path} {
            if (!path.starts_with('/')) return;
            ends_with_slash_ = path.size() > 1 && path.ends_with('/');
            if (detail::is_lexically_plain(path)) {
                view_.remove_suffix(ends_with_slash_ ? 1 : 0);
            } else {
                resolved_ = detail::lexically_resolved(path);
                view_ = resolved_;
            }
        }
        ResolvedPath(ResolvedPath const&) = delete;
        ResolvedPath& operator=(ResolvedPath const&) = delete;

        bool is_within(std::string_view root) const noexcept {
            return detail::is_lexically_within(view_, root);
        }

        std::string moved(std::string_view from, std::string_view to) const {
            auto const rest = view_.substr(from.size());
            std::string path;
            path.reserve(to.size() + rest.size() + 1);
            path.append(to).append(rest);
            if (ends_with_slash_) path += '/';
            return path;
        }

    private:
        std::string resolved_{};
        std::string_view view_;
        bool ends_with_slash_ = false;
    };

    static bool is_longer(std::string const& root, Mount const* best, Side side) noexcept {
        return best == nullptr || root.size() > (best->*side).size();
    }

    Mount const* owner(ResolvedPath const& place, Side side) const noexcept {
        Mount const* best = nullptr;
        for (auto const& mount : mounts_)
            if (place.is_within(mount.*side) && is_longer(mount.*side, best, side)) best = &mount;
        return best;
    }

    // In the container a mount covers what another mount has at the same place.
    bool is_visible(ResolvedPath const& place, Mount const& mount) const {
        if (mounts_.size() == 1) return true;
        auto const there = place.moved(mount.host, mount.container);
        return owner(ResolvedPath{there}, &Mount::container) == &mount;
    }

    static void refuse_null(std::string_view path, std::string_view what) {
        if (detail::holds_null(path))
            throw ValueError{std::string{what} + " must not contain null bytes: " + detail::shown_text(path)};
    }

    static std::string name_of(std::size_t index, std::string_view member) {
        return "mounts[" + std::to_string(index) + "]" + std::string{member};
    }

    void accept_mount(std::size_t index, std::string const& host_name, std::string const& container_name) {
        auto& [host, container] = mounts_[index];
        host = accepted_root(host, host_name);
        container = accepted_root(container, container_name);
        if (detail::is_lexically_within(host, container) || detail::is_lexically_within(container, host))
            throw ValueError{host_name + " " + detail::shown_text(host) + " and " + container_name + " " +
                             detail::shown_text(container) + " must not overlap"};
    }

    static std::string accepted_root(std::string const& root, std::string const& name) {
        if (root.empty()) throw ValueError{name + " must not be empty"};
        refuse_null(root, name);
        if (root.find('\\') != std::string::npos)
            throw ValueError{name + " must not contain a backslash: " + detail::shown_text(root)};
        if (root.front() != '/')
            throw ValueError{name + " must be absolute, not " + detail::shown_text(root)};
        auto resolved = detail::lexically_resolved(root);
        if (resolved == "/")
            throw ValueError{name + " must not be the filesystem root '/': " + detail::shown_text(root)};
        return resolved;
    }

    void refuse_duplicates_of(std::size_t index) const {
        for (std::size_t earlier = 0; earlier < index; ++earlier)
            for (auto const& [side, member] :
                 {std::pair{&Mount::host, ".host"}, {&Mount::container, ".container"}})
                if (mounts_[earlier].*side == mounts_[index].*side)
                    throw ValueError{name_of(index, member) + " " + detail::shown_text(mounts_[index].*side) +
                                     " is already " + name_of(earlier, member)};
    }

    std::vector<Mount> mounts_;
};

static_assert(PathMapping<PathMapper>);

} // namespace longshore::inline v0

#endif
