// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>
#include <support/process_list.hpp>
#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using support::GuardedProcess;
using support::run;
using support::script_tool;
using support::shells;
using support::tool;
using support::who_has;

TEST_CASE("no secret stands in any command line, and the mark in no environment either") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        std::string const secret = "secret-" + support::unique_sleep();
        auto call = script_tool("echo ready; read -r line; exec sleep 1000");
        call.command.environment = {"TOKEN=" + secret};
        call.input = "line\n";
        GuardedProcess guarded{shell, call};
        CHECK(guarded.wait_for_output("ready\n"));
        CHECK(who_has(secret).empty());
        CHECK(who_has(secret, "environ").size() == 1); // so the search does find things
        CHECK(who_has(guarded.secrets().mark).empty());
        CHECK(who_has(guarded.secrets().mark, "environ").empty());
        CHECK(who_has(guarded.secrets().identity).empty());
        CHECK(who_has("LONGSHORE_CALL=" + guarded.secrets().identity, "environ").size() == 1);
        CHECK(guarded.give_up() == 0);
        CHECK(guarded.word("gone"));
    }
}

TEST_CASE("the tool has default signals, an empty mask, and three descriptors") {
    for (auto const& shell : shells())
        for (std::size_t const size : {std::size_t{0}, std::size_t{5}, std::size_t{5000}}) {
            CAPTURE(shell.name);
            CAPTURE(size);
            auto call = tool({"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"});
            call.input = std::string(size, 'x');
            CHECK(run(shell, call).output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
            call.command.arguments = {"ls", "/proc/self/fd"};
            CHECK(run(shell, call).output == "0\n1\n2\n3\n"); // 3: the folder that ls reads
        }
}

TEST_CASE("the tool leads a session of its own, which the guard tells by number and start") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        GuardedProcess guarded{shell, tool({"cat", "/proc/self/stat"})};
        auto const result = support::finish(guarded);
        std::vector<std::string> fields;
        std::string field;
        for (char const byte : result.output.substr(result.output.rfind(") ") + 2) + ' ')
            if (byte == ' ')
                fields.push_back(std::exchange(field, {}));
            else
                field += byte;
        auto const process = result.output.substr(0, result.output.find(' '));
        CHECK(fields[2] == process); // group
        CHECK(fields[3] == process); // session
        CHECK(guarded.word("begin") == "begin " + process + ' ' + fields[19]);
    }
}

TEST_CASE("both streams are framed, apart or as one in the order written") {
    std::string const writing = "echo a; echo b >&2; echo c; echo d >&2; echo e; exit 3";
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = script_tool(writing);
        auto const apart = run(shell, call);
        CHECK(apart.output == "a\nc\ne\n");
        CHECK(apart.error == "b\nd\n");
        CHECK(apart.end == "end 3");
        call.merge_error = true;
        GuardedProcess guarded{shell, call};
        auto const merged = support::finish(guarded);
        CHECK(merged.output == "a\nb\nc\nd\ne\n");
        CHECK(merged.error.empty());
        CHECK(merged.end == "end 3");
        auto const& error = guarded.process().error();
        CHECK(error.find(" end 3\n") != std::string::npos);
    }
}

TEST_CASE("output without a newline at its end, and output that imitates a word, stay output") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        CHECK(run(shell, tool({"/usr/bin/printf", "no newline"})).output == "no newline");
        auto const imitation = run(shell, tool({"/usr/bin/printf", "\\036%s end 0\\n\\036", "00ff"}));
        CHECK(imitation.output == "\036"
                                  "00ff end 0\n\036");
        CHECK(imitation.end == "end 0");
    }
}

TEST_CASE("what a background child writes after the end stands outside the frame") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        support::TemporaryDirectory const directory;
        GuardedProcess guarded{shell, script_tool("(until [ -e " + directory.path() +
                                                  "/go ]; do sleep 0.01; done; echo late; exec sleep 1000) & "
                                                  "echo out")};
        CHECK(guarded.wait_for_word("end"));
        directory.write("go", "");
        CHECK(guarded.wait_for_output("late\n"));
        auto const result = support::finish(guarded);
        CHECK(result.output == "out\n");
        CHECK(result.noise == "late\n");
        CHECK(result.verdict == "gone");
    }
}

TEST_CASE("the guard stays until its stdin ends, however long the tool is gone") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        GuardedProcess guarded{shell, tool({"true"})};
        CHECK(guarded.wait_for_word("end"));
        CHECK_FALSE(guarded.word("gone"));
        CHECK_FALSE(guarded.word("left"));
        CHECK(::kill(guarded.process().process(), 0) == 0);
        CHECK(guarded.give_up() == 0);
        CHECK(guarded.word("gone"));
    }
}
