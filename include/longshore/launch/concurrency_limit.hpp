// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_CONCURRENCY_LIMIT_HPP
#define LONGSHORE_LAUNCH_CONCURRENCY_LIMIT_HPP

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace longshore::inline v0 {

/// Lets at most so many calls run at once; the others wait in the order in which they came.
///
/// Both ways of waiting share one queue: `acquire(stop_token)` blocks, `acquire(callback)` does not.
///
/// Thread safety: all members may be called from several threads at once. Lifetime: permits and tickets may
/// outlive the limit that gave them.
class ConcurrencyLimit {
    struct State;

public:
    /// The right to run, given back when it goes. An empty one was never granted.
    class Permit {
    public:
        Permit() = default;
        Permit(Permit&& other) noexcept : state_{std::move(other.state_)}, granted_{other.granted_} {
            other.granted_ = false;
        }
        Permit& operator=(Permit&& other) noexcept {
            if (this != &other) {
                release();
                state_ = std::move(other.state_);
                granted_ = std::exchange(other.granted_, false);
            }
            return *this;
        }
        ~Permit() { release(); }

        explicit operator bool() const noexcept { return granted_; }

        /// Gives the right back before the end of the permit's life. The next waiter's callback runs here.
        void release() noexcept {
            if (!std::exchange(granted_, false)) return;
            if (auto const state = std::exchange(state_, nullptr)) State::pass_on(state);
        }

    private:
        friend class ConcurrencyLimit;
        explicit Permit(std::shared_ptr<State> state) noexcept : state_{std::move(state)}, granted_{true} {}

        std::shared_ptr<State> state_{}; // null and granted: there is no limit
        bool granted_ = false;
    };

    /// Called once: with a granted permit, or with an empty one after `Ticket::cancel`. It must not throw.
    using Callback = std::function<void(Permit)>;

    /// A place in the queue. Dropping it leaves the place: only `cancel` gives it up.
    class Ticket {
    public:
        Ticket() = default;

        /// Leaves the queue: the callback is called here with an empty permit. Does nothing when the permit
        /// was granted already.
        void cancel() const {
            if (auto const place = place_.lock()) State::leave(place);
        }

    private:
        friend class ConcurrencyLimit;
        struct Place {
            std::weak_ptr<State> state{};
            Callback callback{};
        };
        explicit Ticket(std::shared_ptr<Place> const& place) : place_{place} {}

        std::weak_ptr<Place> place_{};
        friend struct State;
    };

    /// @param limit how many may run at once; 0: no limit.
    explicit ConcurrencyLimit(std::size_t limit)
        : state_{limit == 0 ? nullptr : std::make_shared<State>(limit)} {}

    /// Waits for its turn without blocking. `callback` runs here when there is room, else on the thread that
    /// gives a permit back.
    Ticket acquire(Callback callback) {
        if (!state_) {
            callback(Permit{nullptr});
            return {};
        }
        return State::enter(state_, std::move(callback));
    }

    /// Blocks until it is its turn, or until a stop is requested: then the permit is empty.
    Permit acquire(std::stop_token const& stop_token = {}) {
        if (stop_token.stop_requested()) return {};
        if (!state_) return Permit{nullptr};
        auto const turn = std::make_shared<Turn>();
        auto const ticket = acquire([turn](Permit permit) { turn->take(std::move(permit)); });
        std::stop_callback const on_stop{stop_token, [&] { ticket.cancel(); }};
        return turn->wait();
    }

private:
    using Place = Ticket::Place;

    struct State {
        explicit State(std::size_t limit) : free{limit} {}

        static Ticket enter(std::shared_ptr<State> const& state, Callback callback) {
            {
                std::lock_guard const lock{state->mutex};
                if (state->free == 0) {
                    auto const place = std::make_shared<Place>(Place{state, std::move(callback)});
                    state->queue.push_back(place);
                    return Ticket{place};
                }
                --state->free;
            }
            callback(Permit{state});
            return {};
        }

        static void leave(std::shared_ptr<Place> const& place) {
            auto const state = place->state.lock();
            if (!state) return;
            {
                std::lock_guard const lock{state->mutex};
                if (state->queue.remove(place) == 0) return;
            }
            place->callback(Permit{});
        }

        // The slot goes straight to the first in the queue, so nobody who comes later can take it.
        static void pass_on(std::shared_ptr<State> const& state) noexcept {
            std::shared_ptr<Place> next;
            {
                std::lock_guard const lock{state->mutex};
                if (state->queue.empty()) {
                    ++state->free;
                    return;
                }
                next = std::move(state->queue.front());
                state->queue.pop_front();
            }
            next->callback(Permit{state});
        }

        std::mutex mutex{};
        std::size_t free;
        std::list<std::shared_ptr<Place>> queue{};
    };

    // Where a blocked thread waits for the callback.
    class Turn {
    public:
        void take(Permit permit) {
            std::lock_guard const lock{mutex_};
            permit_ = std::move(permit);
            came_ = true;
            changed_.notify_one();
        }

        Permit wait() {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, [this] { return came_; });
            return std::move(permit_);
        }

    private:
        std::mutex mutex_{};
        std::condition_variable changed_{};
        Permit permit_{};
        bool came_ = false;
    };

    std::shared_ptr<State> state_;
};

} // namespace longshore::inline v0

#endif
