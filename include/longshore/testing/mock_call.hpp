// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTING_MOCK_CALL_HPP
#define LONGSHORE_TESTING_MOCK_CALL_HPP

#include <longshore/launch/capture.hpp>
#include <longshore/launch/outcome.hpp>
#include <longshore/launch/request.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace longshore::inline v0 {

/// What happens to one call of a `MockLauncher`, told in terms of the tool and of the container CLI. Frames,
/// guards and processes are the business of real launchers and never show here.
///
/// Each function changes one thing and returns the call, so that they read as a sentence:
/// `MockCall{}.prints("[1,2").loses_tail()`. Without any the tool prints nothing and exits with 0.
class MockCall {
public:
    /// What the tool writes.
    MockCall& prints(std::string text) { return output_ = std::move(text), *this; }
    MockCall& prints_error(std::string text) { return error_ = std::move(text), *this; }

    /// The tool ends with that status, 0 to 255.
    MockCall& exits(int status) { return ends(Reached::end, status, status); }

    /// A signal inside the container ends the tool.
    MockCall& killed_by_signal(int signal) { return exits(128 + signal); }

    /// A signal on the host ends the container CLI while the tool runs.
    MockCall& killed_on_host(int signal) { return ends(Reached::command, std::nullopt, -signal); }

    /// The deadline passes, while the tool runs or at another milestone.
    MockCall& times_out(Reached reached = Reached::command) { return stops(Ended::timed_out, reached); }

    /// The tool is silent for too long.
    MockCall& no_output() { return stops(Ended::no_output, Reached::command); }

    /// The caller asks to stop while the tool runs.
    MockCall& is_cancelled() { return stops(Ended::cancelled, Reached::command); }

    /// Nothing is started: `run` throws `std::system_error` with that `errno`.
    MockCall& fails_to_start(int error_number) { return start_error_ = error_number, *this; }

    /// The container CLI fails before the tool is reached, and prints something of its own.
    MockCall& cli_fails(int exit, std::string noise) {
        noise_ = std::move(noise);
        return ends(Reached::unknown, std::nullopt, exit);
    }

    /// The workspace folder does not exist in the container.
    MockCall& misses_directory() { return ends(Reached::transport, std::nullopt, 125); }

    /// The container has no such tool (127), or may not execute it (126).
    MockCall& misses_tool(int status = 127) { return ends(Reached::directory, status, status); }

    /// The container CLI ends well, but the end of the output never comes.
    MockCall& loses_tail() {
        complete_ = false;
        return ends(Reached::command, std::nullopt, 0);
    }

    /// The container goes away while the tool runs.
    MockCall& loses_container(std::string noise = {}) {
        complete_ = false;
        noise_ = std::move(noise);
        return ends(Reached::command, std::nullopt, 137);
    }

    /// Another part of the host reaps the process. Only the host's status is lost: what the guard told stays.
    MockCall& loses_status() { return transport_exit_ = std::nullopt, *this; }

    /// Whether anything of the tool is left running.
    MockCall& leaves_running(bool left) { return everything_killed_ = !left, *this; }

    /// What the outcome tells of its length, and of a wait inside the launcher.
    MockCall& takes(std::chrono::nanoseconds elapsed, std::chrono::nanoseconds queued = {}) {
        return elapsed_ = elapsed, queued_ = queued, *this;
    }

    /// Runs while the call runs, on its thread: to move a clock, to wait for another thread.
    MockCall& meanwhile(std::function<void(LaunchRequest const&)> action) {
        return meanwhile_ = std::move(action), *this;
    }

    /// Plays the call. It honours the plans for output as a real launcher does: what is kept, what is
    /// accepted, and the sinks.
    LaunchOutcome play(LaunchRequest const& request) const {
        if (start_error_ != 0)
            throw std::system_error{start_error_, std::generic_category(), "cannot start the command"};
        if (meanwhile_) meanwhile_(request);
        Capture output{request.output};
        Capture error{request.merge_error ? request.output : request.error};
        auto outcome = bare_outcome(request.guarded);
        show(output, output_, outcome);
        show(request.merge_error ? output : error, error_, outcome);
        outcome.output = std::move(output).finish(complete_);
        outcome.error = std::move(error).finish(complete_);
        return outcome;
    }

private:
    MockCall& ends(Reached reached, std::optional<int> command_exit, std::optional<int> transport_exit) {
        ended_ = Ended::exited;
        reached_ = reached;
        command_exit_ = command_exit;
        transport_exit_ = transport_exit;
        return *this;
    }

    MockCall& stops(Ended ended, Reached reached) {
        ends(reached, std::nullopt, -9);
        ended_ = ended;
        everything_killed_ = true;
        return *this;
    }

    // A launcher without a guard learns nothing but the exit status.
    LaunchOutcome bare_outcome(bool guarded) const {
        LaunchOutcome outcome;
        outcome.ended = ended_;
        outcome.reached = guarded ? reached_ : Reached::unknown;
        if (guarded) outcome.command_exit = command_exit_;
        outcome.transport_exit = transport_exit_;
        outcome.transport_noise = noise_;
        outcome.everything_killed = everything_killed_;
        outcome.elapsed = elapsed_;
        outcome.queued = queued_;
        return outcome;
    }

    static void show(Capture& capture, std::string_view bytes, LaunchOutcome& outcome) {
        if (bytes.empty()) return;
        auto const answer = capture.take(bytes);
        if (auto const failure = capture.failure()) std::rethrow_exception(failure);
        if (answer == Capture::Answer::stop) outcome.ended = Ended::stopped_by_sink;
        if (answer == Capture::Answer::beyond_limit) outcome.ended = Ended::limit;
    }

    std::string output_{};
    std::string error_{};
    std::string noise_{};
    Ended ended_ = Ended::exited;
    Reached reached_ = Reached::end;
    std::optional<int> command_exit_ = 0;
    std::optional<int> transport_exit_ = 0;
    std::optional<bool> everything_killed_{};
    bool complete_ = true;
    int start_error_ = 0;
    std::chrono::nanoseconds elapsed_{};
    std::chrono::nanoseconds queued_{};
    std::function<void(LaunchRequest const&)> meanwhile_{};
};

} // namespace longshore::inline v0

#endif
