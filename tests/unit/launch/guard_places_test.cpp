// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>
#include <support/process_list.hpp>
#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

using support::GuardedCall;
using support::GuardedProcess;
using support::script_tool;
using support::Shell;
using support::shells;
using support::TemporaryDirectory;

namespace {

// Where a guard runs: how to get there, what is found there, and what its programs are called.
struct Place {
    std::vector<std::string> prefix{};
    std::string path = "/usr/bin:/bin";
    std::string box{};            // "busybox " where the utilities have no names of their own
    std::string verdict = "gone"; // that can be expected there
};

GuardedCall in(Place const& place, GuardedCall call) {
    call.prefix = place.prefix;
    call.environment = {"PATH=" + place.path};
    return call;
}

void check_bytes(Shell const& shell, Place const& place) {
    auto call =
        in(place, script_tool("for argument do printf '[%s]' \"$argument\"; done; printf %s \"$TOKEN\"; "
                              "echo error >&2; exit 3",
                              {"1.0", "", "a b\n", "it's\xff\n\n", "-x"}));
    call.command.environment = {"TOKEN=\x01\xff\n", "UID=77"};
    auto const result = run(shell, call);
    CHECK(result.output == "[1.0][][a b\n][it's\xff\n\n][-x]\x01\xff\n");
    CHECK(result.error == "error\n");
    CHECK(result.end == "end 3");
    CHECK(result.verdict == place.verdict);
    CHECK(result.noise.empty());
    CHECK(result.guard_exit == 0);
}

void check_input(Shell const& shell, Place const& place) {
    for (std::size_t const size : {std::size_t{0}, std::size_t{10}, std::size_t{300000}}) {
        CAPTURE(size);
        auto call = in(place, script_tool(place.box + "cat"));
        call.input = std::string(size, '\xfe');
        auto const result = run(shell, call);
        CHECK(result.output.size() == size);
        CHECK((result.output == call.input));
        CHECK(result.end == "end 0");
    }
}

void check_refusals(Shell const& shell, Place const& place) {
    CHECK(run(shell, in(place, support::tool({"no-such-tool"}))).end == "end 127");
    auto call = in(place, script_tool("exit 0"));
    call.command.working_directory = "/no/such/directory";
    GuardedProcess guarded{shell, call};
    CHECK(support::finish(guarded).end == "end 125");
    CHECK(guarded.word("no-directory"));
}

// The processes of a place may have other numbers there, but this host sees their arguments all the same.
void check_end_of_stdin(Shell const& shell, Place const& place) {
    auto const sleep = support::unique_sleep();
    auto const sleeper = place.box + "sleep " + sleep;
    auto call = in(place, script_tool(sleeper + " & (" + sleeper + " &); echo ready; " + sleeper));
    call.input = std::string(100000, 'x');
    GuardedProcess guarded{shell, call};
    CHECK(guarded.wait_for_output("ready\n"));
    CHECK(support::wait_for_processes(support::sleeping(sleep), 3));
    CHECK(guarded.give_up() == 0);
    CHECK(guarded.word(place.verdict));
    if (place.verdict == "gone")
        CHECK(support::who_has(sleep).empty());
    else
        CHECK(support::wait_for_processes(sleep, 0)); // nobody there could wait for it
}

void check_place(Shell const& shell, Place const& place) {
    CAPTURE(shell.name);
    check_bytes(shell, place);
    check_input(shell, place);
    check_refusals(shell, place);
    check_end_of_stdin(shell, place);
}

// Whether bubblewrap is there and allowed to work.
bool has_bubblewrap() {
    if (::access("/usr/bin/bwrap", X_OK) != 0) return false;
    support::PipedProcess process{{"/usr/bin/bwrap", "--ro-bind", "/", "/", "--unshare-pid", "/bin/true"},
                                  {}};
    return process.wait_for_end() == 0;
}

// A root with nothing but busybox.
std::optional<std::string> busybox_root(TemporaryDirectory const& directory) {
    if (::access("/bin/busybox", X_OK) != 0) return std::nullopt;
    for (auto const* name : {"bin", "proc", "dev"})
        directory.make(name);
    std::filesystem::copy_file("/bin/busybox", directory.path() + "/bin/busybox");
    std::filesystem::create_symlink("busybox", directory.path() + "/bin/sh");
    return directory.path();
}

Place bubblewrap(std::string const& root) {
    return {.prefix = {"/usr/bin/bwrap", "--unshare-pid", "--ro-bind", root, "/", "--proc", "/proc", "--dev",
                       "/dev", "--remount-ro", "/dev", "--chdir", "/"}};
}

// A folder with links to these programs, as the only one of the PATH.
Place only(TemporaryDirectory const& directory, Shell const& shell, std::vector<std::string> const& names) {
    auto const folder = directory.make(shell.name);
    for (auto const& name : names)
        std::filesystem::create_symlink("/usr/bin/" + name, folder + '/' + name);
    return {.path = folder};
}

std::vector<std::string> const utilities{"sh", "cat", "head", "dd", "env", "sleep", "grep", "setsid"};

std::vector<std::string> utilities_without(std::string const& name) {
    auto names = utilities;
    std::erase(names, name);
    return names;
}

} // namespace

