// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_JSON_PATH_REWRITER_HPP
#define LONGSHORE_JSON_PATH_REWRITER_HPP

#include <longshore/detail/embedded_paths.hpp>
#include <longshore/detail/file_uri.hpp>
#include <longshore/json/policy.hpp>
#include <longshore/looks_like_path.hpp>
#include <longshore/path_mapper.hpp>
#include <longshore/path_mapping_options.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// How many objects and arrays, one inside the other, path mapping enters. What lies deeper stays as it is.
/// Source: container_tool_exec.feature, "recursion depth guards on path mapping".
inline constexpr std::size_t path_mapping_depth_limit = 100;

/// Which way paths are mapped.
enum class PathDirection : std::uint8_t {
    to_container, ///< inputs
    to_host       ///< outputs
};

/// What one text becomes, by the rules for a string value; empty when it stays as it is. A text with a NUL
/// always stays.
template <PathMapping Mapper>
std::optional<std::string> mapped_text(std::string_view text, Mapper const& mapper, PathDirection direction,
                                       PathMappingOptions const& options = {}) {
    if (text.find('/') == std::string_view::npos || text.find('\0') != std::string_view::npos)
        return std::nullopt;
    auto const map = [&](std::string_view path) -> std::string {
        if (direction == PathDirection::to_container) return mapper.host_to_container(path);
        return mapper.container_to_host(path);
    };
    if (options.map_file_uris)
        if (auto const uri = detail::file_uri(text)) return detail::mapped_file_uri(*uri, map);
    if (options.map_embedded)
        if (auto mapped = detail::mapped_embedded_paths(text, map)) return mapped;
    if (!looks_like_path(text)) return std::nullopt;
    auto mapped = map(text);
    return mapped == text ? std::nullopt : std::optional{std::move(mapped)};
}

/// Maps the paths in a JSON document, in place.
///
/// A string value is mapped as a whole, once, when it looks like a path (`looks_like_path`);
/// `PathMappingOptions` can ask for more. Names of members, numbers and everything deeper than
/// `path_mapping_depth_limit` stay as they are, and so does the member `raw_output` at the top of an output,
/// because it is text that was never parsed. A string that holds a NUL is no path and stays.
///
/// It refers to the mapper, which must outlive it. What the mapper throws comes through; the document is then
/// partly mapped. Thread safety: as that of the mapper's `const` functions; a document belongs to one thread.
/// Source: container_tool_exec.feature, "_map_input_paths", "_map_output_paths".
template <JsonPolicy Json, PathMapping Mapper = PathMapper>
class PathRewriter {
public:
    using value = typename Json::value;
    using object = typename Json::object;

    explicit PathRewriter(Mapper const& mapper, PathMappingOptions options = {})
        : mapper_{mapper}, options_{std::move(options)} {}
    explicit PathRewriter(Mapper const&& mapper, PathMappingOptions options = {}) = delete;

    /// Maps host paths to container paths in a tool's inputs. Returns how many texts changed.
    std::size_t map_inputs(object& inputs) const {
        return Walk{*this, PathDirection::to_container}.through_members(inputs, 1);
    }

    /// The same for a document of any kind.
    std::size_t map_inputs(value& inputs) const {
        return Walk{*this, PathDirection::to_container}.through(inputs, 1);
    }

    /// Maps container paths to host paths in a tool's output. Returns how many texts changed.
    std::size_t map_outputs(object& output) const {
        return Walk{*this, PathDirection::to_host, raw_output}.through_members(output, 1);
    }

    /// The same for a document of any kind.
    std::size_t map_outputs(value& output) const {
        return Walk{*this, PathDirection::to_host, raw_output}.through(output, 1);
    }

private:
    static constexpr std::string_view raw_output{"raw_output"};

    // One pass. The level of the outermost object or array is 1, and it alone has a name to leave alone.
    struct Walk {
        PathRewriter const& rewriter;
        PathDirection direction;
        std::string_view left_alone_on_top{};

        std::size_t through(value& document, std::size_t level) const {
            switch (Json::kind(document)) {
            case JsonKind::string:
                return replace(document);
            case JsonKind::array:
                return through_elements(document, level);
            case JsonKind::object:
                return through_members(Json::as_object(document), level);
            default:
                return 0;
            }
        }

        std::size_t through_members(object& members, std::size_t level) const {
            if (level > path_mapping_depth_limit) return 0;
            std::size_t changes = 0;
            Json::for_each_member(members, [&](std::string_view key, value& member) {
                if (!stays(key, level)) changes += through(member, level + 1);
            });
            return changes + (rewriter.options_.map_keys ? rename(members, level) : 0);
        }

        std::size_t through_elements(value& elements, std::size_t level) const {
            if (level > path_mapping_depth_limit) return 0;
            std::size_t changes = 0;
            Json::for_each_element(elements, [&](value& element) { changes += through(element, level + 1); });
            return changes;
        }

        std::size_t rename(object& members, std::size_t level) const {
            std::size_t changes = 0;
            Json::rename_members(members, [&](std::string_view key) {
                auto name = stays(key, level) ? std::nullopt : mapped(key);
                if (name) ++changes;
                return name;
            });
            return changes;
        }

        std::size_t replace(value& text) const {
            auto const replacement = mapped(Json::as_string(text));
            if (replacement) Json::assign(text, *replacement);
            return replacement ? 1 : 0;
        }

        bool stays(std::string_view key, std::size_t level) const {
            auto const& names = rewriter.options_.keys_to_leave_alone;
            return (level == 1 && !left_alone_on_top.empty() && key == left_alone_on_top) ||
                   std::find(names.begin(), names.end(), key) != names.end();
        }

        std::optional<std::string> mapped(std::string_view text) const {
            return mapped_text(text, rewriter.mapper_, direction, rewriter.options_);
        }
    };

    Mapper const& mapper_;
    PathMappingOptions options_;
};

} // namespace longshore::inline v0

#endif
