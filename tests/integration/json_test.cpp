// SPDX-License-Identifier: BSL-1.0
#include <integration/every_way.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <doctest/doctest.h>

#include <string>

using longshore::FailureKind;
using namespace longshore_test;
using boost::json::object;

TEST_CASE("a tool gets JSON with container paths, and its JSON comes back with host paths") {
    in_every_place([](Place const& place) {
        place.workspace().write("sub folder/in.txt", "read me\n");
        auto const inputs =
            object{{"file", place.workspace().path("sub folder/in.txt")},
                   {"nested", {{"list", {place.workspace().folder(), "/usr/lib", "no path", 17, nullptr}}}}};

        auto executor = place.shell("printf '{\"seen\":'; cat; printf '}'");
        auto const result = executor.execute_tool("echo", inputs);

        REQUIRE_MESSAGE(result, result.error());
        CHECK(result.output() == object{{"seen", inputs}});
        auto const config = place.config();
        auto const raw = result.standard_output().bytes;
        CHECK(raw.find(config.workspace_folder.string() + "/sub folder/in.txt") != std::string::npos);
        CHECK(raw.find(place.workspace().folder() + "/") == std::string::npos);
    });
}

TEST_CASE("a mapped path names the same file on both sides") {
    in_every_place([](Place const& place) {
        place.workspace().write("in.txt", "from the host\n");
        auto executor = place.executor(place.config({"python3", "-c",
                                                     "import json, sys, os\n"
                                                     "path = json.load(sys.stdin)['path']\n"
                                                     "text = open(path).read()\n"
                                                     "out = os.path.dirname(path) + '/out.txt'\n"
                                                     "open(out, 'w').write(text.upper())\n"
                                                     "print(json.dumps({'written': out}))\n"}));
        auto const result =
            executor.execute_tool("upper", object{{"path", place.workspace().path("in.txt")}});

        REQUIRE_MESSAGE(result, result.error());
        CHECK(result.output() == object{{"written", place.workspace().path("out.txt")}});
        CHECK(place.workspace().read("out.txt") == "FROM THE HOST\n");
    });
}

TEST_CASE("a tool starts in the workspace folder, whatever the home of its user is") {
    in_every_place([](Place const& place) {
        place.workspace().write("here", "");
        auto executor = place.shell("test -e here && pwd -P");
        auto const result = executor.execute_tool("where", object{});
        REQUIRE_MESSAGE(result, result.error());
        auto const expected = place.way().into_container() || place.way().through == Through::bubblewrap
                                  ? "/workspace\n"
                                  : place.workspace().folder() + "\n";
        CHECK(result.standard_output().bytes == expected);
    });
}

TEST_CASE("a tool's variables and working directory reach it, and stand on no command line") {
    in_every_place([](Place const& place) {
        place.workspace().write("below/here", "");
        auto const secret = unique_name("secret value's \"quotes\" $HOME\nsecond line");
        auto executor = place.shell("test -e here && printf %s \"$TOKEN\" && cat >/dev/null");
        std::size_t seen = 0;
        auto const result = executor.execute_tool("tool", object{},
                                                  {.environment = {{"TOKEN", secret}},
                                                   .working_directory = place.workspace().path("below"),
                                                   .on_output = [&](longshore::Stream, std::string_view) {
                                                       seen += processes_mentioning(secret).size();
                                                       return longshore::Flow::go_on;
                                                   }});
        REQUIRE_MESSAGE(result, result.error());
        CHECK(result.standard_output().bytes == secret);
        CHECK(seen == 0);
    });
}

TEST_CASE("a folder that devcontainer up has brought up is reached by its workspace folder") {
    for (auto const& way : every_way())
        if (way.through == Through::devcontainer_by_folder) SUBCASE(way.name.c_str()) {
                on_way(way, [](Way const& used) {
                    Workspace const workspace;
                    auto const engine = used.engine().value();
                    workspace.write(".devcontainer/devcontainer.json",
                                    R"({"image":")" + engine.image +
                                        R"(","workspaceFolder":"/workspace","runArgs":["--network=none",)" +
                                        R"("--label=longshore-test"],"workspaceMount":"source=)" +
                                        workspace.folder() + R"(,target=/workspace,type=bind"})");
                    auto const told =
                        output_of({devcontainer_for(engine), "up", "--workspace-folder", workspace.folder()});
                    auto const id =
                        std::string{boost::json::parse(told).as_object().at("containerId").as_string()};
                    auto executor = Place{used, workspace}.shell("pwd; hostname");
                    auto const result = executor.execute_tool("where", object{});
                    output_of({engine.cli, "rm", "-f", id});
                    CHECK_MESSAGE(result, result.error());
                    CHECK(result.standard_output().bytes.starts_with("/workspace\n" + id.substr(0, 12)));
                });
            }
}
