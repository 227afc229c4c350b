// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_JSON_FAULT_HPP
#define LONGSHORE_DETAIL_JSON_FAULT_HPP

#include <longshore/detail/json_check.hpp>
#include <longshore/detail/utf8.hpp>
#include <longshore/json/policy.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0::detail {

// Tells why a text is no document for `JsonPolicy`, and where: models and people correct what they are told
// about. It is asked only about text that a strict parser has refused, so it may be slow, and what the parser
// decided stands.
template <JsonPolicy Json>
class JsonFault {
public:
    static std::string of(std::string_view text) {
        JsonFault fault{text};
        fault.white_space();
        if (fault.value(0) && !fault.at_end()) fault.broken("text after the document");
        if (fault.reason_.empty()) return "JSON document was refused";
        auto const place = fault.pointer_.empty() ? "document" : "value at '" + fault.pointer_ + "'";
        return "JSON " + place + " " + fault.reason_;
    }

private:
    explicit JsonFault(std::string_view text) : text_{text} {}

    // Each reads one thing and the white space behind it. False: the fault is found.
    bool value(std::size_t depth) {
        switch (next()) {
        case '{':
            return depth < json_depth_limit ? object(depth) : too_deep();
        case '[':
            return depth < json_depth_limit ? array(depth) : too_deep();
        case '"':
            return string("holds").has_value();
        default:
            return is_digit(next()) || next() == '-' ? number() : word();
        }
    }

    bool object(std::size_t depth) {
        take();
        if (taken('}')) return true;
        do {
            if (next() != '"') return broken("a name in quotes is missing");
            auto const key = string("has a name that holds");
            if (!key) return false;
            if (!taken(':')) return broken("a ':' is missing");
            if (!value(depth + 1)) return in(json_pointer_token(*key));
        } while (taken(','));
        return taken('}') || broken("a ',' or a '}' is missing");
    }

    bool array(std::size_t depth) {
        take();
        if (taken(']')) return true;
        std::size_t index = 0;
        do {
            if (!value(depth + 1)) return in("/" + std::to_string(index));
            ++index;
        } while (taken(','));
        return taken(']') || broken("a ',' or a ']' is missing");
    }

    // What the string says; empty: the fault is found.
    std::optional<std::string> string(std::string_view verb) {
        auto const start = at_++;
        for (; next() != '"'; ++at_) {
            if (at_end()) return broken("a '\"' is missing"), std::nullopt;
            if (static_cast<unsigned char>(next()) < 0x20)
                return broken("a control character stands in a string"), std::nullopt;
            if (next() == '\\') ++at_;
        }
        auto const lexeme = text_.substr(start, ++at_ - start);
        white_space();
        if (auto const document = Json::parse(lexeme)) return std::string{Json::as_string(*document)};
        auto const wrong_byte = utf8_error_offset(lexeme);
        reason_ = std::string{verb} + (wrong_byte == std::string_view::npos
                                           ? " an escape that is no character"
                                           : " invalid UTF-8 at byte " + std::to_string(wrong_byte - 1));
        return std::nullopt;
    }

    bool number() {
        auto const start = at_;
        while (!at_end() && std::string_view{"+-.0123456789eE"}.find(next()) != std::string_view::npos)
            ++at_;
        auto const lexeme = text_.substr(start, at_ - start);
        if (lexeme == "-" && text_.substr(at_).starts_with("Infinity")) return refused("is -Infinity");
        white_space();
        if (Json::parse(lexeme)) return true;
        if (!is_number(lexeme)) return at_ = start, broken("no number");
        return refused(lexeme.find_first_of(".eE") == std::string_view::npos
                           ? "is an integer beyond 64 bits"
                           : "is a number beyond what a double can hold");
    }

    // -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
    static bool is_number(std::string_view lexeme) {
        auto const skip = [&](std::string_view any_of) {
            auto const found = !lexeme.empty() && any_of.find(lexeme.front()) != std::string_view::npos;
            if (found) lexeme.remove_prefix(1);
            return found;
        };
        auto const digits = [&] {
            auto const before = lexeme.size();
            while (skip("0123456789")) {
            }
            return lexeme.size() != before;
        };
        skip("-");
        if (!skip("0") && !digits()) return false;
        if (skip(".") && !digits()) return false;
        if (skip("eE") && (skip("+-"), !digits())) return false;
        return lexeme.empty();
    }

    bool word() {
        for (std::string_view const known : {"true", "false", "null"})
            if (text_.substr(at_).starts_with(known)) return at_ += known.size(), white_space(), true;
        for (std::string_view const unknown : {"NaN", "Infinity"})
            if (text_.substr(at_).starts_with(unknown)) return refused("is " + std::string{unknown});
        return broken(at_end() ? "it ends too early" : "no JSON value");
    }

    bool too_deep() {
        return refused("is nested deeper than " + std::to_string(json_depth_limit) + " levels");
    }

    bool refused(std::string reason) { return reason_ = std::move(reason), false; }
    bool broken(std::string_view what) {
        return refused("is no JSON at byte " + std::to_string((std::min)(at_, text_.size())) + ": " +
                       std::string{what});
    }
    bool in(std::string const& token) { return pointer_.insert(0, token), false; }

    bool at_end() const noexcept { return at_ >= text_.size(); }
    char next() const noexcept { return at_end() ? '\0' : text_[at_]; }
    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

    void white_space() {
        while (!at_end() && std::string_view{" \t\r\n"}.find(next()) != std::string_view::npos)
            ++at_;
    }
    void take() { ++at_, white_space(); }
    bool taken(char c) { return next() == c && !at_end() && (take(), true); }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string pointer_{};
    std::string reason_{};
};

} // namespace longshore::inline v0::detail

#endif
