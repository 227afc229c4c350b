// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SHOWN_TEXT_HPP
#define LONGSHORE_DETAIL_SHOWN_TEXT_HPP

#include <longshore/detail/utf8.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// Error texts go to terminals, logs and JSON, so a value stands there in quotes, as UTF-8 whatever it is,
// with its control characters escaped and with a bound on its length.
inline constexpr std::size_t shown_text_limit = 200;

constexpr bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }

inline bool holds_control(std::string_view text) noexcept {
    for (auto const c : text)
        if (is_control(c)) return true;
    return false;
}

inline bool holds_null(std::string_view text) noexcept { return text.find('\0') != std::string_view::npos; }

inline std::string shown_text(std::string_view value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text{"'"};
    for (auto const c : utf8_replace(utf8_cut(value, shown_text_limit))) {
        if (is_control(c)) {
            auto const byte = static_cast<unsigned char>(c);
            text += "\\x";
            text += digits[byte >> 4U];
            text += digits[byte & 0xFU];
        } else {
            text += c;
        }
    }
    if (value.size() > shown_text_limit) text += "...";
    return text += '\'';
}

} // namespace longshore::inline v0::detail

#endif
