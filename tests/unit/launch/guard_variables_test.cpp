// SPDX-License-Identifier: BSL-1.0
#include <longshore/error.hpp>
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>
#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using support::run;
using support::shells;
using support::tool;

namespace {

std::vector<std::string> entries(std::string_view environment) {
    std::vector<std::string> found;
    while (!environment.empty()) {
        auto const length = environment.find('\0');
        found.emplace_back(environment.substr(0, length));
        environment.remove_prefix((std::min)(length + 1, environment.size()));
    }
    return found;
}

// What the tool finds in its environment, but for what the guard and the shells add themselves.
std::vector<std::string> seen(support::Shell const& shell, support::GuardedCall call) {
    auto const result = run(shell, call);
    CHECK(result.error.empty());
    CHECK(result.noise.empty());
    CHECK(result.end == "end 0");
    auto found = entries(result.output);
    std::erase_if(found, [&](std::string const& entry) {
        auto const is_asked_for =
            std::count(call.command.environment.begin(), call.command.environment.end(), entry) != 0;
        auto const name = entry.substr(0, entry.find('='));
        return !is_asked_for && (name == "LONGSHORE_CALL" || name == "PWD" || name == "SHLVL" || name == "_");
    });
    std::sort(found.begin(), found.end());
    return found;
}

support::GuardedCall show_environment(std::vector<std::string> variables) {
    auto call = tool({"/bin/cat", "/proc/self/environ"});
    call.environment = {"PATH=/usr/bin:/bin"};
    call.command.environment = std::move(variables);
    return call;
}

void check_arrival(std::vector<std::string> variables) {
    auto expected = variables;
    if (std::none_of(expected.begin(), expected.end(),
                     [](std::string const& entry) { return entry.starts_with("PATH="); }))
        expected.push_back("PATH=/usr/bin:/bin");
    std::sort(expected.begin(), expected.end());
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        CHECK(seen(shell, show_environment(variables)) == expected);
    }
}

} // namespace

TEST_CASE("variables arrive byte for byte, and nothing else does") {
    std::string bytes;
    for (int byte = 1; byte < 256; ++byte)
        bytes += static_cast<char>(byte);
    SUBCASE("none") { check_arrival({}); }
    SUBCASE("every byte but null") { check_arrival({"ALL=" + bytes, "AGAIN=" + bytes + bytes}); }
    SUBCASE("several lines, and newlines at the end") {
        check_arrival({"A=1\n2\n3", "B=\n", "C=\n\n\n", "D=x\n", "E=\nx", "F=last"});
    }
    SUBCASE("empty values, white space, and equals signs") {
        check_arrival({"EMPTY=", "SPACE= ", "SPACES=  a  b\t", "EQUALS==a=b=", "BACK=a\\nb\\"});
    }
    SUBCASE("what a shell would understand") {
        check_arrival({"A=$(id)", "B=`id`", "C=$HOME", "D='", "E=\"", "F=*", "G=; exit 1"});
    }
    SUBCASE("a value of many kilobytes") { check_arrival({"LONG=" + std::string(20000, 'x') + "\nend"}); }
}

TEST_CASE("names that the guard uses itself are as good as any other") {
    check_arrival({"_mark=a",   "_identity=b", "_size=c",    "_variables=d", "_lines=e",  "_assignment=f",
                   "_more=g",   "_session=h",  "_started=i", "_stat=j",      "_box=k",    "_grep=l",
                   "_hold=m",   "_answer=n",   "_name=o",    "_found=p",     "_folder=q", "_error_to=r",
                   "_status=s", "_verdict=t",  "_awaited=u"});
    check_arrival({"mark=a", "size=b", "session=c", "word=d", "argv=e", "become=f", "enter=g",
                   "run_command=h", "launch=i", "say=j"});
}

