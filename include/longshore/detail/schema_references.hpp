// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SCHEMA_REFERENCES_HPP
#define LONGSHORE_DETAIL_SCHEMA_REFERENCES_HPP

#include <longshore/detail/file_uri.hpp>
#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>
#include <longshore/json/boost_json.hpp>

#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>

namespace longshore::inline v0::detail {

// Follows each `$ref` of a JSON Schema. One that comes back to where it began without going deeper into the
// inputs would be followed without end: `{"$ref": "#"}`, `{"allOf": [{"$ref": "#"}]}`.
class SchemaReferences {
public:
    using value = BoostJson::value;
    using object = BoostJson::object;

    // @param schema must outlive it.
    explicit SchemaReferences(value const& schema) : root_{schema} {}

    // Follows what holds for the very value that `schema` holds for. Throws `ValueError` for a circle, and
    // for a reference that leads nowhere or out of the document.
    void follow(value const& schema) {
        if (!schema.is_object() || finished_.contains(&schema)) return;
        if (!under_way_.insert(&schema).second)
            throw ValueError{"input_schema: a $ref leads back to itself without end"};
        follow_members(schema.get_object());
        under_way_.erase(&schema);
        finished_.insert(&schema);
    }

private:
    void follow_members(object const& schema) {
        if (auto const* const reference = BoostJson::find(schema, "$ref");
            reference && reference->is_string())
            return follow(target(BoostJson::as_string(*reference))); // draft 7: nothing beside it counts
        for (auto const* const keyword : {"allOf", "anyOf", "oneOf"})
            if (auto const* const list = BoostJson::find(schema, keyword); list && list->is_array())
                BoostJson::for_each_element(*list, [&](value const& part) { follow(part); });
        for (auto const* const keyword : {"not", "if", "then", "else"})
            if (auto const* const part = BoostJson::find(schema, keyword)) follow(*part);
        if (auto const* const all = BoostJson::find(schema, "dependencies"); all && all->is_object())
            BoostJson::for_each_member(all->get_object(),
                                       [&](std::string_view, value const& part) { follow(part); });
    }

    value const& target(std::string_view reference) const {
        auto const shown = shown_text(reference);
        if (!reference.starts_with('#'))
            throw ValueError{"input_schema: $ref leads out of the schema: " + shown};
        auto pointer = percent_decoded(reference.substr(1)).value_or("?");
        while (pointer.ends_with('/')) // as valijson does
            pointer.pop_back();
        std::error_code error;
        auto const* const found = root_.find_pointer(pointer, error);
        if (found == nullptr) throw ValueError{"input_schema: $ref leads nowhere: " + shown};
        return *found;
    }

    value const& root_;
    std::unordered_set<value const*> under_way_{};
    std::unordered_set<value const*> finished_{};
};

} // namespace longshore::inline v0::detail

#endif
