// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_ERROR_TEXT_HPP
#define LONGSHORE_CONTAINER_ERROR_TEXT_HPP

#include <longshore/container/redactor.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/error.hpp>
#include <longshore/timeout.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace longshore::inline v0 {

/// Bytes of a standard error that an error text holds at most: the last ones, where the reason stands.
inline constexpr std::size_t error_text_limit = std::size_t{8} << 10;

/// The last part of what a command wrote, fit for an error text: without secrets, valid UTF-8, without white
/// space at its end, with `...` in front when something is missing there.
/// @param cut whether the end of `text` was cut off, so that a secret may have begun there.
inline std::string error_tail(std::string_view text, bool cut, Redactor const& redactor) {
    auto const redacted = redactor(text, cut);
    std::string_view tail{redacted};
    auto const last = tail.find_last_not_of(" \t\r\n");
    tail = tail.substr(0, last == std::string_view::npos ? 0 : last + 1);
    if (tail.size() <= error_text_limit) return detail::utf8_replace(tail);
    tail.remove_prefix(tail.size() - error_text_limit);
    auto const is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; };
    constexpr std::size_t longest_rest_of_character = 3;
    for (std::size_t skipped = 0; skipped < longest_rest_of_character && is_continuation(tail.front());
         ++skipped)
        tail.remove_prefix(1);
    return "..." + detail::utf8_replace(tail);
}

/// Source: execution-environment.md, "Error Reporting".
inline std::string failed_text(int exit_code, std::string_view reason) {
    return "Container execution failed (exit code " + std::to_string(exit_code) + "): " + std::string{reason};
}

/// Source: execution-environment.md, "Error Reporting".
inline std::string timed_out_text(Timeout const& timeout) {
    return "Container execution timed out after " + format_seconds(timeout.seconds()) + "s";
}

} // namespace longshore::inline v0

#endif
