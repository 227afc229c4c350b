// SPDX-License-Identifier: BSL-1.0
// Whatever happens to a call, and in whatever order: the machine's wants are a pure function of its state,
// stdin is never opened again, a driver that does what is wanted never spins and is always told that the call
// is over, and the outcome holds what a parser of the whole streams finds.
//
// Input: eleven choices for the request, then events: a letter each, and a text that ends with `~`.
#include <longshore/launch/call_machine.hpp>

#include <fuzz/input.hpp>
#include <fuzz/reference_frames.hpp>
#include <fuzz/require.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using longshore::Flow;
using longshore::Instant;
using longshore::LaunchRequest;
using longshore::Stream;
using longshore::Wants;

namespace {

// A sink that takes bytes until it has seen enough, and then stops the call or throws.
struct Sink {
    std::string seen{};
    std::size_t enough = std::string::npos;
    bool throws = false;
    bool is_spent = false;

    bool has_thrown() const noexcept { return throws && is_spent; }

    Flow take(std::string_view bytes) {
        fuzz::require(!is_spent, "a sink that ended the call is not asked again");
        seen += bytes;
        is_spent = seen.size() >= enough;
        if (is_spent && throws) throw std::runtime_error{"enough"};
        return is_spent ? Flow::stop : Flow::go_on;
    }
};

void add_sink(longshore::OutputPlan& plan, Sink& sink, std::size_t choice) {
    if (choice == 0) return;
    if (choice >= 2) sink.enough = 8;
    sink.throws = choice == 3;
    plan.sink = [&sink](std::string_view bytes) { return sink.take(bytes); };
}

// A source of seven bytes that gives all of them, throws, or ends early.
struct Source {
    enum Kind { whole, throws, ends_early };

    Kind kind = whole;
    std::size_t left = 7;
    bool has_failed = false;

    std::size_t give(std::span<char> room) {
        has_failed = kind == throws || (kind == ends_early && left < 7);
        if (has_failed && kind == throws) throw std::runtime_error{"no source"};
        if (has_failed) return 0;
        auto const count = (std::min)({room.size(), left, std::size_t{3}});
        std::fill_n(room.begin(), count, 'i');
        left -= count;
        return count;
    }
};

struct Call {
    LaunchRequest request{};
    Sink output{};
    Sink error{};
    Source source{};

    explicit Call(fuzz::Input& input) {
        request.guarded = !input.flag();
        request.merge_error = input.flag();
        constexpr std::array timeouts{10s, 1s, std::chrono::seconds{1000h}};
        if (auto const choice = input.choice(4); choice < timeouts.size())
            request.timeout = timeouts[choice];
        else
            request.timeout = longshore::Timeout::unlimited();
        if (auto const choice = input.choice(3); choice > 0) request.no_output_timeout = choice;
        constexpr std::array<std::size_t, 4> sizes{1000, 0, 1, 10};
        request.output.keep = request.error.keep = sizes[input.choice(4)];
        if (auto const choice = input.choice(4); choice > 0) request.output.accept = sizes[choice];
        if (input.flag()) request.kill_grace = request.drain_grace = 0s;
        if (input.flag()) request.transport.arguments = {"/usr/bin/transport"};
        add_sink(request.output, output, input.choice(4));
        add_sink(request.error, error, input.choice(4));
        auto const choice = input.choice(5);
        request.input = choice == 0 ? "{}" : "";
        if (choice < 2) return;
        source.kind = static_cast<Source::Kind>(choice - 2);
        request.input = longshore::InputStream{7, [this](std::span<char> room) { return source.give(room); }};
    }
    Call(Call const&) = delete;
    Call& operator=(Call const&) = delete;
};

// The words of one stream, in the order in which the guard may say them.
class KnownWords {
public:
    explicit KnownWords(Stream stream) : is_output_{stream == Stream::output} {}

