// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_JSON_CHECK_HPP
#define LONGSHORE_DETAIL_JSON_CHECK_HPP

#include <longshore/detail/utf8.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// One reference token of a JSON pointer (RFC 6901), with its slash. A key that is not UTF-8 is shown with
// U+FFFD, because the pointer stands in an error text.
inline std::string json_pointer_token(std::string_view key) {
    std::string token{"/"};
    for (auto const c : utf8_replace(key)) {
        if (c == '~')
            token += "~0";
        else if (c == '/')
            token += "~1";
        else
            token += c;
    }
    return token;
}

// Finds what strict JSON cannot say in a document. JSON libraries write such values as `null`, as a bare word
// or as bytes that others refuse, so every model of `JsonPolicy` looks before it writes.
//
// It never goes deeper than the limit, so a document of any depth is safe here. The pointer is put together
// on the way back from the offender: a document without one costs no allocation.
template <typename Json>
class JsonCheck {
public:
    using value = typename Json::value;
    using object = typename Json::object;

    // Throws `ValueError` that names the place and the reason.
    template <typename Document>
    static void require_serialisable(Document const& document) {
        JsonCheck check;
        check.look(document, 0);
        if (check.reason_.empty()) return;
        auto const place = check.pointer_.empty() ? "document" : "value at '" + check.pointer_ + "'";
        throw ValueError{"JSON " + place + " " + check.reason_};
    }

private:
    void look(value const& document, std::size_t depth) {
        switch (Json::kind(document)) {
        case JsonKind::number:
            look_at_number(Json::as_number(document));
            break;
        case JsonKind::string:
            look_at_text(Json::as_string(document), "holds");
            break;
        case JsonKind::array:
            look_at_array(document, depth);
            break;
        case JsonKind::object:
            look(Json::as_object(document), depth);
            break;
        default:
            break;
        }
    }

    void look(object const& members, std::size_t depth) {
        if (is_too_deep(depth)) return;
        Json::for_each_member(members, [&](std::string_view key, value const& member) {
            if (found()) return;
            look_at_text(key, "has a name with");
            if (!found()) look(member, depth + 1);
            if (found()) pointer_.insert(0, json_pointer_token(key));
        });
    }

    void look_at_array(value const& elements, std::size_t depth) {
        if (is_too_deep(depth)) return;
        std::size_t index = 0;
        Json::for_each_element(elements, [&](value const& element) {
            if (found()) return;
            look(element, depth + 1);
            if (found()) pointer_.insert(0, "/" + std::to_string(index));
            ++index;
        });
    }

    bool is_too_deep(std::size_t depth) {
        if (depth < json_depth_limit) return false;
        reason_ = "is nested deeper than " + std::to_string(json_depth_limit) + " levels";
        return true;
    }

    void look_at_number(double number) {
        if (std::isfinite(number)) return;
        reason_ = std::isnan(number) ? "is NaN" : number > 0 ? "is Infinity" : "is -Infinity";
    }

    void look_at_text(std::string_view text, std::string_view verb) {
        auto const error = utf8_error_offset(text);
        if (error == std::string_view::npos) return;
        reason_ = std::string{verb} + " invalid UTF-8 at byte " + std::to_string(error);
    }

    bool found() const noexcept { return !reason_.empty(); }

    std::string pointer_;
    std::string reason_;
};

} // namespace longshore::inline v0::detail

#endif
