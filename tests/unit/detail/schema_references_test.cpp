// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/schema_references.hpp>

#include <longshore/json/parse_inputs.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using longshore::BoostJson;

void follow(std::string_view text) {
    BoostJson::value const schema(longshore::parse_inputs<BoostJson>(text));
    longshore::detail::SchemaReferences{schema}.follow(schema);
}

} // namespace

TEST_CASE("references that end somewhere in their schema are followed") {
    CHECK_NOTHROW(follow(R"({"allOf": [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/a/"}],
        "definitions": {"a": {"$ref": "#/definitions/x~1y%20z"}, "x/y z": {"type": "null"}}})"));
    CHECK_NOTHROW(follow(R"({"properties": {"child": {"$ref": "#"}}})"));
    CHECK_NOTHROW(follow(R"({"if": true, "not": {"enum": [{"$ref": "nowhere"}]}})"));
}

TEST_CASE("a reference that comes back without going deeper is refused") {
    auto const message = "input_schema: a $ref leads back to itself without end";
    CHECK_THROWS_WITH_AS(follow(R"({"$ref": "#"})"), message, longshore::ValueError);
    CHECK_THROWS_WITH_AS(follow(R"({"anyOf": [{"not": {"$ref": "#"}}]})"), message, longshore::ValueError);
    CHECK_THROWS_WITH_AS(follow(R"({"dependencies": {"a": {"$ref": "#"}}})"), message, longshore::ValueError);
    CHECK_THROWS_WITH_AS(follow(R"({"then": {"$ref": "#/definitions/a"},
        "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"oneOf": [{"$ref": "#/definitions/a"}]}}})"),
                         message, longshore::ValueError);
}

TEST_CASE("a reference that leads nowhere or out of its schema is refused and shown") {
    CHECK_THROWS_WITH_AS(follow(R"({"$ref": "#/definitions/none"})"),
                         "input_schema: $ref leads nowhere: '#/definitions/none'", longshore::ValueError);
    CHECK_THROWS_WITH_AS(follow(R"({"$ref": "#/%zz"})"), "input_schema: $ref leads nowhere: '#/%zz'",
                         longshore::ValueError);
    CHECK_THROWS_WITH_AS(follow(R"({"$ref": "http://localhost/s.json#/a"})"),
                         "input_schema: $ref leads out of the schema: 'http://localhost/s.json#/a'",
                         longshore::ValueError);
}
