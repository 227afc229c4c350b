// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_FUZZ_JSON_COMPARISON_HPP
#define LONGSHORE_TESTS_FUZZ_JSON_COMPARISON_HPP

#include <longshore/json/policy.hpp>

#include <fuzz/reference_json.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

namespace fuzz {

// Whether a value says what was written, number for number: whole ones by their digits, others by the bits of
// the nearest double.
template <typename Json>
class JsonComparison {
public:
    using value = typename Json::value;
    using object = typename Json::object;

    static bool same(value const& actual, JsonNode const& written) {
        switch (written.kind) {
        case JsonNode::Kind::word:
            return same_word(actual, written.text);
        case JsonNode::Kind::number:
            return same_number(actual, written);
        case JsonNode::Kind::string:
            return Json::kind(actual) == longshore::JsonKind::string &&
                   Json::as_string(actual) == written.text;
        case JsonNode::Kind::array:
            return Json::kind(actual) == longshore::JsonKind::array && same_elements(actual, written);
        case JsonNode::Kind::object:
            return Json::kind(actual) == longshore::JsonKind::object &&
                   same(Json::as_object(actual), written);
        }
        return false;
    }

    // Of members of one name the last counts. Where all names differ, their order counts too.
    static bool same(object const& actual, JsonNode const& written) {
        std::map<std::string, JsonNode const*, std::less<>> last;
        for (auto const& [name, member] : written.children)
            last[name] = &member;
        auto const all_differ = last.size() == written.children.size();
        std::size_t count = 0;
        bool same_so_far = true;
        Json::for_each_member(actual, [&](std::string_view name, value const& member) {
            auto const found = last.find(name);
            same_so_far = same_so_far && found != last.end() && same(member, *found->second) &&
                          (!all_differ || written.children[count].first == name);
            ++count;
        });
        return same_so_far && count == last.size();
    }

private:
    static bool same_word(value const& actual, std::string_view word) {
        if (word == "null") return Json::kind(actual) == longshore::JsonKind::null;
        return Json::kind(actual) == longshore::JsonKind::boolean &&
               Json::as_boolean(actual) == (word == "true");
    }

    static bool same_number(value const& actual, JsonNode const& written) {
        auto const is_whole = written.is_integer() && written.text != "-0";
        switch (Json::kind(actual)) {
        case longshore::JsonKind::integer:
            return is_whole && std::to_string(Json::as_integer(actual)) == written.text;
        case longshore::JsonKind::unsigned_integer:
            return is_whole && std::to_string(Json::as_unsigned(actual)) == written.text;
        case longshore::JsonKind::number:
            return !is_whole && std::bit_cast<std::uint64_t>(Json::as_number(actual)) ==
                                    std::bit_cast<std::uint64_t>(std::strtod(written.text.c_str(), nullptr));
        default:
            return false;
        }
    }

    static bool same_elements(value const& actual, JsonNode const& written) {
        std::size_t count = 0;
        bool same_so_far = true;
        Json::for_each_element(actual, [&](value const& element) {
            same_so_far = same_so_far && count < written.children.size() &&
                          same(element, written.children[count].second);
            ++count;
        });
        return same_so_far && count == written.children.size();
    }
};

} // namespace fuzz

#endif
