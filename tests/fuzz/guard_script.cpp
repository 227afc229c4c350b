// SPDX-License-Identifier: BSL-1.0
// The words that a guard's text holds are the command's, byte for byte, when they are read as a POSIX shell
// reads them: by a parser of the few forms that are used, in the order in which the shell comes to them.
//
// Input: one choice whether there is a working directory, then words that end with `~`; the directory is the
// first.
#include <longshore/error.hpp>
#include <longshore/launch/guard.hpp>

#include <fuzz/input.hpp>
#include <fuzz/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

// As much of a shell as it takes to read what stands in front of the guard itself.
class SmallShell {
public:
    explicit SmallShell(std::string_view script) : rest_{script} {}

    std::string directory{};
    std::vector<std::string> words{};

    // The guard enters the directory first, and then runs the command, in one and the same shell.
    void read() {
        assignments();
        expect("enter() {\n");
        assignments();
        if (!take(":")) {
            expect("CDPATH= cd --");
            expect(" ");
            directory = word();
            expect(" && unset OLDPWD");
        }
        expect("\n}\nrun_command() { \"$@\"");
        while (take(" "))
            words.push_back(word());
        expect("; }\n_error_to=");
    }

private:
    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }

    void expect(std::string_view text) {
        if (!take(text))
            fuzz::require_equal(rest_.substr(0, text.size()), text, "the guard's text goes on so");
    }

    std::string_view until(char end) {
        auto const length = rest_.find(end);
        fuzz::require(length != std::string_view::npos, "what is opened is closed");
        auto const taken = rest_.substr(0, length);
        rest_.remove_prefix(length + 1);
        return taken;
    }

    // NAME=$(printf 'FORMAT') and NAME=${NAME%.}
    void assignments() {
        while (rest_.starts_with("LONGSHORE_")) {
            std::string const name{until('=')};
            if (take("$(printf '")) {
                auto output = printed(until('\''));
                expect(")\n");
                output.resize(output.find_last_not_of('\n') + 1); // a shell drops them
                variables_[name] = output;
            } else {
                expect("${" + name + "%.}\n");
                auto& value = variables_[name];
                if (value.ends_with('.')) value.pop_back();
            }
        }
    }

    // What printf writes for a format of ordinary characters, `%%` and three octal digits.
    static std::string printed(std::string_view format) {
        fuzz::require(!format.starts_with('-'), "a format is no option");
        std::string output;
        while (!format.empty()) {
            if (format.front() != '\\') {
                auto const is_percent = format.front() == '%';
                fuzz::require(!is_percent || format.starts_with("%%"), "a format holds no conversion");
                output += format.front();
                format.remove_prefix(is_percent ? 2 : 1);
                continue;
            }
            unsigned byte = 0;
            fuzz::require(format.size() >= 4, "an escape has three digits");
            for (char const digit : format.substr(1, 3)) {
                fuzz::require(digit >= '0' && digit <= '7', "an escape is octal");
                byte = byte * 8 + static_cast<unsigned>(digit - '0');
            }
            output += static_cast<char>(byte);
            format.remove_prefix(4);
        }
        return output;
    }

    std::string word() {
        std::string content;
        fuzz::require(!rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"'), "a word is quoted");
        for (;;) {
            if (take("'"))
                content += until('\'');
            else if (take("\\'"))
                content += '\'';
            else if (take("\"$"))
                content += variables_.at(std::string{until('"')});
            else
                return content;
        }
    }

    std::string_view rest_;
    std::map<std::string, std::string> variables_{};
};

std::optional<std::string> script_of(longshore::Command const& command) {
    try {
        return longshore::guard::script(command, false);
    } catch (longshore::ValueError const&) {
        return std::nullopt;
    }
}

bool can_be_run(longshore::Command const& command) {
    auto const holds_null = [](std::string const& text) { return text.find('\0') != std::string::npos; };
    return !command.arguments.empty() && !command.arguments.front().empty() &&
           command.arguments.front().front() != '-' && !holds_null(command.working_directory) &&
           std::none_of(command.arguments.begin(), command.arguments.end(), holds_null);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    longshore::Command command;
    if (input.flag()) command.working_directory = input.text_until('~');
    while (!input.is_empty())
        command.arguments.emplace_back(input.text_until('~'));
    auto const script = script_of(command);
    fuzz::require(script.has_value() == can_be_run(command),
                  "exactly a command that can be run has a script");
    if (!script) return 0;
    fuzz::require(std::all_of(script->begin(), script->end(), longshore::guard::is_plain),
                  "a script is printable ASCII and line feeds");
    auto const opening = longshore::guard::without_comments(longshore::guard::opening_text);
    fuzz::require(script->starts_with(opening), "what the place has given its shells is taken away first");
    SmallShell shell{std::string_view{*script}.substr(opening.size())};
    shell.read();
    fuzz::require_equal(shell.directory, command.working_directory, "the directory is the command's");
    fuzz::require(shell.words == command.arguments, "the words are the command's");
    return 0;
}
