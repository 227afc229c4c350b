// SPDX-License-Identifier: BSL-1.0
#include <longshore/audit/json_line.hpp>
#include <longshore/json/boost_json.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

using longshore::AuditRecord;
using longshore::BoostJson;
using longshore::EnvironmentLevel;
using longshore::ExecutionEnvironment;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t no_limit = std::size_t{1} << 30;

AuditRecord record() {
    return {.id = "01890000-0000-7000-8000-000000000001",
            .started_at = std::chrono::system_clock::time_point{1700000000s + 123456us},
            .duration = 1234567ns,
            .tool_name = "lint",
            .environment =
                longshore::EnvironmentDecision{ExecutionEnvironment::container, EnvironmentLevel::plan},
            .inputs = R"({"path":"/a"})",
            .success = true,
            .output = R"({"faults":0})",
            .container_metadata = R"({"exit_code":0})"};
}

boost::json::object read(std::string const& line) {
    auto const document = BoostJson::parse(line);
    REQUIRE(document.has_value());
    return document->get_object();
}

std::string text_at(boost::json::object const& line, std::string_view name) {
    return std::string{BoostJson::as_string(line.at(boost::json::string_view{name.data(), name.size()}))};
}

} // namespace

TEST_CASE("a record is one line of JSON with its members in a fixed order") {
    CHECK(
        longshore::json_line(record(), no_limit) ==
        R"({"id":"01890000-0000-7000-8000-000000000001","started_at":"2023-11-14T22:13:20.123456Z",)"
        R"("tool_name":"lint","duration_ms":1.234,"environment":"container","decided_by":"plan","success":true,)"
        R"("failure_kind":"none","error":null,"hint":"","container_metadata":{"exit_code":0},)"
        R"("inputs":{"path":"/a"},"output":{"faults":0},"truncated":{}})");
}

TEST_CASE("a record of a failure that came to no environment has the same members") {
    auto const line = read(longshore::json_line({.tool_name = "lint",
                                                 .failure_kind = longshore::FailureKind::invalid_input,
                                                 .error = "inputs are not JSON-serialisable",
                                                 .hint = "Correct them."},
                                                no_limit));
    CHECK(line.size() == read(longshore::json_line(record(), no_limit)).size());
    CHECK(line.at("environment").is_null());
    CHECK(line.at("decided_by").is_null());
    CHECK(line.at("inputs").is_null());
    CHECK(line.at("output").is_null());
    CHECK(line.at("container_metadata").is_null());
    CHECK(line.at("failure_kind") == "invalid_input");
    CHECK(line.at("error") == "inputs are not JSON-serialisable");
}

TEST_CASE("whatever its texts hold, a record stays one line of strict JSON") {
    auto odd = record();
    odd.success = false;
    odd.tool_name = "a\nb\"";
    odd.error = "\xFF\r\n\x01";
    odd.inputs = "{\n  \"a\": 1,\r\n  \"b\": 2\n}";
    auto const text = longshore::json_line(odd, no_limit);
    CHECK(text.find_first_of("\r\n") == std::string::npos);
    auto const line = read(text);
    CHECK(text_at(line, "tool_name") == "a\nb\"");
    CHECK(line.at("error") == "\xEF\xBF\xBD\r\n\x01");
    CHECK(BoostJson::serialize(line.at("inputs")) == R"({"a":1,"b":2})");
}

TEST_CASE("documents beyond the limit are cut to text, and the cut is marked") {
    auto big = record();
    big.inputs = R"({"text":")" + std::string(1000, 'x') + "\"}";
    auto const line = read(longshore::json_line(big, 100));
    CHECK(text_at(line, "inputs") == big.inputs.substr(0, 100));
    CHECK(BoostJson::serialize(line.at("truncated")) == R"({"inputs":1011})");
    CHECK(BoostJson::serialize(line.at("output")) == R"({"faults":0})");

    auto const whole = read(longshore::json_line(big, big.inputs.size()));
    CHECK(whole.at("inputs").is_object());
    CHECK(whole.at("truncated").get_object().empty());
}

TEST_CASE("every text of any length is bounded") {
    auto big = record();
    std::string const text(1000, 'x');
    big.success = false;
    big.tool_name = big.error = big.hint = text;
    big.inputs = big.output = big.container_metadata = "{\"a\":\"" + text + "\"}";
    auto const json = longshore::json_line(big, 10);
    CHECK(json.size() < 600);
    CHECK(
        BoostJson::serialize(read(json).at("truncated")) ==
        R"({"tool_name":1000,"error":1000,"hint":1000,"container_metadata":1008,"inputs":1008,"output":1008})");
}

TEST_CASE("a cut never splits a character, wherever it falls") {
    auto big = record();
    std::string const emoji{"\xF0\x9F\x98\x80"};
    big.output = "{\"a\":\"" + emoji + "\"}"; // the character stands at bytes 6 to 9
    for (std::size_t limit = 5; limit < 12; ++limit) {
        CAPTURE(limit);
        auto const line = read(longshore::json_line(big, limit));
        CHECK(text_at(line, "output") == big.output.substr(0, limit > 6 && limit < 10 ? 6 : limit));
        CHECK(line.at("truncated").at("output") == big.output.size());
    }
}

TEST_CASE("a document as deep as JSON may be stands there as text, so that the line can be read") {
    auto const nested = [](std::size_t depth) {
        return "{\"[\\\"[\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
    };
    auto deep = record();
    deep.inputs = nested(longshore::json_depth_limit - 1);
    deep.output = nested(longshore::json_depth_limit);
    auto const line = read(longshore::json_line(deep, no_limit));
    CHECK(line.at("inputs").is_object());
    CHECK(text_at(line, "output") == deep.output);
    CHECK(line.at("truncated").get_object().empty());
}

TEST_CASE("durations are written to the microsecond") {
    auto const written = [](std::chrono::nanoseconds length) {
        return longshore::detail::milliseconds_text(length);
    };
    CHECK(written(0ns) == "0.000");
    CHECK(written(999ns) == "0.000");
    CHECK(written(1005us) == "1.005");
    CHECK(written(2h) == "7200000.000");
    CHECK(written(-1500us) == "-1.500");
}
