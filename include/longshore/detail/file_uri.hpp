// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FILE_URI_HPP
#define LONGSHORE_DETAIL_FILE_URI_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// `file` URIs of this machine (RFC 8089): `file:/a`, `file:///a` and `file://localhost/a`.

struct FileUri {
    std::string_view prefix; // everything before the path
    std::string_view path;   // still encoded, starts with a slash
    std::string_view suffix; // a query or a fragment, with its first character
};

// Compares with a text in lower case: schemes and hosts are the same in either case (RFC 3986, 6.2.2.1).
constexpr bool starts_with_ignoring_case(std::string_view text, std::string_view lower) noexcept {
    if (text.size() < lower.size()) return false;
    for (std::size_t at = 0; at < lower.size(); ++at) {
        auto const c = text[at];
        if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower[at]) return false;
    }
    return true;
}

// The parts of a URI that names a file here; empty for everything else, such as a file on another host.
constexpr std::optional<FileUri> file_uri(std::string_view text) noexcept {
    using std::string_view;
    for (auto const prefix :
         {string_view{"file://localhost/"}, string_view{"file:///"}, string_view{"file:/"}}) {
        if (!starts_with_ignoring_case(text, prefix)) continue;
        auto const start = prefix.size() - 1;
        auto const end = (std::min)(text.find_first_of("?#"), text.size());
        if (text.substr(start).starts_with("//")) return std::nullopt;
        return FileUri{text.substr(0, start), text.substr(start, end - start), text.substr(end)};
    }
    return std::nullopt;
}

constexpr int hexadecimal_digit(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The path as the file system knows it. Empty for a broken escape, and for `%2F` and `%00`: no file name
// holds those bytes, and a slash that was none must not become one.
inline std::optional<std::string> percent_decoded(std::string_view encoded) {
    std::string decoded;
    decoded.reserve(encoded.size());
    for (std::size_t at = 0; at < encoded.size(); ++at) {
        if (encoded[at] != '%') {
            decoded += encoded[at];
            continue;
        }
        if (encoded.size() - at < 3) return std::nullopt;
        auto const high = hexadecimal_digit(encoded[at + 1]);
        auto const low = hexadecimal_digit(encoded[at + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        auto const byte = static_cast<char>(high * 16 + low);
        if (byte == '/' || byte == '\0') return std::nullopt;
        decoded += byte;
        at += 2;
    }
    return decoded;
}

constexpr bool stands_plain_in_uri_path(char c) noexcept {
    auto const is_letter_or_digit =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_letter_or_digit || std::string_view{"/-._~!$&'()*+,;=:@"}.find(c) != std::string_view::npos;
}

inline std::string percent_encoded(std::string_view path) {
    constexpr std::string_view digits{"0123456789ABCDEF"};
    std::string encoded;
    encoded.reserve(path.size());
    for (auto const c : path) {
        auto const byte = static_cast<unsigned char>(c);
        if (stands_plain_in_uri_path(c))
            encoded += c;
        else
            encoded.append({'%', digits[byte >> 4U], digits[byte & 0xFU]});
    }
    return encoded;
}

// The URI with its path mapped by `map(std::string_view)`; empty when that changes nothing.
template <typename Map>
std::optional<std::string> mapped_file_uri(FileUri const& uri, Map const& map) {
    auto const path = percent_decoded(uri.path);
    if (!path) return std::nullopt;
    std::string const mapped = map(std::string_view{*path});
    if (mapped == *path) return std::nullopt;
    return std::string{uri.prefix} + percent_encoded(mapped) + std::string{uri.suffix};
}

} // namespace longshore::inline v0::detail

#endif
