// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/redact_json.hpp>
#include <longshore/json/boost_json.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using longshore::BoostJson;

namespace {

std::string redacted(std::string_view json, std::vector<std::string> secrets) {
    auto document = BoostJson::parse(json)->get_object();
    longshore::detail::redact_json<BoostJson>(document, longshore::Redactor{std::move(secrets)});
    return BoostJson::serialize(document);
}

} // namespace

TEST_CASE("secrets are replaced in values at every depth and in names") {
    CHECK(redacted(R"({"a":"x hunter2 y","b":[{"c":["hunter2"]}],"hunter2":1})", {"hunter2"}) ==
          R"({"a":"x [redacted] y","b":[{"c":["[redacted]"]}],"[redacted]":1})");
    CHECK(redacted(R"({"a":"none","b":null,"c":true,"d":1.5})", {"hunter2"}) ==
          R"({"a":"none","b":null,"c":true,"d":1.5E0})");
}

TEST_CASE("a secret is found before JSON escapes it, and never breaks the document") {
    CHECK(redacted(R"({"a":"x\"y\nz","b":"\u00e9"})", {"x\"y\nz", "\xC3\xA9"}) ==
          R"({"a":"[redacted]","b":"[redacted]"})");
    CHECK(redacted(R"({"a":"b"})", {"\"", ":", "{"}) == R"({"a":"b"})");
}

TEST_CASE("a secret that is a number is replaced as well") {
    CHECK(redacted(R"({"pin":90417,"more":[-90417,7]})", {"90417"}) ==
          R"({"pin":"[redacted]","more":["-[redacted]",7]})");
}
