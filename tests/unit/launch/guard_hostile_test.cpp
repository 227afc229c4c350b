// SPDX-License-Identifier: BSL-1.0
#include <longshore/config.hpp>
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <unistd.h>

using support::run;
using support::script_tool;
using support::shells;
using support::tool;

TEST_CASE("options that the place has set for its shells put no word of the guard into an environment") {
    for (auto const& shell : shells())
        for (std::string const option :
             {"allexport", "keyword", "xtrace", "verbose", "nounset", "noglob", "errexit"}) {
            CAPTURE(shell.name);
            CAPTURE(option);
            auto call = tool({"/bin/cat", "/proc/self/environ"});
            call.environment.push_back("SHELLOPTS=" + option);
            call.environment.push_back("SECRET_OF_THE_PLACE=topsecret");
            call.input = "{}";
            support::GuardedProcess guard{shell, call};
            guard.finish();
            CHECK(guard.word("end") == "end 0");
            CHECK(guard.output().find(guard.secrets().mark) == std::string::npos);
            CHECK(guard.output().find("_identity") == std::string::npos);
            CHECK(guard.noise().find("topsecret") == std::string::npos);
        }
}

TEST_CASE("functions that the place exports do not stand for the guard's utilities") {
    for (auto const& shell : shells())
        for (std::string const name :
             {"printf", "read", "cat", "head", "grep", "kill", "command", "echo", "cd"}) {
            CAPTURE(shell.name);
            CAPTURE(name);
            auto call = tool({"/bin/cat"});
            call.environment.push_back("BASH_FUNC_" + name + "%%=() { return 1; }");
            call.input = "all of it";
            auto const result = run(shell, call);
            CHECK(result.end == "end 0");
            CHECK(result.output == "all of it");
        }
}

TEST_CASE("variables of the place under the guard's own names never get a value of the guard") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = script_tool("echo \"[$_mark][$_session][$_line][$_name]\"");
        for (std::string const name : {"_mark", "_session", "_line", "_name"})
            call.environment.push_back(name + "=theirs");
        auto const output = run(shell, call).output;
        CHECK((output == "[][][][]\n" || output == "[theirs][theirs][theirs][theirs]\n"));
    }
}

TEST_CASE("a command that leaves its stdout non-blocking and full still has its end told") {
    if (::access("/usr/bin/python3", X_OK) != 0) return;
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call =
            tool({"/usr/bin/python3", "-c",
                  "import os\nos.set_blocking(1, False)\ntry:\n  while True: os.write(1, b'x' * 4096)\n"
                  "except BlockingIOError: pass"});
        support::GuardedProcess guard{shell, call};
        ::usleep(300'000); // the pipe stays full for a while, and nothing depends on how long
        guard.finish();
        CHECK(guard.word("end") == "end 0");
    }
}

TEST_CASE("input that there is no memory for is told as lost, or arrives whole") {
#if LONGSHORE_SANITIZED
    MESSAGE("skipped: a sanitized test is too slow to send so much to a shell");
    return;
#endif
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = tool({"/usr/bin/wc", "-c"});
        call.prefix = {"/bin/sh", "-c", "ulimit -v 60000; exec \"$@\"", "limit"};
        call.input = std::string(100'000'000, 'x');
        support::GuardedProcess guard{shell, call};
        guard.finish();
        CHECK((guard.output() == "100000000\n" || guard.word("input-lost").has_value()));
    }
}

TEST_CASE(
    "shells keep some variables for themselves, and a command has them with a PATH of its own as well") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = tool({"/bin/sh", "-c", "/usr/bin/env"});
        call.command.environment = {"PATH=/nowhere", "RANDOM=4"};
        auto const result = run(shell, call);
        CHECK(result.end == "end 0");
        CHECK(result.output.find("RANDOM=4\n") != std::string::npos);
    }
}
