// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_FUZZ_REFERENCE_JSON_HPP
#define LONGSHORE_TESTS_FUZZ_REFERENCE_JSON_HPP

#include <longshore/detail/utf8.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

// A JSON document as it was written: numbers are their text.
struct JsonNode {
    enum class Kind { word, number, string, array, object };

    Kind kind = Kind::word;
    std::string text{};                                       // word, number, or the content of a string
    std::vector<std::pair<std::string, JsonNode>> children{}; // without names in an array

    bool is_integer() const { return text.find_first_of(".eE") == std::string::npos; }
};

// Reads RFC 8259 by recursive descent, one character after the other, and then holds the document to the
// limits of `JsonPolicy`.
class ReferenceJson {
public:
    // What the text is: one document, or why not. `unspecified`: a document with an exponent of ten digits or
    // more, which a library may refuse.
    enum class Verdict { accepted, unspecified, beyond_limits, not_json };

    explicit ReferenceJson(std::string_view text) : rest_{text} {
        auto document = value(0);
        if (!document || !skip_white_space().empty() || !longshore::detail::utf8_valid(text)) return;
        verdict_ = is_beyond_limits_    ? Verdict::beyond_limits
                   : has_huge_exponent_ ? Verdict::unspecified
                                        : Verdict::accepted;
        document_ = std::move(*document);
    }

    Verdict verdict() const noexcept { return verdict_; }
    JsonNode const& document() const noexcept { return document_; }

private:
    static constexpr int deepest_that_is_read = 4000;

    std::string_view skip_white_space() {
        while (!rest_.empty() && std::string_view{" \t\r\n"}.find(rest_.front()) != std::string_view::npos)
            rest_.remove_prefix(1);
        return rest_;
    }

    bool take(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    std::optional<JsonNode> value(int depth) {
        skip_white_space();
        if (depth > deepest_that_is_read) return std::nullopt;
        for (auto const word : {"null", "true", "false"})
            if (take(word)) return JsonNode{JsonNode::Kind::word, word, {}};
        if (take("[")) return elements(depth + 1);
        if (take("{")) return members(depth + 1);
        if (!rest_.starts_with('"')) return number();
        auto content = string();
        if (!content) return std::nullopt;
        return JsonNode{JsonNode::Kind::string, std::move(*content), {}};
    }

    std::optional<JsonNode> elements(int depth) {
        is_beyond_limits_ = is_beyond_limits_ || depth > 512;
        JsonNode array{JsonNode::Kind::array, {}, {}};
        skip_white_space();
        if (take("]")) return array;
        do {
            auto element = value(depth);
            if (!element) return std::nullopt;
            array.children.emplace_back(std::string{}, std::move(*element));
            skip_white_space();
        } while (take(","));
        return take("]") ? std::optional{std::move(array)} : std::nullopt;
    }

    std::optional<JsonNode> members(int depth) {
        is_beyond_limits_ = is_beyond_limits_ || depth > 512;
        JsonNode object{JsonNode::Kind::object, {}, {}};
        skip_white_space();
        if (take("}")) return object;
        do {
            skip_white_space();
            auto name = string();
            skip_white_space();
            if (!name || !take(":")) return std::nullopt;
            auto member = value(depth);
            if (!member) return std::nullopt;
            object.children.emplace_back(std::move(*name), std::move(*member));
            skip_white_space();
        } while (take(","));
        return take("}") ? std::optional{std::move(object)} : std::nullopt;
    }

    std::string digits() {
        std::string taken;
        for (; !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0;
             take(rest_.substr(0, 1)))
            taken += rest_.front();
        return taken;
    }

    std::optional<JsonNode> number() {
        JsonNode node{JsonNode::Kind::number, take("-") ? "-" : "", {}};
        auto const whole = digits();
        if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return std::nullopt;
        node.text += whole;
        if (take(".")) {
            auto const decimals = digits();
            if (decimals.empty()) return std::nullopt;
            node.text += '.' + decimals;
        }
        if (take("e") || take("E")) {
            node.text += take("-") ? "e-" : "e";
            if (node.text.back() == 'e') take("+");
            auto const exponent = digits();
            if (exponent.empty()) return std::nullopt;
            node.text += exponent;
            auto const leading_zeros = (std::min)(exponent.find_first_not_of('0'), exponent.size());
            has_huge_exponent_ = has_huge_exponent_ || exponent.size() - leading_zeros >= 10;
        }
        is_beyond_limits_ = is_beyond_limits_ || !is_within_limits(node);
        return node;
    }

    static bool is_within_limits(JsonNode const& number) {
        auto const& text = number.text;
        if (!number.is_integer()) return std::isfinite(std::strtod(text.c_str(), nullptr));
        std::string_view const limit = text.front() == '-' ? "-9223372036854775808" : "18446744073709551615";
        return text.size() < limit.size() || (text.size() == limit.size() && text <= limit);
    }

    std::optional<std::string> string() {
        std::string content;
        if (!take("\"")) return std::nullopt;
        while (!take("\"")) {
            if (rest_.empty() || static_cast<unsigned char>(rest_.front()) < 0x20) return std::nullopt;
            if (!take("\\")) {
                content += rest_.front();
                rest_.remove_prefix(1);
            } else if (!escape(content)) {
                return std::nullopt;
            }
        }
        return content;
    }

    bool escape(std::string& content) {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        if (take("u")) return escaped_character(content);
        auto const index = rest_.empty() ? std::string_view::npos : letters.find(rest_.front());
        if (index == std::string_view::npos) return false;
        content += meanings[index];
        rest_.remove_prefix(1);
        return true;
    }

    bool escaped_character(std::string& content) {
        auto const first = code_unit();
        if (!first || (*first >= 0xDC00 && *first <= 0xDFFF)) return false;
        if (*first < 0xD800 || *first > 0xDFFF) return append(content, *first);
        auto const second = take("\\u") ? code_unit() : std::nullopt;
        if (!second || *second < 0xDC00 || *second > 0xDFFF) return false;
        return append(content, 0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00));
    }

    std::optional<std::uint32_t> code_unit() {
        std::string const digits{rest_.substr(0, 4)};
        if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
            return std::nullopt;
        rest_.remove_prefix(4);
        return static_cast<std::uint32_t>(std::strtoul(digits.c_str(), nullptr, 16));
    }

    static bool append(std::string& content, std::uint32_t point) {
        auto const tail = [&](unsigned shift) {
            content += static_cast<char>(0x80U | ((point >> shift) & 0x3FU));
        };
        if (point < 0x80) return content += static_cast<char>(point), true;
        content += static_cast<char>(point < 0x800     ? 0xC0U | (point >> 6U)
                                     : point < 0x10000 ? 0xE0U | (point >> 12U)
                                                       : 0xF0U | (point >> 18U));
        if (point >= 0x10000) tail(12);
        if (point >= 0x800) tail(6);
        tail(0);
        return true;
    }

    std::string_view rest_;
    bool is_beyond_limits_ = false;
    bool has_huge_exponent_ = false;
    Verdict verdict_ = Verdict::not_json;
    JsonNode document_{};
};

} // namespace fuzz

#endif
