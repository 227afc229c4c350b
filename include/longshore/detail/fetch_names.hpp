// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FETCH_NAMES_HPP
#define LONGSHORE_DETAIL_FETCH_NAMES_HPP

#include <longshore/container/sync_options.hpp>
#include <longshore/detail/fetch_reader.hpp>
#include <longshore/detail/lexical_path.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/filesystem/sandbox_error.hpp>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// The names of a tree as a container tells them. fetch_text cannot say one that leads out, twice the same, or
// more than was asked for; so whoever does, lies.
class FetchNames {
public:
    explicit FetchNames(SyncLimits const& limits) : limits_{limits} {}

    // Throws ContainerExecutionError, or SandboxEscapeError for a name that would lead out of the tree.
    void accept(std::string_view name) {
        if (++count_ > limits_.entries) distrust_answer("it holds more entries than were asked for");
        text_size_ += name.size();
        if (text_size_ > most_text) distrust_answer("its names are too long together");
        if (depth_of(name) > limits_.depth) distrust_answer("a name lies too deep: " + shown_text(name));
        if (!seen_.emplace(name).second) distrust_answer("a name comes twice: " + shown_text(name));
    }

private:
    // Names are held in memory, so that a container must not choose how many bytes they have.
    static constexpr std::size_t most_text = std::size_t{32} << 20;

    // How many directories of the tree lie above it.
    static std::size_t depth_of(std::string_view name) {
        std::size_t depth = 0;
        if (name.empty() || name.ends_with('/')) refuse(name);
        for (auto rest = name; !rest.empty(); ++depth)
            if (auto const part = take_component(rest); part.empty() || part == "." || part == "..")
                refuse(name);
        return depth - 1;
    }

    [[noreturn]] static void refuse(std::string_view name) {
        throw SandboxEscapeError{"path traversal: the container told a name that is none inside the tree: " +
                                     shown_text(name),
                                 SandboxEscape::traversal};
    }

    SyncLimits limits_;
    std::set<std::string, std::less<>> seen_{};
    std::size_t count_ = 0;
    std::size_t text_size_ = 0;
};

} // namespace longshore::inline v0::detail

#endif
