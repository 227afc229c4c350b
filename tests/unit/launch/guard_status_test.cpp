// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>
#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using support::GuardedProcess;
using support::run;
using support::script_tool;
using support::shells;
using support::TemporaryDirectory;
using support::tool;

TEST_CASE("the exit status of the tool is told as it is") {
    for (auto const& shell : shells())
        for (int const status : {0, 1, 2, 3, 7, 100, 124, 125, 126, 127, 128, 129, 137, 200, 254, 255}) {
            CAPTURE(shell.name);
            auto const result =
                run(shell, script_tool("echo out; echo err >&2; exit " + std::to_string(status)));
            CHECK(result.end == "end " + std::to_string(status));
            CHECK(result.output == "out\n");
            CHECK(result.error == "err\n");
            CHECK(result.guard_exit == 0);
        }
}

TEST_CASE("death by a signal is told as 128 and the signal, and no shell remarks on it") {
    for (auto const& shell : shells())
        for (auto const& [signal, status] : {std::pair{"KILL", 137},
                                             {"SEGV", 139},
                                             {"TERM", 143},
                                             {"INT", 130},
                                             {"ABRT", 134},
                                             {"PIPE", 141},
                                             {"HUP", 129}}) {
            CAPTURE(shell.name);
            std::string const name{signal}; // a lambda of CAPTURE cannot refer to a structured binding
            CAPTURE(name);
            // A program of its own, because a shell that is sent SIGINT may exit with a status.
            auto const result = run(shell, script_tool("ulimit -c 0; exec env kill -" + name + " $$"));
            CHECK(result.end == "end " + std::to_string(status));
            CHECK(result.error.empty());
            CHECK(result.noise.empty());
            CHECK(result.verdict == "gone");
        }
}

TEST_CASE("a tool that cannot be started is told apart from one that failed") {
    TemporaryDirectory const directory;
    directory.write("plain", "#!/bin/sh\n", 0644);
    directory.make("folder");
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto const refused = [&](std::string const& name, std::string const& answer) {
            CAPTURE(name);
            GuardedProcess guarded{shell, tool({name, "argument"})};
            auto const result = support::finish(guarded);
            CHECK(guarded.word("no-command") == "no-command " + answer);
            CHECK(result.end == "end " + answer);
            CHECK_FALSE(guarded.word("begin"));
            CHECK(result.noise.empty());
            CHECK(result.verdict == "gone");
        };
        refused("there-is-no-such-tool", "127");
        refused("/there/is/no/such/tool", "127");
        refused("a name\nwith $odd 'bytes'\xff", "127");
        refused(directory.path() + "/plain", "126");
        refused(directory.path() + "/folder", "126");
        refused(directory.path() + "/plain/below", "127");
    }
}

TEST_CASE("the first executable file of a name is found, wherever else that name stands") {
    TemporaryDirectory const directory;
    directory.make("one");
    directory.make("one/found"); // a directory
    directory.make("two");
    directory.write("two/found", "#!/bin/sh\necho wrong\n", 0644);
    directory.make("th ree");
    directory.write("th ree/found", "#!/bin/sh\necho right\n", 0755);
    auto const path = directory.path();
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = tool({"found"});
        call.command.environment = {"PATH=" + path + "/one:" + path + "/two:" + path + "/th ree:" + path +
                                    "/[a-z]*:/usr/bin:/bin"};
        CHECK(run(shell, call).output == "right\n");
        call.command.environment = {"PATH=" + path + "/one:" + path + "/two:" + path + "/*ree"};
        auto const result = run(shell, call);
        CHECK(result.end == "end 126");
        CHECK(result.output.empty());
    }
}

TEST_CASE("the working directory is entered whatever its name, or its absence is told") {
    TemporaryDirectory const directory;
    for (auto const* name : {"-L", "a b", "it's", "new\n\nlines\n", "%s", "\xff\\", "*", "$HOME"})
        directory.make(name);
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        for (auto const* name : {"-L", "a b", "it's", "new\n\nlines\n", "%s", "\xff\\", "*", "$HOME"}) {
            CAPTURE(name);
            auto call = script_tool("readlink -n /proc/self/cwd; printf %s \"|$PWD|${OLDPWD-none}\"");
            call.command.working_directory = directory.path() + '/' + name;
            call.environment.push_back("CDPATH=/usr:/");
            auto const expected = call.command.working_directory;
            CHECK(run(shell, call).output == expected + '|' + expected + "|none");
        }
        auto call = script_tool("echo started");
        call.command.working_directory = directory.path() + "/missing";
        GuardedProcess guarded{shell, call};
        auto const result = support::finish(guarded);
        CHECK(guarded.word("no-directory"));
        CHECK_FALSE(guarded.word("begin"));
        CHECK(result.end == "end 125");
        CHECK(result.noise.empty());
    }
}
