// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_JSON_POLICY_HPP
#define LONGSHORE_JSON_POLICY_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// The kinds of a JSON value. Numbers keep whether they are whole, so that no integer passes through a
/// `double`.
enum class JsonKind : std::uint8_t {
    null,
    boolean,
    integer,
    unsigned_integer,
    number,
    string,
    array,
    object
};

/// The deepest nesting that JSON text may have, in both directions. Deeper documents are refused, never
/// followed.
inline constexpr std::size_t json_depth_limit = 512;

/// Where the JSON values of longshore live: a library behind static functions, so that any JSON library fits.
///
/// Requirements on a type `J`:
/// 1. `J::value` is regular, `J::object` is copyable and default constructible.
/// 2. `J::parse(text)` returns `std::optional<J::value>`: RFC 8259 and nothing else. Empty for invalid UTF-8,
/// lone
///    surrogates, NaN and Infinity, an integer beyond 64 bits, nesting beyond `json_depth_limit`, and text
///    after the document. White space around it and a byte order mark before it are not part of it: callers
///    skip them.
/// 3. `J::serialize(value)` and `J::serialize(object)` return `std::string`: strict JSON in one line, keys in
///    their order. They throw `ValueError` that names the JSON pointer of the offender for NaN, Infinity,
///    invalid UTF-8 and nesting beyond `json_depth_limit`.
/// 4. `J::kind(value)` returns `JsonKind`; `J::as_boolean`, `J::as_integer`, `J::as_unsigned`,
/// `J::as_number`,
///    `J::as_string` and `J::as_object` return the content of a value of that kind.
/// 5. `J::find(object, key)` returns `J::value const*`, null where there is none; `J::insert(object, key,
/// value)`
///    sets a member. `J::for_each_member(object, f)` calls `f(std::string_view, J::value const&)` in order,
///    and `J::for_each_element(value, f)` calls `f(J::value const&)` for an array's elements.
/// 6. `J::make(x)` makes a value of nothing, `bool`, `std::int64_t`, `std::uint64_t`, `double`,
///    `std::string_view`, or an object.
/// 7. For changing a document in place: `J::as_object(value)` of a mutable value returns `J::object&`;
///    `J::for_each_member(object, f)` and `J::for_each_element(value, f)` pass `J::value&` where the object
///    or the value is mutable; `J::assign(value, text)` makes a value that string; `J::rename_members(object,
///    f)` calls `f(std::string_view)` for each key, which returns `std::optional<std::string>`, and renames
///    the members for which it returns a text. Order is kept; of two members of one name the later one stays.
///
/// Not required: `J::from(x)`, which makes a value of anything else that the library converts, and which
/// tools on the host are asked about; an allocator, exceptions of its own, a DOM that shares anything with
/// another one.
template <typename J>
concept JsonPolicy = std::regular<typename J::value> && std::copyable<typename J::object> &&
    std::default_initializable<typename J::object> &&
    requires(std::string_view text, typename J::object object, typename J::object const& constant_object,
             typename J::value const& value, typename J::value mutable_value, std::int64_t integer,
             std::uint64_t unsigned_integer, double number, bool boolean) {
    { J::parse(text) } -> std::same_as<std::optional<typename J::value>>;
    { J::serialize(value) } -> std::same_as<std::string>;
    { J::serialize(constant_object) } -> std::same_as<std::string>;
    { J::kind(value) } -> std::same_as<JsonKind>;
    { J::as_boolean(value) } -> std::same_as<bool>;
    { J::as_integer(value) } -> std::same_as<std::int64_t>;
    { J::as_unsigned(value) } -> std::same_as<std::uint64_t>;
    { J::as_number(value) } -> std::same_as<double>;
    { J::as_string(value) } -> std::same_as<std::string_view>;
    { J::as_object(value) } -> std::same_as<typename J::object const&>;
    { J::find(constant_object, text) } -> std::same_as<typename J::value const*>;
    J::insert(object, text, value);
    { J::make() } -> std::same_as<typename J::value>;
    { J::make(boolean) } -> std::same_as<typename J::value>;
    { J::make(integer) } -> std::same_as<typename J::value>;
    { J::make(unsigned_integer) } -> std::same_as<typename J::value>;
    { J::make(number) } -> std::same_as<typename J::value>;
    { J::make(text) } -> std::same_as<typename J::value>;
    { J::make(constant_object) } -> std::same_as<typename J::value>;
    J::for_each_member(constant_object, [](std::string_view, typename J::value const&) {});
    J::for_each_element(value, [](typename J::value const&) {});
    { J::as_object(mutable_value) } -> std::same_as<typename J::object&>;
    J::for_each_member(object, [](std::string_view, typename J::value&) {});
    J::for_each_element(mutable_value, [](typename J::value&) {});
    J::assign(mutable_value, text);
    J::rename_members(object, [](std::string_view) { return std::optional<std::string>{}; });
};

} // namespace longshore::inline v0

#endif
