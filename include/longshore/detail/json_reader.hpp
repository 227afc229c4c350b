// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_JSON_READER_HPP
#define LONGSHORE_DETAIL_JSON_READER_HPP

#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace longshore::inline v0::detail {

// Reads the members of an object that is expected to have known kinds. A member that is absent or null reads
// as the default of its kind; one of another kind throws, because a record that was changed by hand must not
// be believed in part.
template <JsonPolicy Json>
class JsonReader {
public:
    using value_type = typename Json::value;
    using object_type = typename Json::object;

    explicit JsonReader(object_type const& object, std::string path = {})
        : object_{&object}, path_{std::move(path)} {}

    bool has(std::string_view key) const {
        auto const* member = Json::find(*object_, key);
        return member != nullptr && Json::kind(*member) != JsonKind::null;
    }

    std::string text(std::string_view key) const {
        if (!has(key)) return {};
        return std::string{Json::as_string(expect(key, JsonKind::string, "a string"))};
    }

    bool boolean(std::string_view key) const {
        return has(key) && Json::as_boolean(expect(key, JsonKind::boolean, "true or false"));
    }

    double number(std::string_view key) const {
        if (!has(key)) return 0;
        auto const& member = *Json::find(*object_, key);
        switch (Json::kind(member)) {
        case JsonKind::integer:
            return static_cast<double>(Json::as_integer(member));
        case JsonKind::unsigned_integer:
            return static_cast<double>(Json::as_unsigned(member));
        case JsonKind::number:
            return Json::as_number(member);
        default:
            refuse(key, "a number");
        }
    }

    // A whole number within the range of `Integer`.
    template <typename Integer>
    Integer integer(std::string_view key) const {
        if (!has(key)) return 0;
        auto const& member = *Json::find(*object_, key);
        auto const kind = Json::kind(member);
        if (kind == JsonKind::integer && std::in_range<Integer>(Json::as_integer(member)))
            return static_cast<Integer>(Json::as_integer(member));
        if (kind == JsonKind::unsigned_integer && std::in_range<Integer>(Json::as_unsigned(member)))
            return static_cast<Integer>(Json::as_unsigned(member));
        refuse(key, "a whole number within range");
    }

    // The object under `key`; an empty one when it is absent.
    JsonReader object(std::string_view key) const {
        static object_type const none{};
        if (!has(key)) return JsonReader{none, path_ + '/' + std::string{key}};
        return JsonReader{members(key), path_ + '/' + std::string{key}};
    }

    // The object under `key` as it is, which must be there.
    object_type const& members(std::string_view key) const {
        return Json::as_object(expect(key, JsonKind::object, "an object"));
    }

private:
    value_type const& expect(std::string_view key, JsonKind kind, std::string_view expected) const {
        auto const* member = Json::find(*object_, key);
        if (member == nullptr || Json::kind(*member) != kind) refuse(key, expected);
        return *member;
    }

    [[noreturn]] void refuse(std::string_view key, std::string_view expected) const {
        throw ValueError{"JSON value at '" + path_ + '/' + std::string{key} + "' is not " +
                         std::string{expected}};
    }

    object_type const* object_;
    std::string path_;
};

} // namespace longshore::inline v0::detail

#endif
