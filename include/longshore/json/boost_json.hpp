// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_JSON_BOOST_JSON_HPP
#define LONGSHORE_JSON_BOOST_JSON_HPP

#include <longshore/detail/json_check.hpp>
#include <longshore/json/policy.hpp>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_stack.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

namespace detail {

// Builds a document from what Boost's parser reads, and sees each number as it was written. Boost's own
// handler turns an integer beyond 64 bits into a double, drops the sign of `-0`, reads 1E400 as infinity and
// rounds many decimals to a neighbour of the nearest double.
class BoostJsonHandler {
public:
    using text = boost::json::string_view;
    using error_code = boost::json::error_code;

    static constexpr std::size_t max_object_size = boost::json::object::max_size();
    static constexpr std::size_t max_array_size = boost::json::array::max_size();
    static constexpr std::size_t max_key_size = boost::json::string::max_size();
    static constexpr std::size_t max_string_size = boost::json::string::max_size();

    BoostJsonHandler() { stack_.reset(); }

    boost::json::value release() { return stack_.release(); }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_object_end(std::size_t size, error_code&) { return stack_.push_object(size), true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t size, error_code&) { return stack_.push_array(size), true; }
    bool on_key_part(text part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
    bool on_key(text part, std::size_t, error_code&) { return stack_.push_key(part), true; }
    bool on_string_part(text part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
    bool on_string(text part, std::size_t, error_code&) { return stack_.push_string(part), true; }
    bool on_number_part(text, error_code&) { return true; }
    bool on_uint64(std::uint64_t number, text, error_code&) { return stack_.push_uint64(number), true; }
    bool on_bool(bool truth, error_code&) { return stack_.push_bool(truth), true; }
    bool on_null(error_code&) { return stack_.push_null(), true; }
    bool on_comment_part(text, error_code&) { return true; }
    bool on_comment(text, error_code&) { return true; }

    bool on_int64(std::int64_t number, text source, error_code&) {
        if (number == 0 && source.front() == '-')
            stack_.push_double(-0.0);
        else
            stack_.push_int64(number);
        return true;
    }

    bool on_double(double number, text source, error_code& error) {
        auto const is_integer = source.find_first_of(".eE") == text::npos;
        auto const nearest = nearest_double(source, number);
        if (is_integer || !std::isfinite(nearest)) {
            error = boost::json::make_error_code(boost::json::error::not_exact);
            return false;
        }
        stack_.push_double(nearest);
        return true;
    }

private:
    // The double nearest to the text, where the standard library can tell; otherwise Boost's own reading,
    // which is within a few units in the last place.
    static double nearest_double([[maybe_unused]] text source, double number) {
#if defined(__cpp_lib_to_chars)
        double nearest = 0;
        auto const [end, failure] = std::from_chars(source.data(), source.data() + source.size(), nearest);
        if (failure == std::errc{} && end == source.data() + source.size()) return nearest;
#endif
        return number;
    }

    boost::json::value_stack stack_;
};

// A range of itself, such as a path, alone or in a container: Boost would convert it without end.
template <typename Content>
inline constexpr bool holds_itself = [] {
    if constexpr (std::ranges::range<Content>) {
        using Element = std::remove_cv_t<std::ranges::range_value_t<Content>>;
        if constexpr (std::same_as<Element, Content>)
            return true;
        else
            return holds_itself<Element>;
    } else {
        return false;
    }
}();
template <template <typename...> typename Holder, typename... Parts>
inline constexpr bool holds_itself<Holder<Parts...>> = (holds_itself<std::remove_cv_t<Parts>> || ...);

inline boost::json::string_view boost_text(std::string_view text) noexcept {
    return {text.data(), text.size()};
}

inline std::string_view standard_text(boost::json::string_view text) noexcept {
    return {text.data(), text.size()};
}

} // namespace detail

/// JSON by Boost.JSON: the default model of `JsonPolicy`.
///
/// - Strict both ways, as `JsonPolicy` says; decimals become the nearest double. A number that overflows a
///   double, such as `1E400`, is refused, and so is one whose exponent overflows 32 bits, such as
///   `1E-4000000000`; `-0` and `-0.0` keep their sign, as doubles.
/// - Of members with the same name the last one wins.
/// - `as_...` of a value of another kind is undefined: ask `kind` first.
/// - Nothing here follows a document deeper than `json_depth_limit`. Boost itself copies, compares and
///   *destroys* by recursion: a program that builds a document of many thousand levels by hand overflows its
///   stack when Boost destroys it, unless the document lives in a `boost::json::monotonic_resource`, whose
///   values are not destroyed one by one. `parse` never gives such a document.
/// - Boost.JSON has no header-only mode: `<boost/json/src.hpp>` belongs in exactly one source file of a
/// program
///   that does not link `Boost::json`.
///
/// Thread safety: static functions without state; values as `const` objects may be read by several threads.
struct BoostJson {
    using value = boost::json::value;
    using object = boost::json::object;

