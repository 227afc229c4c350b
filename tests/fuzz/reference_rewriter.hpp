// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_FUZZ_REFERENCE_REWRITER_HPP
#define LONGSHORE_TESTS_FUZZ_REFERENCE_REWRITER_HPP

#include <longshore/json/path_rewriter.hpp>
#include <longshore/path_mapping_options.hpp>

#include <fuzz/reference_paths.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fuzz {

// The rules of `PathRewriter` and `PathMappingOptions`, each written the plain way: one character after the
// other, one value after the other, and every value built anew.
class ReferenceRewriter {
public:
    ReferenceRewriter(ReferenceMapper mapper, longshore::PathDirection direction,
                      longshore::PathMappingOptions options)
        : mapper_{std::move(mapper)}, direction_{direction}, options_{std::move(options)} {}

    boost::json::value rewritten(boost::json::value const& document) { return value(document, 1); }

    std::size_t changes() const noexcept { return changes_; }

private:
    using Value = boost::json::value;

    Value value(Value const& document, int level) {
        if (document.is_string()) return Value(counted(view(document.get_string())));
        if (level > 100) return document;
        if (document.is_array()) {
            boost::json::array array;
            for (auto const& element : document.get_array())
                array.push_back(value(element, level + 1));
            return array;
        }
        return document.is_object() ? Value(object(document.get_object(), level)) : document;
    }

    boost::json::object object(boost::json::object const& members, int level) {
        boost::json::object built;
        for (auto const& member : members) {
            auto const key = view(member.key());
            auto const stays = stays_as_it_is(key, level);
            auto const name = stays || !options_.map_keys ? std::string{key} : counted(key);
            built.insert_or_assign(name, stays ? member.value() : value(member.value(), level + 1));
        }
        return built;
    }

    bool stays_as_it_is(std::string_view key, int level) const {
        auto const& names = options_.keys_to_leave_alone;
        if (std::count(names.begin(), names.end(), key) > 0) return true;
        return level == 1 && key == "raw_output" && direction_ == longshore::PathDirection::to_host;
    }

    std::string counted(std::string_view text) {
        auto mapped = mapped_text(std::string{text});
        if (mapped != text) ++changes_;
        return mapped;
    }

    std::string mapped_text(std::string const& text) const {
        if (text.find('\0') != std::string::npos) return text;
        if (options_.map_file_uris)
            if (auto const start = path_of_file_uri(text)) return mapped_uri(text, *start);
        if (options_.map_embedded)
            if (auto const mapped = mapped_embedded(text); mapped != text) return mapped;
        return is_path(text) ? mapped_path(text) : text;
    }

    std::string mapped_path(std::string const& path) const {
        return direction_ == longshore::PathDirection::to_host ? mapper_.container_to_host(path)
                                                               : mapper_.host_to_container(path);
    }

    static bool is_path(std::string_view text) {
        if (text.empty() || text[0] != '/' || text.substr(0, 2) == "//") return false;
        return text.find('\n') == std::string_view::npos && text.find('?') == std::string_view::npos &&
               text.find('#') == std::string_view::npos && text.find("://") == std::string_view::npos;
    }

    // --- file URIs

    static std::optional<std::size_t> path_of_file_uri(std::string const& text) {
        std::string lower;
        for (char const c : text.substr(0, 17))
            lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (lower.substr(0, 5) != "file:") return std::nullopt;
        std::size_t start = 5;
        if (lower.substr(5, 2) == "//") start = lower.substr(7, 9) == "localhost" ? 16 : 7;
        if (text.substr(start, 1) != "/" || text.substr(start, 2) == "//") return std::nullopt;
        return start;
    }

    std::string mapped_uri(std::string const& text, std::size_t start) const {
        auto const end = (std::min)(text.find_first_of("?#"), text.size());
        auto const path = decoded(text.substr(start, end - start));
        if (!path || mapped_path(*path) == *path) return text;
        return text.substr(0, start) + encoded(mapped_path(*path)) + text.substr(end);
    }

    static std::optional<std::string> decoded(std::string const& text) {
        std::string path;
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (text[at] != '%') {
                path += text[at];
                continue;
            }
            auto const digits = text.substr(at + 1, 2);
            if (digits.size() != 2 ||
                digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos || digits == "00" ||
                digits == "2f" || digits == "2F")
                return std::nullopt;
            path += static_cast<char>(std::stoi(digits, nullptr, 16));
            at += 2;
        }
        return path;
    }

    // RFC 3986: what a path may hold without an escape.
    static std::string encoded(std::string const& path) {
        std::string text;
        for (char const c : path) {
            auto const byte = static_cast<unsigned char>(c);
            char escape[4] = {c, '\0', '\0', '\0'};
            auto const is_plain = (byte < 0x80 && std::isalnum(byte) != 0) ||
                                  std::string{"-._~!$&'()*+,;=:@/"}.find(c) != std::string::npos;
            if (!is_plain) std::snprintf(escape, sizeof escape, "%%%02X", static_cast<unsigned>(byte));
            text += escape;
        }
        return text;
    }

    // --- embedded forms

    static bool is_one_of(char c, std::string_view characters) {
        return static_cast<unsigned char>(c) <= ' ' || characters.find(c) != std::string_view::npos;
    }

    std::string mapped_embedded(std::string const& text) const {
        std::string mapped;
        for (std::size_t at = 0; at < text.size();) {
            auto const starts = text[at] == '/' && (at == 0 || is_one_of(text[at - 1], "\"'`=:,;|&<>([{@"));
            if (!starts) {
                mapped += text[at++];
                continue;
            }
            auto const is_url = text.substr(at, 2) == "//";
            std::string piece;
            while (at < text.size() && !is_one_of(text[at], is_url ? "\"'`<>" : "\"'`=:,;|&<>()[]{}\\"))
                piece += text[at++];
            mapped += is_path(piece) ? mapped_path(piece) : piece;
        }
        return mapped;
    }

    static std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

    ReferenceMapper mapper_;
    longshore::PathDirection direction_;
    longshore::PathMappingOptions options_;
    std::size_t changes_ = 0;
};

} // namespace fuzz

#endif