TEST_CASE("the guard works for an ordinary user") {
    if (::getuid() != 0) {
        MESSAGE("skipped: this is an ordinary user already");
        return;
    }
    for (auto const& shell : shells())
        check_place(shell, {.prefix = {"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                                       "--no-new-privs", "--"}});
}

TEST_CASE("the guard works on a read-only root that has nothing but busybox") {
    TemporaryDirectory const directory;
    auto const root = busybox_root(directory);
    if (!root || !has_bubblewrap()) {
        MESSAGE("skipped: bubblewrap or busybox is missing, or not allowed to work");
        return;
    }
    auto place = bubblewrap(*root);
    place.path = "/bin";
    place.box = "busybox ";
    check_place({"busybox alone", {"/bin/sh"}}, place);
}

TEST_CASE("the guard works on a read-only root that has a link for each of busybox's utilities") {
    TemporaryDirectory const directory;
    auto const root = busybox_root(directory);
    if (!root || !has_bubblewrap()) {
        MESSAGE("skipped: bubblewrap or busybox is missing, or not allowed to work");
        return;
    }
    for (auto const& name : utilities)
        if (name != "sh") std::filesystem::create_symlink("busybox", *root + "/bin/" + name);
    auto place = bubblewrap(*root);
    place.path = "/bin";
    check_place({"busybox with links", {"/bin/sh"}}, place);
    place.prefix.insert(place.prefix.begin() + 1, {"--cap-drop", "ALL"});
    check_place({"busybox with links, without capabilities", {"/bin/sh"}}, place);
}

TEST_CASE("the guard works without setsid") {
    for (auto const& shell : shells()) {
        TemporaryDirectory const directory;
        check_place(shell, only(directory, shell, utilities_without("setsid")));
    }
}

TEST_CASE("the guard works without grep") {
    for (auto const& shell : shells()) {
        TemporaryDirectory const directory;
        check_place(shell, only(directory, shell, utilities_without("grep")));
    }
}

TEST_CASE("the guard works without dd") {
    for (auto const& shell : shells()) {
        TemporaryDirectory const directory;
        check_place(shell, only(directory, shell, utilities_without("dd")));
    }
}

TEST_CASE("without /proc the guard ends the session, and does not claim to know that nothing is left") {
    if (!has_bubblewrap()) {
        MESSAGE("skipped: bubblewrap is missing, or not allowed to work");
        return;
    }
    Place place{.prefix = {"/usr/bin/bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/proc"}};
    place.verdict = "unsure";
    for (auto const& shell : shells())
        check_place(shell, place);
}

TEST_CASE("where /proc shows the processes of another namespace, the guard does not believe it") {
    if (!has_bubblewrap()) {
        MESSAGE("skipped: bubblewrap is missing, or not allowed to work");
        return;
    }
    Place place{.prefix = {"/usr/bin/bwrap", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev"}};
    place.verdict = "unsure";
    for (auto const& shell : shells())
        check_place(shell, place);
}

TEST_CASE("a place with neither head nor busybox is refused, with the reason, before anything starts") {
    TemporaryDirectory const directory;
    for (auto const& shell : shells()) {
        if (shell.name == "busybox") continue; // has them inside
        CAPTURE(shell.name);
        GuardedProcess guarded{shell, in(only(directory, shell, {"sh"}), script_tool("echo started"))};
        auto const result = support::finish(guarded);
        CHECK(result.guard_exit == 125);
        CHECK(result.noise == "longshore: this place has neither head nor busybox\n");
    }
}

TEST_CASE("whatever the limit of processes, nothing is left of a tool after the end of stdin") {
    if (::getuid() != 0) {
        MESSAGE("skipped: only root can start a guard as a user who has no other processes");
        return;
    }
    for (auto const& shell : shells()) {
        if (shell.name == "bash") continue; // it tries for half a minute to start a process
        for (int limit = 1; limit <= 16; ++limit) {
            CAPTURE(shell.name);
            CAPTURE(limit);
            auto const sleep = support::unique_sleep();
            // It takes what room there is while its input is still to come, and so before anybody watches it.
            auto const more = "sleep " + sleep + " & ";
            auto call = script_tool(more + more + more + more + more + "echo ready; exec sleep " + sleep);
            call.input = "late";
            call.prefix = {"/usr/bin/setpriv",
                           "--reuid=64321",
                           "--regid=64321",
                           "--clear-groups",
                           "/usr/bin/prlimit",
                           "--nproc=" + std::to_string(limit),
                           "--"};
            GuardedProcess guarded{shell, call, 0};
            guarded.process().pump_until([&] {
                return guarded.word("end") || guarded.process().output().find("ready\n") != std::string::npos;
            });
            guarded.give_up();
            CHECK(support::wait_for_processes(sleep, 0));
        }
    }
}
