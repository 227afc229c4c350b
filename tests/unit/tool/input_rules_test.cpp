// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/boost_json.hpp>
#include <longshore/tool/input_rules.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

using longshore::BoostJson;
using object = boost::json::object;

namespace {

object parsed(std::string_view json) { return BoostJson::parse(json)->get_object(); }

std::string problem(std::string_view schema, std::string_view inputs) {
    return longshore::InputRules<BoostJson>{parsed(schema)}.problem(parsed(inputs));
}

std::string typed(std::string_view type, std::string_view input) {
    return problem(R"({"properties":{"a":{"type":)" + std::string{type} + "}}}",
                   R"({"a":)" + std::string{input} + "}");
}

std::string refusal(std::string_view schema) {
    try {
        longshore::InputRules<BoostJson>{parsed(schema)};
    } catch (longshore::ValueError const& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("all missing fields are named at once, in the order of the schema") {
    auto const schema = R"({"required":["path","pattern","limit"]})";
    CHECK(problem(schema, R"({})") == "Missing required input fields: path, pattern, limit");
    CHECK(problem(schema, R"({"pattern":1})") == "Missing required input fields: path, limit");
    CHECK(problem(schema, R"({"path":null,"pattern":1,"limit":0})") == "");
}

TEST_CASE("an empty schema lets any inputs pass") {
    CHECK(problem("{}", R"({"anything":[1]})") == "");
    CHECK(longshore::InputRules<BoostJson>{}.problem({{"a", 1}}) == "");
    CHECK(problem(R"({"properties":{"a":true,"b":{}}})", R"({"a":1,"b":2,"c":3})") == "");
}

TEST_CASE("each type of JSON Schema accepts its values and no others") {
    std::string_view const types[]{R"("null")",   R"("boolean")", R"("integer")", R"("number")",
                                   R"("string")", R"("array")",   R"("object")"};
    struct {
        std::string_view input;
        std::string_view accepted; // one digit per type
    } const cases[]{
        {"null", "1000000"}, {"true", "0100000"}, {"1", "0011000"},     {"18446744073709551615", "0011000"},
        {"1.0", "0011000"},  {"1.5", "0001000"},  {"\"1\"", "0000100"}, {"[]", "0000010"},
        {"{}", "0000001"}};
    for (auto const& test : cases)
        for (std::size_t type = 0; type < std::size(types); ++type) {
            CAPTURE(test.input);
            CAPTURE(types[type]);
            CHECK((typed(types[type], test.input) == "") == (test.accepted[type] == '1'));
        }
}

TEST_CASE("wrong types are told all at once, and values are not shown") {
    auto const schema = R"({"properties":{"path":{"type":"string"},"limit":{"type":["integer","null"]}}})";
    CHECK(problem(schema, R"({"path":1234567,"limit":"secret"})") ==
          "Input field 'path' must be string, not integer; Input field 'limit' must be integer or null, not "
          "string");
    CHECK(problem(schema, R"({"limit":null})") == "");
}

TEST_CASE("a schema that would let inputs go unchecked by mistake is refused") {
    CHECK(refusal(R"({"type":"array"})") == "input_schema must have the type 'object': inputs are an object");
    CHECK(refusal(R"({"required":"path"})") == "input_schema: 'required' must be an array of strings");
    CHECK(refusal(R"({"required":[1]})") == "input_schema: 'required' must be an array of strings");
    CHECK(refusal(R"({"properties":["path"]})") == "input_schema: 'properties' must be an object");
    CHECK(refusal(R"({"properties":{"path":"string"}})") ==
          "input_schema: property 'path' must be an object");
    CHECK(refusal(R"({"properties":{"path":{"type":"str"}}})") ==
          "input_schema: the type of 'path' is no type of JSON: 'str'");
    CHECK(refusal(R"({"properties":{"path":{"type":["string",1]}}})") ==
          "input_schema: the type of 'path' must be an array of strings");
    CHECK(
        refusal(R"({"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":1}}})") ==
        "accepted");
}
