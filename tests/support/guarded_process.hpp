// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_SUPPORT_GUARDED_PROCESS_HPP
#define LONGSHORE_TESTS_SUPPORT_GUARDED_PROCESS_HPP

#include <longshore/launch/guard.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/launch/secrets.hpp>

#include <support/piped_process.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace support {

// A POSIX shell as it would be found as `sh` somewhere.
struct Shell {
    std::string name;
    std::vector<std::string> arguments;
};

inline std::vector<Shell> shells() {
    std::vector<Shell> found;
    for (auto const& shell : {Shell{"dash", {"/bin/dash"}}, Shell{"bash", {"/bin/bash", "--posix"}},
                              Shell{"busybox", {"/bin/busybox", "sh"}}})
        if (::access(shell.arguments.front().c_str(), X_OK) == 0) found.push_back(shell);
    return found;
}

// What a guard is started for, and where.
struct GuardedCall {
    longshore::Command command{};
    std::string input{};
    bool merge_error = false;
    std::vector<std::string> prefix{}; // argv in front of the shell, as a transport has
    std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin"};
};

inline GuardedCall tool(std::vector<std::string> arguments) {
    GuardedCall call;
    call.command.arguments = std::move(arguments);
    return call;
}

// A tool that is a script for whatever `sh` is there.
inline GuardedCall script_tool(std::string script, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"sh", "-c", std::move(script), "tool"});
    return tool(std::move(arguments));
}

inline std::vector<std::string> guard_arguments(Shell const& shell, GuardedCall const& call) {
    auto arguments = call.prefix;
    arguments.insert(arguments.end(), shell.arguments.begin(), shell.arguments.end());
    arguments.insert(arguments.end(), {"-c", longshore::guard::script(call.command, call.merge_error)});
    return arguments;
}

// One guard that runs, spoken to by its protocol alone.
class GuardedProcess {
public:
    // Sends the front of the input only, where `sent` says so.
    GuardedProcess(Shell const& shell, GuardedCall const& call, std::size_t sent = std::string::npos)
        : process_{guard_arguments(shell, call), call.environment} {
        process_.send(longshore::guard::header(secrets_, call.input.size(), call.command.environment));
        process_.send(std::string_view{call.input}.substr(0, sent));
    }

    longshore::CallSecrets const& secrets() const noexcept { return secrets_; }
    PipedProcess& process() noexcept { return process_; }

    // The text of the guard's word that begins so, on stdout.
    std::optional<std::string> word(std::string_view name) const {
        return find_word(process_.output(), name);
    }

    bool wait_for_word(std::string_view name) {
        return process_.pump_until([&] { return word(name).has_value(); });
    }
    bool wait_for_output(std::string_view text) {
        return process_.pump_until([&] { return process_.output().find(text) != std::string::npos; });
    }

    // What the command wrote: between begin and end.
    std::string output() const { return framed(process_.output()); }
    std::string error() const { return framed(process_.error()); }
    // What stands outside the frame on both streams, without the guard's words.
    std::string noise() const { return unframed(process_.output()) + unframed(process_.error()); }

    // As the host does it: waits for the command's end, closes stdin, waits for the guard.
    std::optional<int> finish() {
        wait_for_word("end");
        return give_up();
    }
    // The end of stdin before anything else.
    std::optional<int> give_up() {
        process_.close_input();
        return process_.wait_for_end();
    }

private:
    std::string sign() const { return '\036' + secrets_.mark + ' '; }

    std::optional<std::string> find_word(std::string const& text, std::string_view name) const {
        auto const at = text.find(sign() + std::string{name});
        if (at == std::string::npos) return std::nullopt;
        auto const end = text.find('\n', at);
        if (end == std::string::npos) return std::nullopt;
        auto const from = at + sign().size();
        return text.substr(from, end - from);
    }

    std::string framed(std::string const& text) const {
        auto const begin = text.find(sign() + "begin");
        if (begin == std::string::npos) return {};
        auto const from = text.find('\n', begin) + 1;
        return text.substr(from, text.find(sign() + "end") - from);
    }

    std::string unframed(std::string text) const {
        auto const begin = text.find(sign() + "begin");
        if (begin != std::string::npos) text.erase(begin, text.find(sign() + "end") - begin);
        while (text.find(sign()) != std::string::npos) {
            auto const at = text.find(sign());
            text.erase(at, text.find('\n', at) + 1 - at);
        }
        return text;
    }

    longshore::CallSecrets secrets_ = longshore::CallSecrets::make();
    PipedProcess process_;
};

// A call from its start to its end.
struct GuardResult {
    std::optional<int> guard_exit{};
    std::string end{};     // "end 0"
    std::string verdict{}; // "gone", "left", "unsure"
    std::string output{};
    std::string error{};
    std::string noise{};
};

inline GuardResult finish(GuardedProcess& guarded) {
    GuardResult result;
    result.guard_exit = guarded.finish();
    result.end = guarded.word("end").value_or("");
    for (auto const* verdict : {"gone", "left", "unsure"})
        if (guarded.word(verdict)) result.verdict = verdict;
    result.output = guarded.output();
    result.error = guarded.error();
    result.noise = guarded.noise();
    return result;
}

inline GuardResult run(Shell const& shell, GuardedCall const& call) {
    GuardedProcess guarded{shell, call};
    return finish(guarded);
}

} // namespace support

#endif
