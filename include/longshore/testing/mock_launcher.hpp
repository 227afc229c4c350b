// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTING_MOCK_LAUNCHER_HPP
#define LONGSHORE_TESTING_MOCK_LAUNCHER_HPP

#include <longshore/launch/outcome.hpp>
#include <longshore/launch/policy.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/testing/mock_call.hpp>
#include <longshore/testing/mock_files.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// A launcher for tests: it starts nothing, says what a tool would have printed and how it would have ended,
/// and remembers what it was asked.
///
/// Calls are played in the order in which they were given; the last one stays for all that follow. A rule
/// (`when`) comes before them. Without any, tools print nothing and exit with 0.
///
///     MockLauncher launcher;
///     ContainerToolExecutor executor{config, launcher};
///     launcher.prints(R"({"lines": 3})");
///     CHECK(executor.execute_tool("count", {{"path", "/tmp/sandbox/a"}}));
///     CHECK(launcher.runs() == 1);
///
/// Copies share their script and their memory, so a test keeps a handle to the one inside an executor.
/// Thread safety: all members may be called from several threads at once.
class MockLauncher {
public:
    /// Whether a rule is for this call.
    using Predicate = std::function<bool(LaunchRequest const&)>;

    /// Adds what the next call does.
    MockLauncher& then(MockCall call) {
        std::lock_guard const lock{state_->mutex};
        if (state_->last_was_played) state_->calls.clear();
        state_->last_was_played = false;
        state_->calls.push_back(std::move(call));
        return *this;
    }

    /// Adds what all calls do that the predicate picks. The rule that was added last is asked first.
    MockLauncher& when(Predicate predicate, MockCall call) {
        std::lock_guard const lock{state_->mutex};
        state_->rules.push_front({std::move(predicate), std::move(call)});
        return *this;
    }

    /// The container has this file, by its absolute path there: `sync_results_to_host` and its like find it.
    /// Calls that fetch files are answered so from now on, before any call that was added; a rule still comes
    /// first.
    MockLauncher& holds(std::string container_path, std::string bytes) {
        std::lock_guard const lock{state_->mutex};
        state_->files.hold(std::move(container_path), std::move(bytes));
        return *this;
    }

    /// Shorthands for `then(MockCall{}....)`.
    MockLauncher& prints(std::string text, int exit = 0) {
        return then(MockCall{}.prints(std::move(text)).exits(exit));
    }
    MockLauncher& exits(int status, std::string standard_error = {}) {
        return then(MockCall{}.prints_error(std::move(standard_error)).exits(status));
    }
    MockLauncher& times_out(std::string printed_so_far = {}) {
        return then(MockCall{}.prints(std::move(printed_so_far)).times_out());
    }
    MockLauncher& killed_by_signal(int signal) { return then(MockCall{}.killed_by_signal(signal)); }
    MockLauncher& killed_on_host(int signal) { return then(MockCall{}.killed_on_host(signal)); }
    MockLauncher& fails_to_start(int error_number) { return then(MockCall{}.fails_to_start(error_number)); }
    MockLauncher& cli_fails(int exit, std::string noise) {
        return then(MockCall{}.cli_fails(exit, std::move(noise)));
    }

    /// Plays the next call. Throws `std::system_error` when it fails to start, and what a sink throws.
    LaunchOutcome run(LaunchRequest const& request) { return next(request).play(request); }

    /// All requests so far, in order.
    std::vector<LaunchRequest> requests() const {
        std::lock_guard const lock{state_->mutex};
        return state_->requests;
    }

    /// How often something was launched.
    std::size_t runs() const {
        std::lock_guard const lock{state_->mutex};
        return state_->requests.size();
    }

private:
    struct Rule {
        Predicate predicate{};
        MockCall call{};
    };

    struct State {
        std::mutex mutex{};
        std::deque<MockCall> calls{};
        std::deque<Rule> rules{};
        MockFiles files{};
        std::vector<LaunchRequest> requests{};
        bool last_was_played = false;
    };

    // The call is played outside the lock, because it may run code of the test.
    MockCall next(LaunchRequest const& request) {
        std::lock_guard const lock{state_->mutex};
        state_->requests.push_back(request);
        for (auto const& rule : state_->rules)
            if (rule.predicate(request)) return rule.call;
        if (!state_->files.empty())
            if (auto call = state_->files.answer(request)) return *std::move(call);
        if (state_->calls.empty()) return {};
        auto call = state_->calls.front();
        if (state_->calls.size() > 1)
            state_->calls.pop_front();
        else
            state_->last_was_played = true;
        return call;
    }

    std::shared_ptr<State> state_ = std::make_shared<State>();
};

static_assert(LaunchPolicy<MockLauncher>);

} // namespace longshore::inline v0

#endif