    /// The document that `text` is; empty when it is not exactly one. Throws only `std::bad_alloc`.
    static std::optional<value> parse(std::string_view text) {
        boost::json::parse_options options;
        options.max_depth = json_depth_limit;
        boost::json::basic_parser<detail::BoostJsonHandler> parser{options};
        boost::json::error_code error;
        auto const consumed = parser.write_some(false, text.data(), text.size(), error);
        if (error || consumed != text.size()) return std::nullopt;
        return parser.handler().release();
    }

    /// Strict JSON in one line. Throws `ValueError` with the JSON pointer of what JSON cannot say.
    static std::string serialize(value const& document) {
        detail::JsonCheck<BoostJson>::require_serialisable(document);
        return boost::json::serialize(document);
    }

    /// The same for an object.
    static std::string serialize(object const& document) {
        detail::JsonCheck<BoostJson>::require_serialisable(document);
        return boost::json::serialize(document);
    }

    static JsonKind kind(value const& document) noexcept {
        switch (document.kind()) {
        case boost::json::kind::bool_:
            return JsonKind::boolean;
        case boost::json::kind::int64:
            return JsonKind::integer;
        case boost::json::kind::uint64:
            return JsonKind::unsigned_integer;
        case boost::json::kind::double_:
            return JsonKind::number;
        case boost::json::kind::string:
            return JsonKind::string;
        case boost::json::kind::array:
            return JsonKind::array;
        case boost::json::kind::object:
            return JsonKind::object;
        case boost::json::kind::null:
            break;
        }
        return JsonKind::null;
    }

    static bool as_boolean(value const& document) noexcept { return document.get_bool(); }
    static std::int64_t as_integer(value const& document) noexcept { return document.get_int64(); }
    static std::uint64_t as_unsigned(value const& document) noexcept { return document.get_uint64(); }
    static double as_number(value const& document) noexcept { return document.get_double(); }
    static std::string_view as_string(value const& document) noexcept {
        return detail::standard_text(document.get_string());
    }
    static object const& as_object(value const& document) noexcept { return document.get_object(); }
    static object& as_object(value& document) noexcept { return document.get_object(); }

    /// The member of that name; null where there is none. It lives as long as the object is not changed.
    static value const* find(object const& members, std::string_view key) noexcept {
        return members.if_contains(detail::boost_text(key));
    }

    /// Sets a member: adds it at the end, or replaces its value.
    static void insert(object& members, std::string_view key, value member) {
        members.insert_or_assign(detail::boost_text(key), std::move(member));
    }

    /// Makes a value that string.
    static void assign(value& document, std::string_view text) {
        document.emplace_string().assign(detail::boost_text(text));
    }

    /// Renames the members for which `rename(key)` returns a name; order is kept, and of two members of one
    /// name the later one stays. When `rename` throws, nothing has changed.
    template <typename Rename>
    static void rename_members(object& members, Rename&& rename) {
        std::vector<std::optional<std::string>> names;
        bool any = false;
        for (auto const& member : members)
            any = names.emplace_back(rename(detail::standard_text(member.key()))).has_value() || any;
        if (!any) return;
        object renamed(members.storage());
        renamed.reserve(members.size());
        auto name = names.cbegin();
        for (auto& member : members) {
            renamed.insert_or_assign(*name ? detail::boost_text(**name) : member.key(),
                                     std::move(member.value()));
            ++name;
        }
        members = std::move(renamed);
    }

    /// Calls `visit(std::string_view key, value const&)`, or with `value&` for a mutable object, in order.
    template <typename Object, typename Visit>
    requires std::same_as<std::remove_const_t<Object>, object>
    static void for_each_member(Object& members, Visit&& visit) {
        for (auto& member : members)
            visit(detail::standard_text(member.key()), member.value());
    }

    /// Calls `visit(value const&)`, or with `value&` for a mutable value, for each element of an array.
    template <typename Value, typename Visit>
    requires std::same_as<std::remove_const_t<Value>, value>
    static void for_each_element(Value& elements, Visit&& visit) {
        for (auto& element : elements.get_array())
            visit(element);
    }

    // Round brackets below: braces would make an array of one element.
    static value make() noexcept { return nullptr; }
    static value make(std::same_as<bool> auto truth) noexcept { return truth; }
    static value make(std::signed_integral auto number) noexcept { return std::int64_t{number}; }
    static value make(std::unsigned_integral auto number) noexcept
        requires(!std::same_as<decltype(number), bool>) {
        return std::uint64_t{number};
    }
    static value make(double number) noexcept { return number; }
    static value make(std::string_view text) { return value(detail::boost_text(text)); }
    static value make(object members) { return value(std::move(members)); }

    /// The value that Boost.JSON makes of anything it can convert: containers, maps, tuples, optionals,
    /// variants, and types with a `tag_invoke` or a description. Ranges of themselves, such as paths, do not
    /// compile.
    template <typename Content>
    requires(boost::json::has_value_from<std::remove_cvref_t<Content>>::value &&
             !detail::holds_itself<std::remove_cvref_t<Content>>) static value from(Content&& content) {
        return boost::json::value_from(std::forward<Content>(content));
    }
};

static_assert(JsonPolicy<BoostJson>);

} // namespace longshore::inline v0

#endif
