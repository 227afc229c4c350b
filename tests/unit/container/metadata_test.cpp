// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/metadata.hpp>
#include <longshore/json/boost_json.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using longshore::BoostJson;
using longshore::ContainerMetadata;
using longshore::from_json;
using longshore::to_json;

namespace {

ContainerMetadata everything() {
    return ContainerMetadata{{.container_id = "abc123",
                              .image = "node:20",
                              .workspace_folder = "/workspace",
                              .exec_time_ms = 1500.5,
                              .exit_code = 137,
                              .timed_out = true,
                              .queued_ms = 0.25,
                              .signal = 9,
                              .standard_output = {.kept = 3, .total = 5, .truncated = true},
                              .standard_error = {.kept = 7, .total = 7},
                              .container_process_killed = false,
                              .cli = "docker",
                              .cli_version = "20.10.24",
                              .guarded = false}};
}

BoostJson::object parsed(char const* text) { return BoostJson::as_object(*BoostJson::parse(text)); }

} // namespace

SCENARIO("ContainerMetadata is frozen and holds execution details") {
    ContainerMetadata const metadata{{.container_id = "abc123", .image = "node:20"}};
    CHECK(metadata.container_id() == "abc123");
    CHECK(metadata.image() == "node:20");
    CHECK_FALSE(metadata.timed_out());
    static_assert(!std::is_assignable_v<decltype(metadata.fields()), longshore::ContainerMetadataFields>);
    static_assert(!std::is_assignable_v<decltype(metadata.exit_code()), int>);
}

TEST_CASE("ContainerMetadata as JSON begins with the specification's six keys, in their order") {
    std::vector<std::string> keys;
    auto const object = to_json<BoostJson>(everything());
    BoostJson::for_each_member(object, [&](std::string_view key, auto const&) { keys.emplace_back(key); });
    CHECK(keys == std::vector<std::string>{"container_id", "image", "workspace_folder", "exec_time_ms",
                                           "exit_code", "timed_out", "queued_ms", "signal", "standard_output",
                                           "standard_error", "container_process_killed", "cli", "cli_version",
                                           "guarded"});
    CHECK(object.at("exit_code") == 137);
    CHECK(object.at("timed_out") == true);
    CHECK(object.at("exec_time_ms") == 1500.5);
    CHECK(object.at("container_process_killed") == "no");
    CHECK(object.at("standard_output") == parsed(R"({"kept":3,"total":5,"truncated":true})"));
}

TEST_CASE("ContainerMetadata tells what is not known as null and as unknown") {
    auto const object = to_json<BoostJson>(ContainerMetadata{});
    CHECK(object.at("signal").is_null());
    CHECK(object.at("container_process_killed") == "unknown");
    auto fields = ContainerMetadata{}.fields();
    fields.container_process_killed = true;
    CHECK(to_json<BoostJson>(ContainerMetadata{fields}).at("container_process_killed") == "yes");
}

TEST_CASE("ContainerMetadata comes back from its JSON as it was") {
    for (auto const& metadata : {ContainerMetadata{}, everything()})
        CHECK(from_json<ContainerMetadata, BoostJson>(to_json<BoostJson>(metadata)) == metadata);
    auto const text = BoostJson::serialize(to_json<BoostJson>(everything()));
    auto const object = BoostJson::as_object(*BoostJson::parse(text));
    CHECK(from_json<ContainerMetadata, BoostJson>(object) == everything());
}

TEST_CASE("ContainerMetadata reads an object with the specification's six keys alone") {
    auto const metadata = from_json<ContainerMetadata, BoostJson>(
        parsed(R"({"container_id":"abc123","image":"node:20","workspace_folder":"/workspace",
                   "exec_time_ms":1500,"exit_code":-9,"timed_out":false})"));
    CHECK(metadata.exec_time_ms() == 1500);
    CHECK(metadata.exit_code() == -9);
    CHECK_FALSE(metadata.signal().has_value());
    CHECK(metadata.guarded());
}

TEST_CASE("ContainerMetadata refuses members of another kind, and names them") {
    auto const read = [](char const* text) { return from_json<ContainerMetadata, BoostJson>(parsed(text)); };
    CHECK_THROWS_WITH_AS(read(R"({"exit_code":"0"})"),
                         "JSON value at '/exit_code' is not a whole number within range",
                         longshore::ValueError);
    CHECK_THROWS_AS(read(R"({"exit_code":4294967296})"), longshore::ValueError);
    CHECK_THROWS_AS(read(R"({"timed_out":0})"), longshore::ValueError);
    CHECK_THROWS_AS(read(R"({"image":7})"), longshore::ValueError);
    CHECK_THROWS_WITH_AS(read(R"({"standard_output":{"kept":-1}})"),
                         "JSON value at '/standard_output/kept' is not a whole number within range",
                         longshore::ValueError);
}
