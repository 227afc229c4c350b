// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_FUZZ_REFERENCE_PATHS_HPP
#define LONGSHORE_TESTS_FUZZ_REFERENCE_PATHS_HPP

#include <longshore/path_mapper.hpp>

#include <fuzz/input.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

// Paths as lists of components: slow, and nothing in it can mistake `/ab` for something below `/a`.
using Components = std::vector<std::string>;

inline Components components_of(std::string_view path) {
    Components components;
    for (auto const part : split(path, '/')) {
        if (part == "..") {
            if (!components.empty()) components.pop_back();
        } else if (!part.empty() && part != ".") {
            components.emplace_back(part);
        }
    }
    return components;
}

inline std::string joined(Components const& components) {
    std::string path;
    for (auto const& component : components)
        path += '/' + component;
    return path.empty() ? "/" : path;
}

inline bool is_within(Components const& path, Components const& root) {
    return path.size() >= root.size() && std::equal(root.begin(), root.end(), path.begin());
}

// The path with `.` and `..` resolved, and with the slash at its end that it had.
inline std::string resolved(std::string_view path) {
    auto text = joined(components_of(path));
    if (text != "/" && path.ends_with('/')) text += '/';
    return text;
}

// One mount as its components.
struct ReferenceMount {
    Components host;
    Components container;
};

using ReferenceSide = Components ReferenceMount::*;

// The path below another root; empty where it is not within the mount.
inline std::optional<Components> moved(Components const& path, ReferenceMount const& mount,
                                       ReferenceSide from, ReferenceSide to) {
    auto const& root = mount.*from;
    if (!is_within(path, root)) return std::nullopt;
    auto there = mount.*to;
    there.insert(there.end(), path.begin() + static_cast<std::ptrdiff_t>(root.size()), path.end());
    return there;
}

// What `PathMapper` promises, said by components.
class ReferenceMapper {
public:
    explicit ReferenceMapper(std::vector<longshore::Mount> const& mounts) {
        for (auto const& mount : mounts)
            mounts_.push_back({components_of(mount.host), components_of(mount.container)});
    }

    std::string host_to_container(std::string_view path) const {
        return mapped(path, &ReferenceMount::host, &ReferenceMount::container);
    }
    std::string container_to_host(std::string_view path) const {
        return mapped(path, &ReferenceMount::container, &ReferenceMount::host);
    }

    bool is_below(std::string_view path, ReferenceSide side) const {
        return path.starts_with('/') && longest(components_of(path), side) != nullptr;
    }

private:
    ReferenceMount const* longest(Components const& path, ReferenceSide side) const {
        ReferenceMount const* best = nullptr;
        for (auto const& mount : mounts_)
            if (is_within(path, mount.*side) && (!best || (mount.*side).size() > (best->*side).size()))
                best = &mount;
        return best;
    }

    // Among the mounts that hold the path, and that the other mounts do not cover, the longest.
    std::string mapped(std::string_view path, ReferenceSide from, ReferenceSide to) const {
        if (!path.starts_with('/')) return std::string{path};
        auto const components = components_of(path);
        std::optional<Components> best;
        std::size_t best_length = 0;
        for (auto const& mount : mounts_) {
            auto const there = moved(components, mount, from, to);
            if (!there || (best && (mount.*from).size() <= best_length)) continue;
            auto const& in_container = from == &ReferenceMount::host ? *there : components;
            if (longest(in_container, &ReferenceMount::container) != &mount) continue;
            best = there;
            best_length = (mount.*from).size();
        }
        if (!best) return std::string{path};
        return joined(*best) + (path.ends_with('/') ? "/" : "");
    }

    std::vector<ReferenceMount> mounts_{};
};

// Whether `PathMapper` may be made of these.
inline bool may_be_mounted(std::vector<longshore::Mount> const& mounts) {
    auto const is_root = [](std::string const& root) {
        return root.starts_with('/') && root.find_first_of(std::string{"\0\\", 2}) == std::string::npos &&
               !components_of(root).empty();
    };
    std::vector<Components> hosts;
    std::vector<Components> containers;
    for (auto const& mount : mounts) {
        if (!is_root(mount.host) || !is_root(mount.container)) return false;
        hosts.push_back(components_of(mount.host));
        containers.push_back(components_of(mount.container));
        if (is_within(hosts.back(), containers.back()) || is_within(containers.back(), hosts.back()))
            return false;
    }
    auto const has_duplicates = [](std::vector<Components> roots) {
        std::sort(roots.begin(), roots.end());
        return std::adjacent_find(roots.begin(), roots.end()) != roots.end();
    };
    return !mounts.empty() && !has_duplicates(hosts) && !has_duplicates(containers);
}

// Mounts written as `host>container,host>container`.
inline std::vector<longshore::Mount> mounts_of(std::string_view text) {
    std::vector<longshore::Mount> mounts;
    for (auto const mount : split(text, ',')) {
        auto const middle = (std::min)(mount.find('>'), mount.size());
        mounts.push_back({std::string{mount.substr(0, middle)},
                          std::string{mount.substr((std::min)(middle + 1, mount.size()))}});
    }
    return mounts;
}

} // namespace fuzz

#endif