    bool operator()(std::string_view word) {
        auto const name = word.substr(0, word.find(' '));
        if (name == "begin") return !begun_ && !ended_ && (begun_ = true);
        if (name == "end") return !ended_ && (ended_ = true);
        if (name == "no-directory" || name == "no-command") return is_output_ && !begun_;
        return is_output_ && name == "input-lost";
    }

private:
    bool is_output_;
    bool begun_ = false;
    bool ended_ = false;
};

// Whether it is a word depends on when it comes, which the bytes alone do not tell.
bool may_hold_a_verdict(std::string const& wire) {
    auto const holds = [&](std::string_view word) { return wire.find(word) != std::string::npos; };
    return holds("\036M gone") || holds("\036M left") || holds("\036M unsure");
}

// What a parser of the whole stream finds.
struct Expected {
    std::string command{};
    std::string noise{};
    bool frame_ended = false;
};

Expected expected_of(std::string const& wire, bool guarded, Stream stream) {
    if (!guarded) return {wire, {}, false};
    Expected expected;
    bool inside = false;
    KnownWords known{stream};
    for (auto const& event : fuzz::frame_events(wire, "\036M ", longshore::FrameReader::longest_word,
                                                [&known](std::string_view word) { return known(word); })) {
        if (!event.is_word) {
            (inside ? expected.command : expected.noise) += event.text;
            continue;
        }
        auto const name = std::string_view{event.text}.substr(0, event.text.find(' '));
        if (name == "begin") inside = true;
        if (name == "end") {
            inside = false;
            expected.frame_ended = true;
        }
    }
    expected.noise.resize((std::min)(expected.noise.size(), longshore::FramedStream::noise_limit));
    return expected;
}

// A driver that keeps the rules, with a process that does as the input says.
class Driver {
public:
    explicit Driver(Call& call) : call_{call}, machine_{call.request, {"M", "I"}, now_} { look(); }

    void event(fuzz::Input& input) {
        switch (input.byte()) {
        case 'o':
            receive(Stream::output, input.text_until('~'));
            break;
        case 'e':
            receive(Stream::error, input.text_until('~'));
            break;
        case 'O':
            end(Stream::output);
            break;
        case 'E':
            end(Stream::error);
            break;
        case 'w':
            write(1 + input.choice(200));
            break;
        case 'r':
            machine_.input_refused(now_);
            break;
        case 'x':
            exit(input.choice(3));
            break;
        case 'c':
            machine_.cancel(now_);
            break;
        case 'k':
            obey(input.choice(3));
            break;
        default:
            now_ += steps[input.choice(steps.size())];
        }
        look();
    }

    // Nothing more comes from the process; a driver that only obeys and waits must get to the end.
    void wait_for_the_end() {
        if (call_.request.timeout.is_unlimited() && !call_.request.no_output_timeout) machine_.cancel(now_);
        for (int round = 0; !look().done; ++round) {
            fuzz::require(round < 30, "a call ends in few steps");
            obey(0);
            if (auto const wants = look(); !wants.done && !wants.clean_up && !wants.kill) {
                fuzz::require(wants.wake != longshore::never, "a call that is not over has a time to wake");
                now_ = wants.wake;
            }
        }
    }

    void check_outcome() {
        auto const failure = machine_.failure();
        auto const outcome = std::move(machine_).finish(now_);
        auto const output = expected_of(output_.wire, call_.request.guarded, Stream::output);
        auto const error = expected_of(error_.wire, call_.request.guarded, Stream::error);
        if (may_hold_a_verdict(output_.wire)) return;
        check(outcome.output, output, output_, call_.request.output, call_.output);
        check(outcome.error, error, error_, call_.request.error, call_.error);
        fuzz::require_equal(outcome.transport_noise, output.noise + error.noise,
                            "noise stands outside the frame");
        fuzz::require(outcome.elapsed >= 0s, "time does not run back");
        fuzz::require((failure != nullptr) ==
                          (call_.output.has_thrown() || call_.error.has_thrown() || call_.source.has_failed),
                      "what a sink or a source throws is kept, and nothing else");
    }

private:
    static constexpr std::array<std::chrono::nanoseconds, 6> steps{0ns, 1ns, 100ms, 500ms, 1s, 10s};

