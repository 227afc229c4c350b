// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_CAPTURE_HPP
#define LONGSHORE_LAUNCH_CAPTURE_HPP

#include <longshore/launch/outcome.hpp>
#include <longshore/launch/request.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// Keeps the front of one stream, counts all of it, and shows it to the sink.
///
/// No I/O, no clock. Not thread safe; refers to the plan, which must outlive it.
class Capture {
public:
    enum class Answer { go_on, stop, beyond_limit };

    explicit Capture(OutputPlan const& plan) noexcept : plan_{&plan} {}

    /// Takes the next bytes and says whether the command may go on. A sink that throws answers `stop`, and is
    /// not asked again; `failure()` then holds what it threw.
    Answer take(std::string_view bytes) {
        captured_.total += bytes.size();
        keep(bytes);
        if (!show(bytes)) return Answer::stop;
        return captured_.total > plan_->accept ? Answer::beyond_limit : Answer::go_on;
    }

    std::uint64_t total() const noexcept { return captured_.total; }
    std::exception_ptr const& failure() const noexcept { return failure_; }

    /// What was kept. `complete` is for the caller to say.
    Captured finish(bool complete) && {
        captured_.complete = complete;
        return std::move(captured_);
    }

private:
    void keep(std::string_view bytes) {
        auto const room = plan_->keep - (std::min)(plan_->keep, captured_.bytes.size());
        captured_.cut = captured_.cut || bytes.size() > room;
        captured_.bytes.append(bytes.substr(0, room));
    }

    bool show(std::string_view bytes) noexcept {
        if (!plan_->sink || stopped_) return !stopped_;
        try {
            stopped_ = plan_->sink(bytes) == Flow::stop;
        } catch (...) {
            failure_ = std::current_exception();
            stopped_ = true;
        }
        return !stopped_;
    }

    OutputPlan const* plan_;
    Captured captured_{};
    std::exception_ptr failure_{};
    bool stopped_ = false;
};

} // namespace longshore::inline v0

#endif
