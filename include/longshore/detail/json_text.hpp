// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_JSON_TEXT_HPP
#define LONGSHORE_DETAIL_JSON_TEXT_HPP

#include <longshore/detail/utf8.hpp>

#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

inline void append_json_escape(std::string& json, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    auto const byte = static_cast<unsigned char>(c);
    switch (c) {
    case '"':
    case '\\':
        json.append({'\\', c});
        break;
    case '\n':
        json.append("\\n");
        break;
    case '\r':
        json.append("\\r");
        break;
    case '\t':
        json.append("\\t");
        break;
    default:
        json.append("\\u00").append({digits[byte >> 4U], digits[byte & 0xFU]});
    }
}

// Any bytes as a JSON string, for what must be written whatever it is. What is no UTF-8 becomes U+FFFD.
inline std::string json_text(std::string_view text) {
    auto const readable = utf8_replace(text);
    std::string json{"\""};
    json.reserve(readable.size() + 2);
    for (auto const c : readable) {
        if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == '\x7f')
            append_json_escape(json, c);
        else
            json += c;
    }
    return json += '"';
}

} // namespace longshore::inline v0::detail

#endif
