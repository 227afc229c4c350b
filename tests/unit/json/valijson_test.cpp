// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/valijson.hpp>

#include <longshore/json/parse_inputs.hpp>
#include <longshore/tool/registry.hpp>
#include <longshore/tool/runner.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using longshore::BoostJson;
using longshore::ValijsonValidator;
using object = BoostJson::object;
using Problems = std::vector<std::string>;

object read(std::string_view text) { return longshore::parse_inputs<BoostJson>(text); }

Problems problems(std::string_view schema, std::string_view inputs) {
    return ValijsonValidator{}(read(schema), read(inputs));
}

bool tells(Problems const& problems, std::string_view place, std::string_view what) {
    for (auto const& problem : problems)
        if (problem.starts_with(place) && problem.find(what) != std::string::npos) return true;
    return false;
}

constexpr char deployment[] = R"({
    "type": "object",
    "required": ["name", "services"],
    "additionalProperties": false,
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$", "maxLength": 20},
        "stage": {"enum": ["test", "production"]},
        "services": {
            "type": "array", "minItems": 1, "uniqueItems": true,
            "items": {"$ref": "#/definitions/service"}
        }
    },
    "definitions": {
        "service": {
            "type": "object",
            "required": ["port"],
            "properties": {
                "port": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 65535},
                                   {"type": "string", "pattern": "^[a-z]+$"}]},
                "replicas": {"type": "integer", "multipleOf": 2}
            },
            "patternProperties": {"^x-": {"type": "string"}}
        }
    }
})";

constexpr char good[] = R"({"name": "shop-2", "stage": "test",
    "services": [{"port": 80, "replicas": 4, "x-note": "n"}, {"port": "http"}]})";

} // namespace

TEST_CASE("inputs that keep a whole schema have no problems") { CHECK(problems(deployment, good).empty()); }

TEST_CASE("each problem of a schema names the JSON pointer of its place") {
    CHECK(problems(deployment, R"({"name": "Shop", "services": [{"port": 1}]})") ==
          Problems{"value at '/name': String does not match the pattern '^[a-z][a-z0-9-]*$'"});
    CHECK(problems(deployment, R"({"name": "a", "stage": "moon", "services": [{"port": 1}]})") ==
          Problems{"value at '/stage': Failed to match against any enum values"});
    CHECK(problems(deployment, R"({"name": "a", "services": [{"port": 1}, {}]})") ==
          Problems{"value at '/services/1': Missing required property 'port'"});
    CHECK(problems(deployment, R"({"name": "a", "services": [{"port": 1, "replicas": 3}]})") ==
          Problems{"value at '/services/0/replicas': Value should be a multiple of 2"});
    CHECK(tells(problems(deployment, R"({"name": "a", "services": [{"port": 1, "x-note": 3}]})"),
                "value at '/services/0/x-note'", "type"));
    CHECK(problems(deployment, R"({"name": "a", "services": []})") ==
          Problems{"value at '/services': Array should contain no fewer than 1 elements"});
    CHECK(tells(problems(deployment, R"({"name": "a", "services": [{"port": 1}, {"port": 1}]})"),
                "value at '/services'", "uniqueness"));
    CHECK(tells(problems(deployment, R"({"services": [{"port": 1}]})"), "inputs", "'name'"));
    CHECK(tells(problems(deployment, R"({"name": "a", "services": [{"port": 1}], "more": 1})"), "inputs",
                "'more'"));
}

TEST_CASE("a place in the schema's terms is escaped as a JSON pointer") {
    CHECK(tells(problems(R"({"properties": {"a/b~[c]": {"type": "null"}}})", R"({"a/b~[c]": 1})"),
                "value at '/a~1b~0[c]'", "type"));
}

