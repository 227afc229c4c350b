// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_CALL_MACHINE_HPP
#define LONGSHORE_LAUNCH_CALL_MACHINE_HPP

#include <longshore/launch/capture.hpp>
#include <longshore/launch/deadline.hpp>
#include <longshore/launch/framed_stream.hpp>
#include <longshore/launch/guard.hpp>
#include <longshore/launch/input_feed.hpp>
#include <longshore/launch/secrets.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// What a driver must make true now. Level-triggered: a pure function of the machine's state.
struct Wants {
    std::string_view write{}; ///< bytes to offer to stdin; valid until the next event
    bool close_input = false; ///< close stdin; once true it stays true
    bool read_output = false;
    bool read_error = false;
    bool kill = false;     ///< kill the host's process group, then say `killed`
    bool clean_up = false; ///< end what may be left of the command, then say `cleaned_up`
    Instant wake = never;  ///< say `time` then at the latest
    bool done = false;
};

/// Every decision of one call, without I/O, clock or thread: events in, each with its time, `Wants` out.
///
/// A driver starts the process, makes `wants()` true, and tells what happened; it decides nothing. One
/// machine serves the blocking driver and the asynchronous one.
///
/// The order at a deadline: stdin is closed, so that the guard ends the command's own session; after
/// `kill_grace` the host's process group is killed (earlier would kill the transport that carries the end of
/// stdin); what may be left is cleaned up through a second way in; open pipes are read for `drain_grace`;
/// then the call is over, whatever anyone still holds.
///
/// Refers to the request, which must outlive it. Not thread safe. Events throw nothing but `std::bad_alloc`.
class CallMachine {
public:
    CallMachine(LaunchRequest const& request, CallSecrets secrets, Instant now)
        : request_{&request}, secrets_{std::move(secrets)}, guarded_{request.guarded},
          input_{request.input,
                 guarded_ ? guard::header(secrets_, input_length(request.input), request.command.environment)
                          : std::string{}},
          output_{request.output, secrets_.mark, guarded_}, error_{request.error, secrets_.mark, guarded_},
          deadline_{request.timeout, request.no_output_timeout, now}, start_{now}, now_{now} {
        if (request.merge_error && !guarded_) error_.close();
        check_input();
    }

    // --- events
    // -----------------------------------------------------------------------------------------------

    /// Bytes came from the host process.
    void received(Stream stream, std::string_view bytes, Instant now) {
        now_ = now;
        auto& side = stream_of(stream);
        auto const before = side.total();
        auto const answer =
            side.take(bytes, [this, stream](std::string_view word) { return understand(stream, word); });
        if (side.total() != before) deadline_.heard(now);
        if (answer == Capture::Answer::stop) stop(Ended::stopped_by_sink);
        if (answer == Capture::Answer::beyond_limit) stop(Ended::limit);
        if (framed() && frame_ended_at_ == never) frame_ended_at_ = now;
    }

    /// A stream of the host process has ended.
    void ended(Stream stream, Instant now) {
        now_ = now;
        stream_of(stream).end_of_stream();
    }

    /// So much of `wants().write` has been written.
    void written(std::size_t count, Instant now) {
        now_ = now;
        input_.written(count);
        check_input();
    }

    /// Nobody reads stdin any more (EPIPE). That alone is no failure: the exit status decides.
    void input_refused(Instant now) {
        now_ = now;
        input_.refuse();
    }

    /// The host process has ended; `status` is empty when somebody else reaped it.
    void exited(std::optional<int> status, Instant now) {
        now_ = now;
        outcome_.transport_exit = status;
        exited_at_ = now;
    }

    /// The host's process group has been sent SIGKILL.
    void killed(Instant now) {
        now_ = now;
        killed_at_ = now;
    }

    /// The clean-up is over, and this is what it found: nothing left, something left, or no answer.
    void cleaned_up(std::optional<bool> nothing_left, Instant now) {
        now_ = now;
        clean_up_done_ = true;
        if (nothing_left) outcome_.everything_killed = nothing_left;
    }

    /// Time has passed. Said last in each round, so that what came in time counts.
    void time(Instant now) {
        now_ = now;
        if (auto const limit = deadline_.passed(now); limit && running()) stop(*limit);
        if (now >= drained_at()) {
            output_.close();
            error_.close();
        }
    }

    /// The caller asked to stop. Nothing to do when the command has ended by itself.
    void cancel(Instant now) {
        now_ = now;
        if (running()) stop(Ended::cancelled);
    }

    // --- decision
    // ---------------------------------------------------------------------------------------------

    Wants wants() const {
        Wants wants;
        wants.close_input = input_is_over();
        if (!wants.close_input) wants.write = input_.pending();
        wants.read_output = output_.is_open();
        wants.read_error = error_.is_open();
        wants.kill = now_ >= kill_at() && !is_killed() && !has_exited();
        wants.clean_up = needs_clean_up();
        wants.done = is_over() && !wants.clean_up;
        wants.wake = wake();
        return wants;
    }

    /// What a sink or the input's source threw, to be thrown again once the call is over.
    std::exception_ptr failure() const {
        if (output_.failure()) return output_.failure();
        return error_.failure() ? error_.failure() : input_.failure();
    }

    /// What the guard told of the command's session, for the clean-up.
    std::string const& session() const noexcept { return session_; }
    CallSecrets const& secrets() const noexcept { return secrets_; }