TEST_CASE("names that mean something to a shell arrive as they were given") {
    SUBCASE("to every shell") {
        check_arrival({"IFS=a",        "PWD=/nowhere", "OLDPWD=/neither", "HOME=relative", "CDPATH=/usr",
                       "ENV=/no/file", "PS1=$(id)",    "PS2=a",           "PS4=b",         "OPTIND=x y",
                       "OPTARG=c",     "OPTERR=d",     "PPID=1",          "LINENO=7",      "MAIL=/m",
                       "MAILCHECK=x",  "MAILPATH=y",   "TERM=dumb",       "LINES=z",       "COLUMNS=0",
                       "TMPDIR=/t"});
    }
    SUBCASE("to bash, which keeps some as read only and computes others") {
        check_arrival({"UID=1000",
                       "EUID=1001",
                       "RANDOM=4",
                       "SECONDS=a b",
                       "SRANDOM=x\ny",
                       "GROUPS=g",
                       "HOSTNAME=h",
                       "SHLVL=41",
                       "SHELLOPTS=xtrace",
                       "BASHOPTS=extglob",
                       "BASH_ENV=/no/file",
                       "FUNCNAME=f",
                       "FUNCNEST=1",
                       "DIRSTACK=d",
                       "EPOCHSECONDS=1",
                       "EPOCHREALTIME=2",
                       "HISTCMD=x y",
                       "PIPESTATUS=p",
                       "BASHPID=3",
                       "BASH_COMMAND=c",
                       "BASH_SUBSHELL=9",
                       "BASH_VERSINFO=v",
                       "BASH_COMPAT=not one",
                       "BASH_XTRACEFD=1",
                       "BASH_ARGV0=tool",
                       "BASH_VERSION=0",
                       "_=/some/path",
                       "POSIXLY_CORRECT=y",
                       "IGNOREEOF=1",
                       "HISTFILE=/h",
                       "TIMEFORMAT=t",
                       "TMOUT=1",
                       "REPLY=r"});
    }
    SUBCASE("locales that are not there") {
        check_arrival(
            {"LC_ALL=xx_YY.UTF-8", "LC_CTYPE=nowhere", "LANG=zz", "LC_MESSAGES=C", "LC_NUMERIC=a b\nc"});
    }
    SUBCASE("a locale of several bytes a character") {
        check_arrival({"LC_ALL=C.UTF-8", "BROKEN=\xff\xc3\x28\n\xed\xa0\x80"});
    }
}

TEST_CASE("what the place exports reaches the tool, whatever it is called") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = show_environment({"A=new"});
        call.environment = {"PATH=/usr/bin:/bin", "A=old", "B=kept", "_mark=own", "IFS=x", "HOME=/h"};
        auto const found = seen(shell, call);
        auto const has = [&](std::string const& entry) {
            return std::count(found.begin(), found.end(), entry) == 1;
        };
        CHECK(has("A=new"));
        CHECK_FALSE(has("A=old"));
        CHECK(has("B=kept"));
        CHECK(has("HOME=/h"));
        for (auto const& entry : found)
            CHECK_FALSE(entry.starts_with("_mark="));
    }
}

TEST_CASE("options that the place sets for its shells do not disturb the guard") {
    for (auto const& shell : shells())
        for (auto const* options : {"xtrace", "errexit:nounset", "noglob", "verbose:xtrace"}) {
            CAPTURE(shell.name);
            CAPTURE(options);
            auto call = tool({"/bin/echo", "fine"});
            call.environment.push_back("SHELLOPTS=" + std::string{options});
            call.environment.push_back("PS4=trace ");
            auto const result = run(shell, call);
            CHECK(result.output == "fine\n");
            CHECK(result.error.empty());
            CHECK(result.end == "end 0");
            CHECK(result.verdict == "gone");
        }
}

TEST_CASE("a tool is looked for along the PATH that it is given") {
    support::TemporaryDirectory const directory;
    directory.write("own tool", "#!/bin/sh\necho \"$PATH\"\n", 0755);
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = tool({"own tool"});
        CHECK(run(shell, call).end == "end 127");
        call.command.environment = {"PATH=/nowhere::" + directory.path() + ":/usr/bin"};
        auto const result = run(shell, call);
        CHECK(result.output == "/nowhere::" + directory.path() + ":/usr/bin\n");
        CHECK(result.error.empty());
    }
}

TEST_CASE("a place without a PATH still finds its own programs") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = tool({"cat"});
        call.environment = {};
        call.input = "in";
        auto const result = run(shell, call);
        CHECK(result.output == "in");
        CHECK(result.error.empty());
        CHECK(result.end == "end 0");
    }
}

TEST_CASE("an entry that is no assignment is refused, and its value stays unsaid") {
    using longshore::guard::require_assignment;
    for (std::string const entry : {"", "=", "=secret", "NAME", "1A=secret", "A-B=secret", "A B=secret",
                                    "LONGSHORE_CALL=secret", "\xc3\xa4=secret"}) {
        CAPTURE(entry);
        try {
            require_assignment(entry);
            FAIL("it was accepted");
        } catch (longshore::ValueError const& error) {
            CHECK(std::string{error.what()}.find("secret") == std::string::npos);
        }
    }
    CHECK_THROWS_AS(require_assignment(std::string{"A=a\0b", 5}), longshore::ValueError);
    for (std::string const entry : {"A=", "_=x", "a_1=b=c", "LONGSHORE=x"})
        CHECK_NOTHROW(require_assignment(entry));
}