TEST_CASE("alternatives are tried, and all are told when none fits") {
    auto const found = problems(deployment, R"({"name": "a", "services": [{"port": 70000}]})");
    CHECK(tells(found, "value at '/services/0/port'", "anyOf"));
    CHECK(tells(found, "value at '/services/0/port'", "65535"));
    CHECK(tells(found, "value at '/services/0/port'", "type"));
    constexpr char exactly_one[] = R"({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]})";
    CHECK(problems(exactly_one, R"({"a": 1})").empty());
    CHECK(!problems(exactly_one, R"({"a": 1, "b": 1})").empty());
    constexpr char condition[] = R"({"if": {"required": ["user"]}, "then": {"required": ["password"]}})";
    CHECK(problems(condition, "{}").empty());
    CHECK(!problems(condition, R"({"user": 1})").empty());
}

TEST_CASE("values never stand in the problems of inputs") {
    for (auto const& problem : problems(deployment, R"({"name": "HUNTER2", "stage": "HUNTER2",
                                                        "services": [{"port": "HUNTER2"}]})"))
        CHECK(problem.find("HUNTER2") == std::string::npos);
}

TEST_CASE("numbers count as JSON Schema counts them, whatever holds them") {
    auto const schema = read(R"({"properties": {"n": {"type": "integer", "maximum": 9}}})");
    CHECK(ValijsonValidator{}(schema, {{"n", std::uint64_t{5}}}).empty());
    CHECK(ValijsonValidator{}(schema, {{"n", 5.0}}).empty());
    CHECK(ValijsonValidator{}(schema, {{"n", 5.5}}).size() == 1);
    CHECK(ValijsonValidator{}(schema, {{"n", std::uint64_t{11}}}).size() == 1);
    CHECK(ValijsonValidator{}(schema, {{"n", -1}}).empty());
    CHECK(problems(R"({"properties": {"n": {"enum": [1.0]}}})", R"({"n": 1})").empty());
    constexpr char beyond[] = R"({"n": 18446744073709551615})";
    CHECK(problems(R"({"properties": {"n": {"type": "number"}}})", beyond).empty());
    CHECK(!problems(R"({"properties": {"n": {"type": "number", "maximum": 9}}})", beyond).empty());
}

TEST_CASE("text that is too long for an expression is refused and overflows no stack") {
    std::string const longest(1024, 'a');
    std::string const longer(1 << 20, 'a');
    auto const refused = [&](std::string_view schema) {
        auto const rules = read(schema);
        CHECK(ValijsonValidator{}(rules, {{"t", longest}}).empty());
        CHECK(tells(ValijsonValidator{}(rules, {{"t", longer}}), "value at '/t'", "too long"));
    };
    refused(R"({"properties": {"t": {"pattern": "^(a|b)*$"}}})");
    refused(R"({"properties": {"t": {"not": {"pattern": "^(b|c)*$"}}}})");
    refused(R"({"properties": {"t": {"anyOf": [{"pattern": "^(b|c)*$"}, {"type": "string"}]}}})");
    refused(R"({"properties": {"t": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"pattern": "^(a|b)*$"}}})");

    auto const names = read(R"({"patternProperties": {"^(a|b)*$": {"type": "integer"}}})");
    CHECK(ValijsonValidator{}(names, {{longest, 1}}).empty());
    CHECK(tells(ValijsonValidator{}(names, {{longer, 1}}), "inputs", "too long"));
    CHECK(tells(ValijsonValidator{}(read(R"({"propertyNames": {"pattern": "^a*$"}})"), {{longer, 1}}),
                "inputs", "too long"));
    auto const date = read(R"({"properties": {"t": {"format": "date"}}})");
    CHECK(tells(ValijsonValidator{}(date, {{"t", std::string(1 << 20, '1')}}), "value at '/t'", "too long"));
}

TEST_CASE("dates and times are checked, other formats only tell people") {
    constexpr char schema[] = R"({"properties": {"d": {"format": "date"}, "u": {"format": "uri"}}})";
    CHECK(problems(schema, R"({"d": "2024-02-29", "u": "no uri"})").empty());
    CHECK(problems(schema, R"({"d": "2023-13-01"})") ==
          Problems{"value at '/d': String should be a valid 'date'"});
}

TEST_CASE("a property, a name or a value that is called pattern is none") {
    constexpr char schema[] = R"({"properties": {"pattern": {"type": "string"}, "format": {"type": "string"},
        "chosen": {"enum": [{"pattern": "x"}]}}, "required": ["pattern"]})";
    CHECK(problems(schema, R"({"pattern": "[", "format": "date", "chosen": {"pattern": "x"}})").empty());
    CHECK(problems(schema, R"({"chosen": {"pattern": "y"}})").size() == 2);
}