    /// The outcome; the machine is spent.
    LaunchOutcome finish(Instant now) && {
        outcome_.elapsed = now - start_;
        auto const expected = !guarded_ || outcome_.reached >= Reached::command;
        outcome_.transport_noise = output_.noise() + error_.noise();
        outcome_.output = std::move(output_).finish(expected);
        outcome_.error = std::move(error_).finish(expected && !request_->merge_error);
        return std::move(outcome_);
    }

private:
    FramedStream& stream_of(Stream stream) noexcept { return stream == Stream::output ? output_ : error_; }

    bool has_exited() const noexcept { return exited_at_ != never; }
    bool is_killed() const noexcept { return killed_at_ != never; }
    bool is_stopping() const noexcept { return stopped_at_ != never; }
    // The command's own end has been told, on both streams where there are two.
    bool framed() const noexcept { return guarded_ && output_.frame_ended(); }
    bool running() const noexcept { return !is_stopping() && !has_exited() && !framed(); }
    // The guard's word on stdout is the last of all; stderr may lag behind it for as long as any held pipe.
    bool stderr_may_lag() const noexcept {
        return error_.is_open() && !error_.frame_ended() &&
               now_ < later(frame_ended_at_, request_->drain_grace);
    }

    bool input_is_over() const noexcept {
        if (is_stopping() || has_exited() || input_.is_refused()) return true;
        return guarded_ ? framed() && !stderr_may_lag() : input_.pending().empty();
    }

    // The guard gets `kill_grace` to do its work; so does a transport that stays although its command has
    // ended.
    Instant kill_at() const noexcept {
        if (is_stopping() && !guarded_) return stopped_at_;
        return later((std::min)(stopped_at_, frame_ended_at_), request_->kill_grace);
    }

    // From then on a pipe that is still open is held by somebody else.
    Instant drained_at() const noexcept {
        return later((std::min)(exited_at_, killed_at_), request_->drain_grace);
    }

    bool streams_closed() const noexcept { return !output_.is_open() && !error_.is_open(); }
    bool is_over() const noexcept { return (has_exited() || now_ >= drained_at()) && streams_closed(); }

    // The guard did not say that nothing is left, and something may be: it was stopped, or lost on the way.
    // What it said is not believed of a transport that had to be killed: somebody may have said it in its
    // name.
    bool needs_clean_up() const noexcept {
        if (clean_up_done_ || !(has_exited() || is_killed())) return false;
        if (!guarded_) return is_stopping() && request_->transport.arguments.empty();
        if (is_killed()) return true;
        if (verdict_heard_ || (!streams_closed() && now_ < drained_at())) return false;
        return is_stopping() || outcome_.reached >= Reached::command;
    }

    Instant wake() const noexcept {
        auto next = running() ? deadline_.next() : never;
        if (!has_exited() && !is_killed()) next = (std::min)(next, kill_at());
        if (framed() && stderr_may_lag())
            next = (std::min)(next, later(frame_ended_at_, request_->drain_grace));
        return streams_closed() && now_ >= drained_at() ? next : (std::min)(next, drained_at());
    }

    void stop(Ended why) {
        if (!running()) return;
        outcome_.ended = why;
        stopped_at_ = now_;
    }

    void check_input() {
        if (input_.failure()) stop(Ended::stopped_by_sink);
    }

    // The guard's words, in the order in which it says them. False: not one of them, so it is output. stderr
    // is told `begin` and `end` alone, and each stream once.
    bool understand(Stream stream, std::string_view word) {
        auto const space = (std::min)(word.find(' '), word.size());
        auto const name = word.substr(0, space);
        auto const rest = word.substr((std::min)(space + 1, word.size()));
        auto const& side = stream_of(stream);
        if (name == "begin") return !side.frame_begun() && !side.frame_ended() && begin(rest);
        if (name == "end") return !side.frame_ended() && end(rest);
        if (stream == Stream::error) return false;
        if (name == "no-directory") return !side.frame_begun() && stopped_at_step(Reached::transport);
        if (name == "no-command") return !side.frame_begun() && stopped_at_step(Reached::directory);
        if (name == "input-lost") return outcome_.input_lost = true;
        if (name == "gone" || name == "left" || name == "unsure") return input_is_over() && verdict(name);
        return false;
    }

    bool begin(std::string_view session) {
        outcome_.reached = (std::max)(outcome_.reached, Reached::command);
        session_ = session;
        return true;
    }

    bool end(std::string_view status) {
        outcome_.command_exit = number(status);
        if (outcome_.reached == Reached::command) outcome_.reached = Reached::end;
        return true;
    }

    bool stopped_at_step(Reached reached) {
        outcome_.reached = reached;
        return true;
    }

    // Only what is said after stdin has ended can be the guard's last word.
    bool verdict(std::string_view name) {
        verdict_heard_ = true;
        if (name != "unsure") outcome_.everything_killed = name == "gone";
        return true;
    }

    static int number(std::string_view digits) noexcept {
        int value = 0;
        for (char const digit : digits.substr(0, 3))
            value = value * 10 + (digit - '0');
        return value;
    }

    LaunchRequest const* request_;
    CallSecrets secrets_;
    bool guarded_;
    InputFeed input_;
    FramedStream output_;
    FramedStream error_;
    Deadline deadline_;
    Instant start_;
    Instant now_;
    Instant stopped_at_ = never;
    Instant frame_ended_at_ = never;
    Instant exited_at_ = never;
    Instant killed_at_ = never;
    bool clean_up_done_ = false;
    bool verdict_heard_ = false;
    std::string session_{};
    LaunchOutcome outcome_{};
};

} // namespace longshore::inline v0

#endif
