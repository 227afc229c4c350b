// SPDX-License-Identifier: BSL-1.0
#include <longshore/tool/registry.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using longshore::ToolRegistry;
using longshore::ToolSpec;
using longshore::ValueError;

namespace {

std::vector<std::string> names(ToolRegistry const& registry) {
    std::vector<std::string> names;
    for (auto const& tool : registry.list())
        names.push_back(tool->name);
    return names;
}

} // namespace

TEST_CASE("a registry finds tools by name and lists them in order") {
    ToolRegistry registry;
    registry.add({.name = "lint", .description = "finds faults"});
    registry.add({.name = "build"});
    registry.add({.name = "file_read", .capability = {.reads = true, .writes = false}});
    CHECK(names(registry) == std::vector<std::string>{"build", "file_read", "lint"});
    CHECK(registry.size() == 3);
    REQUIRE(registry.find("lint"));
    CHECK(registry.find("lint")->description == "finds faults");
    CHECK(registry.find("Lint") == nullptr);
}

TEST_CASE("a second tool of the same name is refused and changes nothing") {
    ToolRegistry registry;
    registry.add({.name = "lint", .description = "first"});
    CHECK_THROWS_WITH_AS(registry.add({.name = "lint", .description = "second"}),
                         "a tool is registered already under the name 'lint'", ValueError);
    CHECK(registry.find("lint")->description == "first");
    CHECK(registry.size() == 1);
}

TEST_CASE("names that no tool can have are refused") {
    ToolRegistry registry;
    for (std::string const name : {"", "-v", "--help", "a\nb", "a\x7f"})
        CHECK_THROWS_AS(registry.add({.name = name}), ValueError);
    CHECK_THROWS_AS(registry.add({.name = std::string{"a\0b", 3}}), ValueError);
    CHECK_THROWS_AS(registry.add({.name = "lint", .container_command = "-rf"}), ValueError);
    CHECK(registry.size() == 0);
}

TEST_CASE("a schema that is none is refused when a tool is registered") {
    ToolRegistry registry;
    CHECK_THROWS_AS(registry.add({.name = "lint", .input_schema = {{"required", "path"}}}), ValueError);
    auto const not_a_number = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH_AS(registry.add({.name = "lint", .input_schema = {{"minimum", not_a_number}}}),
                         "JSON value at '/minimum' is NaN", ValueError);
    CHECK(registry.size() == 0);
}

TEST_CASE("a tool that was dropped lives on where it is held") {
    ToolRegistry registry;
    registry.add({.name = "lint", .description = "old"});
    auto const held = registry.find("lint");
    CHECK(registry.remove("lint"));
    CHECK_FALSE(registry.remove("lint"));
    registry.add({.name = "lint", .description = "new"});
    CHECK(held->description == "old");
    CHECK(registry.find("lint")->description == "new");
}

TEST_CASE("a registry can be used by several threads at once") {
    ToolRegistry registry;
    std::atomic<int> added{0};
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] {
                for (int round = 0; round < 200; ++round) {
                    auto const name = "tool" + std::to_string(round % 10);
                    try {
                        registry.add({.name = name});
                        ++added;
                    } catch (ValueError const&) { // another thread was first
                    }
                    if (auto const tool = registry.find(name)) CHECK(tool->name == name);
                    if (registry.remove(name)) --added;
                    CHECK(registry.list().size() <= 10);
                }
            });
    }
    CHECK(static_cast<int>(registry.size()) == added);
}