    // One stream of the process: what the machine was given of it, and whether its end was told.
    struct Side {
        std::string wire{};
        bool ended = false;
    };

    Side& side(Stream stream) { return stream == Stream::output ? output_ : error_; }
    bool is_read(Stream stream) const {
        return stream == Stream::output ? wants_.read_output : wants_.read_error;
    }

    void receive(Stream stream, std::string_view bytes) {
        if (!is_read(stream) || bytes.empty()) return;
        side(stream).wire += bytes;
        machine_.received(stream, std::string{bytes}, now_);
    }

    void end(Stream stream) {
        if (!is_read(stream)) return;
        side(stream).ended = true;
        machine_.ended(stream, now_);
    }

    void write(std::size_t count) {
        if (!wants_.write.empty()) machine_.written((std::min)(count, wants_.write.size()), now_);
    }

    void exit(std::size_t how) {
        if (std::exchange(has_exited_, true)) return;
        machine_.exited(how == 0 ? std::optional{0} : how == 1 ? std::optional{-9} : std::nullopt, now_);
    }

    void obey(std::size_t answer) {
        if (wants_.kill) machine_.killed(now_);
        if (machine_.wants().clean_up)
            machine_.cleaned_up(answer == 0 ? std::nullopt : std::optional{answer == 1}, now_);
    }

    Wants const& look() {
        machine_.time(now_);
        auto const first = machine_.wants();
        check_is_pure(first, machine_.wants());
        fuzz::require(first.close_input || !wants_.close_input, "stdin that was closed stays closed");
        fuzz::require(!first.close_input || first.write.empty(), "nothing is written to a closed stdin");
        fuzz::require(first.read_output <= wants_.read_output && first.read_error <= wants_.read_error,
                      "a stream that was closed stays closed");
        fuzz::require(first.done >= wants_.done, "what is over stays over");
        fuzz::require(!first.done || !(first.read_output || first.read_error || first.clean_up || first.kill),
                      "nothing is wanted of a call that is over");
        fuzz::require(first.done || first.kill || first.wake > now_, "a driver that waits never spins");
        return wants_ = first;
    }

    static void check_is_pure(Wants const& first, Wants const& second) {
        fuzz::require(
            first.write.data() == second.write.data() && first.write.size() == second.write.size() &&
                first.close_input == second.close_input && first.read_output == second.read_output &&
                first.read_error == second.read_error && first.kill == second.kill &&
                first.clean_up == second.clean_up && first.wake == second.wake && first.done == second.done,
            "asking for wants changes nothing");
    }

    void check(longshore::Captured const& captured, Expected const& expected, Side const& side,
               longshore::OutputPlan const& plan, Sink const& sink) const {
        fuzz::require(captured.total == expected.command.size(), "all that the command wrote is counted");
        fuzz::require_equal(captured.bytes, expected.command.substr(0, plan.keep), "the front is kept");
        fuzz::require(captured.cut == (expected.command.size() > plan.keep), "what is not kept is told");
        if (call_.request.guarded)
            fuzz::require(!expected.frame_ended || captured.complete,
                          "an end that was seen makes it complete");
        else if (!side.ended && !(call_.request.merge_error && &side == &error_))
            fuzz::require(!captured.complete, "an end that was not seen is told");
        if (plan.sink && !sink.is_spent)
            fuzz::require_equal(sink.seen, expected.command,
                                "the sink sees the command's bytes and no others");
    }

    Call& call_;
    Instant now_ = 1000h;
    longshore::CallMachine machine_;
    Wants wants_{.read_output = true, .read_error = true};
    Side output_{};
    Side error_{};
    bool has_exited_ = false;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    Call call{input};
    Driver driver{call};
    while (!input.is_empty())
        driver.event(input);
    driver.wait_for_the_end();
    driver.check_outcome();
    return 0;
}