TEST_CASE("references stay within the schema, also when it has a name on the network") {
    constexpr char schema[] = R"({"$id": "https://example.com/tool.json",
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/text%20a"}, "$id": {"type": "null"}},
        "definitions": {"text a": {"$id": "/text", "$ref": "#/definitions/text"}, "text": {"type": "string"}}})";
    CHECK(problems(schema, R"({"a": "x", "$id": null})").empty());
    CHECK(tells(problems(schema, R"({"a": 1})"), "value at '/a'", "type"));
    CHECK(tells(problems(schema, R"({"$id": 1})"), "value at '/$id'", "type"));
}

TEST_CASE("a document and a schema of any depth that JSON may have are followed") {
    constexpr int depth = 500;
    std::string inputs = "1";
    for (int level = 0; level < depth; ++level)
        inputs = R"({"child":)" + inputs + '}';
    auto const found = problems(
        R"({"type": "object", "properties": {"child": {"$ref": "#"}}, "additionalProperties": false})",
        inputs);
    std::string pointer;
    for (int level = 0; level < depth; ++level)
        pointer += "/child";
    CHECK(tells(found, "value at '" + pointer + "'", "type"));
    CHECK(found.size() == 1);
}

TEST_CASE("of many problems the first twenty are told, and how many more there are") {
    std::string inputs = R"({"list": [0)";
    for (int at = 1; at < 1000; ++at)
        inputs += ",0";
    auto const found = problems(R"({"properties": {"list": {"items": {"type": "string"}}}})", inputs + "]}");
    REQUIRE(found.size() == 21);
    CHECK(found.front().starts_with("value at '/list/0': "));
    CHECK(found.back() == "and 980 more");
}

TEST_CASE("a schema that is none, or that lies elsewhere, is told as such") {
    auto const refused = [](std::string const& schema) {
        CAPTURE(schema);
        CHECK_THROWS_AS(problems(schema, R"({"a": 1})"), longshore::ValueError);
    };
    refused(R"({"properties": {"a": {"type": "strange"}}})");
    refused(R"({"properties": 3})");
    refused(R"({"properties": {"a": {"pattern": "("}}})");
    refused(R"({"properties": {"a": {"pattern": 3}}})");
    refused(R"({"properties": {"a": {"minimum": "x"}}})");
    refused(R"({"properties": {"a": {"$ref": "#/definitions/none"}}})");
    refused(R"({"properties": {"a": {"$ref": "http://localhost/schema.json"}}})");
    refused(R"({"$ref": "#"})");
    refused(R"({"properties": {"a": {"$ref": "#/definitions/a"}},
                "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}}})");
    refused(R"({"properties": {"a": {"allOf": [{"not": {"$ref": "#/properties/%61"}}]}}})");
    refused(
        R"({"properties": {"a": {"properties": {"b": {"anyOf": [{"$ref": "#/properties/a/properties/b"}]}}}}})");
    CHECK(problems(R"({"properties": {"a": false}})", R"({"a": 1})").size() == 1);
}

TEST_CASE("a runner with the validator refuses what a whole schema forbids, and starts no tool") {
    longshore::ToolRegistry registry;
    int calls = 0;
    registry.add(
        {.name = "deploy", .input_schema = read(deployment), .handler = [&](object const&) { ++calls; }});
    longshore::ToolRunner runner{registry,
                                 longshore::RunnerOptions<BoostJson>{.validator = ValijsonValidator{}}};
    CHECK(runner.execute("deploy", read(good)));
    auto const refused = runner.execute("deploy", {{"name", "A"}, {"services", {object{{"port", 1}}}}});
    CHECK(refused.failure_kind() == longshore::FailureKind::invalid_input);
    CHECK(refused.error() ==
          "Invalid input: value at '/name': String does not match the pattern '^[a-z][a-z0-9-]*$'");
    CHECK(calls == 1);
}
