// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace longshore_test;
using boost::json::object;
using namespace std::string_literals;

TEST_CASE("elements of tool_command reach the tool unchanged") {
    std::vector<std::string> const elements{"1.0",
                                            "1e3",
                                            "0x10",
                                            "-1.50",
                                            "007",
                                            "",
                                            " ",
                                            "two  words ",
                                            "'single'",
                                            "\"double\"",
                                            "`back`$(tick)",
                                            "$HOME",
                                            "*",
                                            "~",
                                            "a\\nb\\",
                                            "new\nline\n",
                                            "\n",
                                            "\t\r\033[0m",
                                            "100% %s %n",
                                            "--help",
                                            "--",
                                            "-x",
                                            "!history",
                                            "a=1.0",
                                            "\xff\xfe invalid \xc3\x28",
                                            "\x80",
                                            "gr\u00fc\u00df\u00e9 \u4e16\u754c",
                                            "{\"json\": [1.0]}"};
    auto const script = "for argument; do printf '%s\\0' \"$argument\"; done"s;

    in_every_place([&](Place const& place) {
        std::vector<std::string> command{"sh", "-c", script, "sh"};
        command.insert(command.end(), elements.begin(), elements.end());
        auto executor = place.executor(place.config(command));
        auto const result = executor.execute_tool("a tool's name: 1.0", object{});

        REQUIRE_MESSAGE(result, result.error());
        std::string expected;
        for (auto const& element : elements)
            expected += element + '\0';
        CHECK(result.standard_output().bytes == expected + "a tool's name: 1.0" + '\0');
    });
}

TEST_CASE("a tool's name is a program, never shell text") {
    in_places(few_ways(), [](Place const& place) {
        for (std::string const name :
             {"x; touch pwned", "$(touch pwned)", "`touch pwned`", "a b", "x|touch pwned"}) {
            CAPTURE(name);
            place.workspace().write_program("bin/" + name, "#!/bin/sh\nprintf '{\"ran\":true}'\n");
            auto executor = place.executor(place.config());
            auto const result =
                executor.execute_tool(place.config().workspace_folder.string() + "/bin/" + name, object{});
            REQUIRE_MESSAGE(result, result.error());
            CHECK(result.output() == object{{"ran", true}});
        }
        CHECK_FALSE(place.workspace().has("pwned"));
        CHECK_FALSE(place.workspace().has("bin/pwned"));
    });
}
