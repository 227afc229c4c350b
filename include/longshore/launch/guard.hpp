// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_GUARD_HPP
#define LONGSHORE_LAUNCH_GUARD_HPP

#include <longshore/error.hpp>
#include <longshore/launch/guard_text.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/launch/secrets.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0 {

/// The wire protocol of a guarded call, as pure functions. Every launcher that starts a process for each call
/// uses it, and so the protocol stands in one place.
namespace guard {

/// Shell text as it is sent: without its comments and indentation.
inline std::string without_comments(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        auto const length = (std::min)(text.find('\n'), text.size() - 1) + 1;
        auto line = text.substr(0, length);
        text.remove_prefix(length);
        line.remove_prefix((std::min)(line.find_first_not_of(' '), line.size() - 1));
        if (line != "\n" && line.front() != '#') kept += line;
    }
    return kept;
}

/// True for a byte that every transport carries unchanged inside an argument.
constexpr bool is_plain(char byte) noexcept { return (byte >= ' ' && byte <= '~') || byte == '\n'; }

/// Writes the words of a command line as shell text in pure ASCII, whatever bytes they hold: transports
/// replace what is not UTF-8, and rewrite what looks like a number.
class ShellWords {
public:
    /// The variables that hold words are called `prefix` and a number. Two lists in one text need two
    /// prefixes.
    explicit ShellWords(std::string_view prefix) : prefix_{prefix} {}

    /// Throws `ValueError` for a null byte, which no argument can hold.
    void add(std::string_view word) {
        if (word.find('\0') != std::string_view::npos)
            throw ValueError{"an argument must not hold a null byte: '" + std::string{word.data()} + "...'"};
        words_ += ' ';
        if (std::all_of(word.begin(), word.end(), is_plain))
            add_plain(word);
        else
            add_printed(word);
    }

    std::string const& words() const noexcept { return words_; }
    /// Assignments that must stand in front of the words.
    std::string const& prelude() const noexcept { return prelude_; }

private:
    void add_plain(std::string_view word) {
        words_ += '\'';
        for (char const byte : word)
            if (byte == '\'')
                words_ += "'\\''";
            else
                words_ += byte;
        words_ += '\'';
    }

    // printf writes the bytes; the dot keeps the shell from dropping newlines at the end. It would take a
    // dash in front for an option.
    void add_printed(std::string_view word) {
        auto const name = prefix_ + std::to_string(++printed_);
        prelude_ += name + "=$(printf '";
        for (char const byte : word) {
            if (byte == '%')
                prelude_ += "%%";
            else if (is_plain(byte) && byte != '\'' && byte != '\\' && byte != '-')
                prelude_ += byte;
            else
                add_octal(static_cast<unsigned char>(byte));
        }
        prelude_ += ".')\n" + name + "=${" + name + "%.}\n";
        words_ += "\"$" + name + '"';
    }

    void add_octal(unsigned byte) {
        for (char const digit :
             {'\\', char('0' + (byte >> 6U)), char('0' + ((byte >> 3U) & 7U)), char('0' + (byte & 7U))})
            prelude_ += digit;
    }

    std::string prefix_;
    std::string words_{};
    std::string prelude_{};
    std::size_t printed_ = 0;
};

/// True for `NAME=value` with a name that every shell can export and that longshore does not keep for itself.
inline bool is_assignment(std::string_view entry) noexcept {
    auto const is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    auto const name = entry.substr(0, (std::min)(entry.find('='), entry.size()));
    return name.size() < entry.size() && !name.empty() && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); }) &&
           !name.starts_with("LONGSHORE_") && entry.find('\0') == std::string_view::npos;
}

/// Throws `ValueError` for an entry that is no `NAME=value`; its text shows the name alone, the value may be
/// secret.
inline void require_assignment(std::string_view entry) {
    if (is_assignment(entry)) return;
    throw ValueError{"a variable must be NAME=value, without null bytes, and not begin with LONGSHORE_: '" +
                     std::string{entry.substr(0, (std::min)(entry.find('='), entry.size()))} + "'"};
}

