// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_INPUT_RULES_HPP
#define LONGSHORE_TOOL_INPUT_RULES_HPP

#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/json/policy.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0 {

namespace detail {

inline constexpr std::array<std::string_view, 7> json_schema_types{"null",   "boolean", "integer", "number",
                                                                   "string", "array",   "object"};

template <JsonPolicy Json>
bool has_json_type(typename Json::value const& input, std::string_view type) {
    switch (Json::kind(input)) {
    case JsonKind::null:
        return type == "null";
    case JsonKind::boolean:
        return type == "boolean";
    case JsonKind::integer:
    case JsonKind::unsigned_integer:
        return type == "integer" || type == "number";
    case JsonKind::number: // JSON Schema: 1.0 is an integer
        return type == "number" ||
               (type == "integer" && std::trunc(Json::as_number(input)) == Json::as_number(input));
    case JsonKind::string:
        return type == "string";
    case JsonKind::array:
        return type == "array";
    case JsonKind::object:
        return type == "object";
    }
    return false;
}

inline std::string joined(std::vector<std::string> const& texts, std::string_view separator) {
    std::string joined;
    for (auto const& text : texts)
        joined.append(joined.empty() ? "" : separator).append(text);
    return joined;
}

} // namespace detail

/// The part of a JSON Schema that every runner checks: `required`, and the `type` of each of the
/// `properties`.
///
/// Immutable; thread safe as any `const` object is.
template <JsonPolicy Json>
class InputRules {
public:
    using value = typename Json::value;
    using object = typename Json::object;

    InputRules() = default;

    /// Throws `ValueError` that names the member of a schema that is none: inputs must not go unchecked
    /// because of a slip of the pen.
    explicit InputRules(object const& schema) {
        read_own_type(schema);
        read_required(schema);
        read_properties(schema);
    }

    /// What is wrong with the inputs, all of it; empty when they will do. Names are shown, values never.
    /// Source: container_tool_exec.feature, "validates missing required input fields for container tools".
    std::string problem(object const& inputs) const {
        if (auto const missing = missing_fields(inputs); !missing.empty())
            return "Missing required input fields: " + detail::joined(missing, ", ");
        return detail::joined(wrong_types(inputs), "; ");
    }

private:
    struct Property {
        std::string name;
        std::vector<std::string> types;
    };

    void read_own_type(object const& schema) {
        auto const* const type = Json::find(schema, "type");
        if (type == nullptr) return;
        if (Json::kind(*type) != JsonKind::string || Json::as_string(*type) != "object")
            throw ValueError{"input_schema must have the type 'object': inputs are an object"};
    }

    void read_required(object const& schema) {
        auto const* const required = Json::find(schema, "required");
        if (required == nullptr) return;
        required_ = texts(*required, "'required'");
    }

    void read_properties(object const& schema) {
        auto const* const properties = Json::find(schema, "properties");
        if (properties == nullptr) return;
        if (Json::kind(*properties) != JsonKind::object)
            throw ValueError{"input_schema: 'properties' must be an object"};
        Json::for_each_member(Json::as_object(*properties), [&](std::string_view name,
                                                                value const& property) {
            if (Json::kind(property) == JsonKind::boolean) return; // true: anything; false: for a validator
            if (Json::kind(property) != JsonKind::object)
                throw ValueError{"input_schema: property " + detail::shown_text(name) + " must be an object"};
            if (auto const* const type = Json::find(Json::as_object(property), "type"))
                properties_.push_back({std::string{name}, types(*type, name)});
        });
    }

    static std::vector<std::string> types(value const& type, std::string_view name) {
        auto const place = "the type of " + detail::shown_text(name);
        auto known = Json::kind(type) == JsonKind::string
                         ? std::vector<std::string>{std::string{Json::as_string(type)}}
                         : texts(type, place);
        for (auto const& word : known) {
            auto const& all = detail::json_schema_types;
            if (std::find(all.begin(), all.end(), word) == all.end())
                throw ValueError{"input_schema: " + place +
                                 " is no type of JSON: " + detail::shown_text(word)};
        }
        return known;
    }

    static std::vector<std::string> texts(value const& list, std::string const& place) {
        std::vector<std::string> texts;
        auto const refuse = [&] {
            throw ValueError{"input_schema: " + place + " must be an array of strings"};
        };
        if (Json::kind(list) != JsonKind::array) refuse();
        Json::for_each_element(list, [&](value const& element) {
            if (Json::kind(element) != JsonKind::string) refuse();
            texts.emplace_back(Json::as_string(element));
        });
        return texts;
    }

    std::vector<std::string> missing_fields(object const& inputs) const {
        std::vector<std::string> missing;
        for (auto const& name : required_)
            if (Json::find(inputs, name) == nullptr) missing.push_back(name);
        return missing;
    }

    std::vector<std::string> wrong_types(object const& inputs) const {
        std::vector<std::string> wrong;
        for (auto const& [name, types] : properties_) {
            auto const* const input = Json::find(inputs, name);
            if (input == nullptr) continue;
            if (std::none_of(types.begin(), types.end(), [input](std::string const& type) {
                    return detail::has_json_type<Json>(*input, type);
                }))
                wrong.push_back("Input field " + detail::shown_text(name) + " must be " +
                                detail::joined(types, " or ") + ", not " + type_of(*input));
        }
        return wrong;
    }

    static std::string type_of(value const& input) {
        for (auto const type : detail::json_schema_types)
            if (detail::has_json_type<Json>(input, type)) return std::string{type};
        return "unknown";
    }

    std::vector<std::string> required_{};
    std::vector<Property> properties_{};
};

} // namespace longshore::inline v0

#endif
