// SPDX-License-Identifier: BSL-1.0
#include <longshore/error.hpp>
#include <longshore/launch/guard.hpp>

#include <support/guarded_process.hpp>
#include <support/temporary_directory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using support::run;
using support::script_tool;
using support::shells;
using support::tool;

namespace {

std::string every_byte_but_null() {
    std::string bytes;
    for (int byte = 1; byte < 256; ++byte)
        bytes += static_cast<char>(byte);
    return bytes;
}

// The arguments as the kernel has them: each followed by a null byte.
std::string joined(std::vector<std::string> const& words) {
    std::string text;
    for (auto const& word : words)
        text += word + '\0';
    return text;
}

void check_arguments(support::Shell const& shell, std::vector<std::string> const& arguments) {
    std::vector<std::string> printing{"/usr/bin/printf", "%s\\0"};
    printing.insert(printing.end(), arguments.begin(), arguments.end());
    auto const result = run(shell, tool(printing));
    CHECK(result.output == joined(arguments));
    CHECK(result.error.empty());
    CHECK(result.noise.empty());
    CHECK(result.end == "end 0");
    CHECK(result.verdict == "gone");
    CHECK(result.guard_exit == 0);
}

} // namespace

TEST_CASE("arguments arrive byte for byte under every shell") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        SUBCASE("what a transport would rewrite as a number") {
            check_arguments(shell, {"1.0", "1e3", "0x10", "-0", ".5", "5.", "007", "+1"});
        }
        SUBCASE("empty ones and white space") {
            check_arguments(shell, {"", " ", "a  b", "\t", "", "\n", "a\n\n", "\n\nb", "\r\n", ""});
        }
        SUBCASE("what a shell would understand") {
            check_arguments(shell, {"'",     "\"",   "it's",  "''", "\\",  "\\n",  "\\\\", "$HOME",
                                    "$(id)", "`id`", "*",     "?",  "~",   "#",    "!",    "a;b",
                                    "a&&b",  "|",    "{a,b}", "$",  "\\'", "'\\''"});
        }
        SUBCASE("what printf would understand") {
            check_arguments(shell, {"%", "%s", "%%", "%d\xff", "\\101\xff", "\xff\\", "\xff%.", "\xff'"});
        }
        SUBCASE("leading dashes and the end of options") {
            check_arguments(shell, {"-", "--", "-c", "--help", "-n", "-e", "--"});
            check_arguments(shell, {"-\xff", "--\xff", "--name=caf\xc3\xa9", "-v\xc3\xb6", "-n\xff\n"});
        }
        SUBCASE("every byte but null, and every one of them alone") {
            auto const bytes = every_byte_but_null();
            std::vector<std::string> arguments{bytes, bytes + "\n\n",
                                               std::string{bytes.rbegin(), bytes.rend()}};
            for (char const byte : bytes)
                arguments.emplace_back(1, byte);
            check_arguments(shell, arguments);
        }
        SUBCASE("invalid UTF-8, with newlines at the end") {
            check_arguments(shell,
                            {"\xff", "\xc3\x28", "\xed\xa0\x80", "\xf0\x9f\n\n", "\xf0\x9f\x98\x80\n"});
        }
    }
}

TEST_CASE("arguments and a working directory that are no ASCII do not take each other's place") {
    support::TemporaryDirectory const parent;
    auto const directory = parent.make("d\xc3\xa4\n");
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = tool({"/bin/sh", "-c", "printf '%s|' \"$@\"; pwd", "\xfe", "\xff", "\xc3\xb6"});
        call.command.working_directory = directory;
        CHECK(run(shell, call).output == "\xff|\xc3\xb6|" + directory + '\n');
    }
}

TEST_CASE("random arguments arrive byte for byte under every shell") {
    std::mt19937 random{20};
    auto const below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(random()) % count; };
    auto const any_byte = [&] {
        constexpr std::string_view special{"'\"\\$`%\n .*?!#~{}()&;|<>-=0123456789"};
        return below(3) != 0 ? special[below(special.size())] : static_cast<char>(1 + below(255));
    };
    for (int batch = 0; batch < 10; ++batch) {
        std::vector<std::string> arguments(100);
        for (auto& argument : arguments)
            for (auto length = below(12); length > 0; --length)
                argument += any_byte();
        for (auto const& shell : shells()) {
            CAPTURE(shell.name);
            CAPTURE(batch);
            check_arguments(shell, arguments);
        }
    }
}

TEST_CASE("many arguments and long ones arrive") {
    std::vector<std::string> many;
    for (int number = 0; number < 3000; ++number)
        many.push_back("a" + std::to_string(number));
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        check_arguments(shell, many);
        check_arguments(shell, {std::string(60000, 'x'), std::string(10000, '\xff')});
    }
}

TEST_CASE("the tool's own name is passed as it was given, and found as the system finds it") {
    for (auto const& shell : shells()) {
        CAPTURE(shell.name);
        auto call = tool({"sh", "-c", "tr '\\0' ' ' </proc/$$/cmdline; pwd"});
        call.command.working_directory = "/usr/bin";
        CHECK(run(shell, call).output == "sh -c tr '\\0' ' ' </proc/$$/cmdline; pwd /usr/bin\n");
        call.command.arguments = {"./printf", "x"};
        CHECK(run(shell, call).output == "x");
    }
}

TEST_CASE("a script is pure ASCII, and holds neither comments nor a secret") {
    longshore::Command command;
    command.arguments = {"tool", every_byte_but_null()};
    command.environment = {"TOKEN=top-secret"};
    command.working_directory = "/\xc3\xa4\n";
    auto const text = longshore::guard::script(command, false);
    CHECK(std::all_of(text.begin(), text.end(), longshore::guard::is_plain));
    CHECK(text.find("top-secret") == std::string::npos);
    CHECK(text.find("\n#") == std::string::npos);
}

TEST_CASE("a command that cannot be one is refused, and the reason names it") {
    auto const refuse = [](std::vector<std::string> arguments) {
        longshore::Command command;
        command.arguments = std::move(arguments);
        return longshore::guard::script(command, false);
    };
    CHECK_THROWS_WITH_AS(refuse({}), "a command must name a program, and this one is empty",
                         longshore::ValueError);
    CHECK_THROWS_WITH_AS(refuse({""}), "a command must name a program, and this one is empty",
                         longshore::ValueError);
    CHECK_THROWS_WITH_AS(refuse({"-x"}), "a program's name must not begin with '-': '-x'",
                         longshore::ValueError);
    CHECK_THROWS_WITH_AS(refuse({"tool", std::string{"a\0b", 3}}),
                         "an argument must not hold a null byte: 'a...'", longshore::ValueError);
}