/// The guard for one command: the last argument of `<transport> sh -c`.
/// Throws `ValueError` for a command that has no program, or one that a shell would take for an option.
inline std::string script(Command const& command, bool merge_error) {
    static std::string const opening = without_comments(opening_text);
    static std::string const body = without_comments(ending_text) + without_comments(guard_text);
    if (command.arguments.empty() || command.arguments.front().empty())
        throw ValueError{"a command must name a program, and this one is empty"};
    if (command.arguments.front().starts_with('-'))
        throw ValueError{"a program's name must not begin with '-': '" + command.arguments.front() + "'"};
    ShellWords argv{"LONGSHORE_WORD_"};
    for (auto const& argument : command.arguments)
        argv.add(argument);
    ShellWords directory{"LONGSHORE_DIRECTORY_"};
    if (!command.working_directory.empty()) directory.add(command.working_directory);
    auto text = opening + argv.prelude();
    text += "enter() {\n" + directory.prelude();
    text +=
        command.working_directory.empty() ? ":" : "CDPATH= cd --" + directory.words() + " && unset OLDPWD";
    text += "\n}\nrun_command() { \"$@\"" + argv.words() + "; }\n";
    text += merge_error ? "_error_to=1\n" : "_error_to=5\n";
    return text + body;
}

/// What stands in front of the input: the call's names, its size, and the command's own variables.
/// Throws `ValueError` as `require_assignment` does.
inline std::string header(CallSecrets const& secrets, std::uint64_t size,
                          std::vector<std::string> const& variables) {
    auto text = secrets.mark + ' ' + secrets.identity + ' ' + std::to_string(size) + ' ' +
                std::to_string(variables.size()) + '\n';
    for (auto const& entry : variables) {
        require_assignment(entry);
        text += std::to_string(1 + std::count(entry.begin(), entry.end(), '\n')) + '\n' + entry + '\n';
    }
    return text;
}

/// The host's argv for a request: the transport, then the guard, or the bare command when it is not guarded.
inline std::vector<std::string> host_arguments(LaunchRequest const& request) {
    auto arguments = request.transport.arguments;
    if (!request.guarded) {
        arguments.insert(arguments.end(), request.command.arguments.begin(), request.command.arguments.end());
        return arguments;
    }
    arguments.emplace_back(arguments.empty() ? "/bin/sh" : "sh");
    arguments.emplace_back("-c");
    arguments.push_back(script(request.command, request.merge_error));
    return arguments;
}

/// A second way in to the same place that ends what is left of a call, for when the guard did not say that
/// nothing is. It answers with the same words. `session` is what the guard told of the command's session, or
/// empty.
inline LaunchRequest clean_up_request(LaunchRequest const& request, CallSecrets const& secrets,
                                      std::string_view session) {
    static std::string const text =
        without_comments(opening_text) + without_comments(ending_text) + without_comments(clean_up_text);
    LaunchRequest clean_up;
    clean_up.transport = request.transport;
    clean_up.command.arguments = {request.transport.arguments.empty() ? "/bin/sh" : "sh", "-c", text};
    clean_up.input = secrets.mark + ' ' + secrets.identity + ' ' + std::string{session} + '\n';
    clean_up.guarded = false;
    constexpr std::chrono::milliseconds margin{700};
    constexpr std::chrono::nanoseconds longest = std::chrono::minutes{1};
    clean_up.timeout = Timeout{(std::min)(request.drain_grace, longest) + margin};
    clean_up.drain_grace = std::chrono::milliseconds{50};
    clean_up.output.keep = clean_up.error.keep = 4096;
    return clean_up;
}

/// What a clean-up printed: nothing is left, something is, or it did not say.
inline std::optional<bool> clean_up_answer(std::string_view output, CallSecrets const& secrets) {
    auto const says = [&](std::string_view word) {
        return output.find('\036' + secrets.mark + ' ' + std::string{word} + '\n') != std::string_view::npos;
    };
    if (says("gone")) return true;
    return says("left") ? std::optional{false} : std::nullopt;
}

} // namespace guard
} // namespace longshore::inline v0

#endif
