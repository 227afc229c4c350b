// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>
#include <support/process_list.hpp>
#include <unit/detail/process_support.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

using support::GuardedProcess;
using support::script_tool;
using support::shells;
using support::who_has;

namespace {

// Tools that are hard to end. SLEEP stands for a number of seconds that names the processes of one test.
struct Stubborn {
    std::string what;
    std::string script;
    std::size_t processes; // that sleep, once it is ready
};

std::vector<Stubborn> stubborn_tools() {
    return {
        {"one process", "echo ready; exec sleep SLEEP", 1},
        {"children", "sleep SLEEP & sleep SLEEP & echo ready; sleep SLEEP; sleep SLEEP", 3},
        {"children in the background of an exited parent",
         "(sleep SLEEP & sleep SLEEP &) ; echo ready; sleep SLEEP", 3},
        {"ignored signals",
         "trap '' TERM HUP INT QUIT; sleep SLEEP & echo ready; while :; do sleep SLEEP; done", 2},
        {"sessions of their own", "setsid sleep SLEEP & setsid setsid sleep SLEEP & echo ready; sleep SLEEP",
         3},
        {"a wiped environment", "env -i sleep SLEEP & echo ready; exec env -i sleep SLEEP", 2},
        {"double-forked daemons",
         "(setsid sh -c 'sleep SLEEP & exit' &); (setsid sh -c '(trap \"\" HUP TERM; sleep SLEEP) &'); "
         "echo ready; sleep SLEEP",
         3},
        {"closed streams", "sleep SLEEP >&- 2>&- <&- & echo ready; exec sleep SLEEP >&- 2>&- <&-", 2},
    };
}

std::string with_sleep(std::string script, std::string const& sleep) {
    for (auto at = script.find("SLEEP"); at != std::string::npos; at = script.find("SLEEP"))
        script.replace(at, 5, sleep);
    return script;
}

// Nothing may be left at the moment at which the guard says so.
void check_end(support::Shell const& shell, Stubborn const& stubborn, std::string const& announced,
               std::size_t sent) {
    CAPTURE(shell.name);
    CAPTURE(stubborn.what);
    CAPTURE(sent);
    auto const sleep = support::unique_sleep();
    auto call = script_tool(with_sleep(stubborn.script, sleep));
    call.input = announced;
    GuardedProcess guarded{shell, call, sent};
    CHECK(guarded.wait_for_output("ready\n"));
    // The scripts themselves have the text in their arguments, so it is the program's that are counted.
    CHECK(support::wait_for_processes(support::sleeping(sleep), stubborn.processes));
    CHECK(guarded.give_up() == 0);
    CHECK(guarded.word("gone"));
    CHECK(guarded.word("end") == "end 137");
    CHECK(guarded.noise().empty());
    CHECK(who_has(sleep).empty());
}

} // namespace

TEST_CASE("at the end of stdin everything of the tool is gone, and the guard says so") {
    for (auto const& shell : shells())
        for (auto const& stubborn : stubborn_tools())
            check_end(shell, stubborn, "", 0);
}

TEST_CASE("stdin that ends in the middle of the input ends the tool as well") {
    std::string const announced(100000, 'x');
    for (auto const& shell : shells())
        for (std::size_t const sent : {std::size_t{0}, std::size_t{10}, std::size_t{50000}})
            check_end(shell, stubborn_tools()[1], announced, sent);
    for (auto const& shell : shells())
        check_end(shell, stubborn_tools()[0], "four", 3);
}

TEST_CASE("stdin that ends while the tool ignores megabytes of its input ends the tool as well") {
    std::string const announced(std::size_t{4} << 20U, 'x');
    for (auto const& shell : shells()) {
        check_end(shell, stubborn_tools()[0], announced, announced.size());
        check_end(shell, stubborn_tools()[4], announced, announced.size());
        check_end(shell, stubborn_tools()[7], announced, announced.size() / 2);
    }
}

TEST_CASE("stopped processes are ended too") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto const sleep = support::unique_sleep();
        GuardedProcess guarded{shell, script_tool("sleep " + sleep + " & setsid sleep " + sleep + " & wait")};
        CHECK(guarded.wait_for_word("begin"));
        CHECK(support::wait_for_processes(support::sleeping(sleep), 2));
        auto const leader = std::atoi(guarded.word("begin").value_or("begin 0").substr(6).c_str());
        REQUIRE(leader > 1); // a signal to 0 or -1 would reach many
        ::kill(leader, SIGSTOP);
        for (auto const process : who_has(support::sleeping(sleep)))
            ::kill(process, SIGSTOP);
        CHECK(guarded.give_up() == 0);
        CHECK(guarded.word("gone"));
        CHECK(who_has(sleep).empty());
    }
}

TEST_CASE("a tool that goes on starting processes is caught up with") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto const sleep = support::unique_sleep();
        // Not for ever, so that a guard that fails here does not take the machine with it.
        GuardedProcess guarded{shell, script_tool("echo ready; for i in $(seq 300); do setsid sleep " +
                                                  sleep + " & setsid sh -c 'setsid sleep " + sleep +
                                                  " & exec sleep 0.01'; done; sleep " + sleep)};
        CHECK(guarded.wait_for_output("ready\n"));
        CHECK(guarded.process().pump_until([&] { return who_has(support::sleeping(sleep)).size() > 20; }));
        CHECK(guarded.give_up() == 0);
        CHECK(guarded.word("gone"));
        CHECK(who_has(sleep).empty());
    }
}

TEST_CASE("what a tool leaves behind is gone once the guard says so") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto const sleep = support::unique_sleep();
        GuardedProcess guarded{
            shell, script_tool("sleep " + sleep + " & setsid sleep " + sleep + " & echo out; exit 5")};
        auto const result = support::finish(guarded);
        CHECK(result.output == "out\n");
        CHECK(result.end == "end 5");
        CHECK(result.verdict == "gone");
        CHECK(who_has(sleep).empty());
    }
}

TEST_CASE("a host that is killed takes the tool with it, though nobody reads any more") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto const sleep = support::unique_sleep();
        auto const host = [&] {
            auto const script = "setsid sleep " + sleep + " & echo ready; yes; sleep " + sleep;
            GuardedProcess guarded{shell, script_tool(script)};
            auto const ready = guarded.wait_for_output("ready\n") &&
                               support::wait_for_processes(support::sleeping(sleep), 1);
            ::_exit(ready ? 0 : 1); // without a word to anybody
            return false;
        };
        CHECK(process_support::in_own_process(host));
        CHECK(support::wait_for_processes(sleep, 0));
    }
}
