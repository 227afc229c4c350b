// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_PROCESS_ASIO_LAUNCHER_HPP
#define LONGSHORE_PROCESS_ASIO_LAUNCHER_HPP

#include <longshore/process/process_launcher.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>

namespace longshore::inline v0 {
namespace detail {

// One asynchronous call: the machine and the steps of I/O of the blocking launcher, woken by Asio, which
// signals readiness and reads nothing. All members run on the strand.
template <ClockPolicy Clock>
class AsioCall : public std::enable_shared_from_this<AsioCall<Clock>> {
public:
    using Handler = boost::asio::any_completion_handler<void(std::exception_ptr, LaunchOutcome)>;

    AsioCall(boost::asio::any_io_executor executor, Clock clock, SystemFeatures features,
             LaunchRequest request, Handler handler)
        : strand_{boost::asio::make_strand(executor)}, clock_{std::move(clock)}, features_{features},
          request_{std::move(request)}, handler_{std::move(handler)},
          completion_{boost::asio::prefer(boost::asio::get_associated_executor(handler_, executor),
                                          boost::asio::execution::outstanding_work.tracked)},
          input_{strand_}, output_{strand_}, error_{strand_}, exit_{strand_}, timer_{strand_} {}

    // Listens from here on, for a cancellation may come at once; the first step is never taken inside the
    // initiating function.
    void start() {
        listen_for_cancellation();
        boost::asio::post(strand_, [self = this->shared_from_this()] { self->begin(); });
    }

private:
    struct Watch {
        explicit Watch(boost::asio::any_io_executor const& executor) : descriptor{executor} {}
        boost::asio::posix::stream_descriptor descriptor;
        bool armed = false;

        // The descriptor stays open: it belongs to the child. What was waiting on it is aborted.
        void forget() {
            if (descriptor.is_open()) descriptor.release();
        }
    };

    Instant now() const { return instant(clock_); }

    void begin() {
        if (cancellation_asked_ || request_.stop_token.stop_requested())
            return complete(nullptr, {.ended = Ended::cancelled, .everything_killed = true});
        try {
            call_.emplace(request_, CallSecrets::make(), now(), features_);
            if (request_.stop_token.stop_possible()) stop_.emplace(request_.stop_token, cancel_later());
            step();
        } catch (...) {
            complete(std::current_exception(), {});
        }
    }

    std::function<void()> cancel_later() {
        return [weak = this->weak_from_this(), strand = strand_] {
            auto const self = weak.lock();
            if (!self) return;
            self->cancellation_asked_ = true;
            boost::asio::dispatch(strand, [self] { self->cancel(); });
        };
    }

    // Runs in the initiating function, as everything that touches the slot must run where its signal is used.
    void listen_for_cancellation() {
        if (auto slot = boost::asio::get_associated_cancellation_slot(handler_); slot.is_connected())
            slot.assign([cancel = cancel_later()](boost::asio::cancellation_type) { cancel(); });
    }

    void cancel() {
        if (!call_) return;
        call_->machine().cancel(now());
        step();
    }

    // Makes the machine's wants true, then waits for what they need.
    void step() {
        if (!call_) return;
        auto wants = call_->machine().wants();
        if (wants.close_input) input_.forget();
        call_->obey(wants, now());
        if (call_->machine().wants().clean_up) clean_up();
        wants = call_->machine().wants();
        if (wants.done) return finish();
        auto& child = call_->child();
        if (!wants.write.empty())
            watch(input_, child.input.get(), Wait::wait_write, [this] { call_->write(now()); });
        if (wants.read_output)
            watch(output_, child.output.get(), Wait::wait_read,
                  [this] { call_->read(Stream::output, now()); });
        if (wants.read_error)
            watch(error_, child.error.get(), Wait::wait_read, [this] { call_->read(Stream::error, now()); });
        if (!call_->is_reaped() && child.exit_descriptor() >= 0)
            watch(exit_, child.exit_descriptor(), Wait::wait_read, [this] { reap(); });
        set_timer(wants.wake);
    }

    using Wait = boost::asio::posix::stream_descriptor;

    template <typename Act>
    void watch(Watch& watch, int descriptor, Wait::wait_type what, Act act) {
        if (std::exchange(watch.armed, true)) return;
        if (!watch.descriptor.is_open()) watch.descriptor.assign(descriptor);
        watch.descriptor.async_wait(what, [self = this->shared_from_this(), &watch, act](auto const& error) {
            watch.armed = false;
            if (!error && self->call_) self->guarded(act);
        });
    }

    // Every event ends with the time and a look at what is wanted next.
    template <typename Act>
    void guarded(Act const& act) {
        try {
            act();
            call_->machine().time(now());
            step();
        } catch (...) {
            complete(std::current_exception(), {});
        }
    }

    // Its descriptor is closed when the process is reaped, so nobody may be waiting on it then. Readable is a
    // hint: the process may still be there.
    void reap() {
        exit_.forget();
        call_->reap(now());
    }

    void set_timer(Instant wake) {
        using std::chrono::milliseconds;
        auto longest = never;
        if constexpr (!std::same_as<Clock, std::chrono::steady_clock>) longest = milliseconds{10};
        if (!call_->is_reaped() && call_->child().exit_descriptor() < 0) longest = milliseconds{2};
        auto const at = longest == never ? wake : (std::min)(wake, later(now(), longest));
        if (at == timer_set_for_) return;
        timer_set_for_ = at;
        if (at == never) return void(timer_.cancel());
        timer_.expires_after((std::max)(at - now(), Instant::zero()));
        timer_.async_wait([self = this->shared_from_this()](auto const& error) {
            if (error || !self->call_) return;
            self->timer_set_for_ = never;
            self->guarded([call = self.get()] {
                if (call->call_->child().exit_descriptor() < 0) call->call_->reap(call->now());
            });
        });
    }

    void clean_up() {
        if (std::exchange(cleaning_up_, true)) return;
        auto const& secrets = call_->machine().secrets();
        if (request_.transport.arguments.empty()) {
            sweep_.emplace(secrets.identity, features_, "/proc");
            return sweep_soon();
        }
        auto question = guard::clean_up_request(request_, secrets, call_->machine().session());
        std::make_shared<AsioCall<std::chrono::steady_clock>>(
            strand_, std::chrono::steady_clock{}, features_, std::move(question),
            [self = this->shared_from_this()](std::exception_ptr failure, LaunchOutcome outcome) {
                self->cleaned_up(failure ? std::nullopt : self->answer(outcome));
            })
            ->start();
    }

    std::optional<bool> answer(LaunchOutcome const& outcome) const {
        return guard::clean_up_answer(outcome.output.bytes, call_->machine().secrets());
    }

    // A round at a time, so that no round keeps the other calls of this thread waiting for long.
    void sweep_soon() {
        sweep_timer_.emplace(strand_, IdentitySweep::pause);
        sweep_timer_->async_wait([self = this->shared_from_this()](auto const& error) {
            if (error || !self->call_) return;
            auto const round = self->sweep_->sweep();
            auto const tired = ++self->sweep_rounds_ >= IdentitySweep::longest_sweep / IdentitySweep::pause;
            if (round == IdentitySweep::Round::again && !tired) return self->sweep_soon();
            if (round == IdentitySweep::Round::no_list) return self->cleaned_up(std::nullopt);
            self->cleaned_up(round == IdentitySweep::Round::clean);
        });
    }

    void cleaned_up(std::optional<bool> nothing_left) {
        if (call_) guarded([&] { call_->machine().cleaned_up(nothing_left, now()); });
    }

    void finish() {
        auto const failure = call_->machine().failure();
        complete(failure, std::move(call_->machine()).finish(now()));
    }

    // Everything is given back before the handler hears of it.
    void complete(std::exception_ptr failure, LaunchOutcome outcome) {
        stop_.reset();
        for (auto* watch : {&input_, &output_, &error_, &exit_})
            watch->forget();
        timer_.cancel();
        call_.reset();
        boost::asio::dispatch(completion_, [handler = std::move(handler_), failure = std::move(failure),
                                            outcome = std::move(outcome)]() mutable {
            boost::asio::get_associated_cancellation_slot(handler).clear();
            std::move(handler)(std::move(failure), std::move(outcome));
        });
    }

    boost::asio::any_io_executor strand_;
    Clock clock_;
    SystemFeatures features_;
    LaunchRequest request_;
    Handler handler_;
    boost::asio::any_completion_executor completion_;
    Watch input_, output_, error_, exit_;
    boost::asio::steady_timer timer_;
    Instant timer_set_for_ = never;
    std::optional<HostCall> call_{};
    std::optional<std::stop_callback<std::function<void()>>> stop_{};
    std::optional<IdentitySweep> sweep_{};
    std::optional<boost::asio::steady_timer> sweep_timer_{};
    long sweep_rounds_ = 0;
    bool cleaning_up_ = false;
    std::atomic<bool> cancellation_asked_{false};
};

} // namespace detail

/// Runs calls without blocking, beside the blocking `run` of `BasicProcessLauncher`.
///
/// `async_run(request, token)` takes any completion token and completes exactly once with
/// `void(std::exception_ptr, LaunchOutcome)`, never inside the initiating function. The exception is what
/// `run` would throw. The handler's associated executor, allocator and cancellation slot are respected:
/// Cancellation of any type ends the command, on the host and in the container, and the outcome says
/// `cancelled`.
///
/// Sinks and sources are called on the launcher's executor, one at a time for each call. While a sink runs,
/// nothing more of its command is read.
///
/// Thread safety: `run` and `async_run` may be called from several threads at once. Lifetime: a call holds a
/// copy of all that it needs, so the launcher may go before its calls; a context that is destroyed ends them.
template <ClockPolicy Clock = std::chrono::steady_clock>
class BasicAsioLauncher : public BasicProcessLauncher<Clock> {
public:
    /// @param executor where the calls wait for their processes.
    explicit BasicAsioLauncher(boost::asio::any_io_executor executor, Clock clock = {},
                               detail::SystemFeatures features = {})
        : BasicProcessLauncher<Clock>{std::move(clock), features}, executor_{std::move(executor)} {}

    boost::asio::any_io_executor get_executor() const noexcept { return executor_; }

    template <typename Token>
    auto async_run(LaunchRequest request, Token&& token) {
        return boost::asio::async_initiate<Token, void(std::exception_ptr, LaunchOutcome)>(
            [executor = executor_, clock = this->clock(), features = this->features()](auto handler,
                                                                                       LaunchRequest asked) {
                auto const allocator = boost::asio::get_associated_allocator(handler);
                std::allocate_shared<detail::AsioCall<Clock>>(allocator, executor, clock, features,
                                                              std::move(asked), std::move(handler))
                    ->start();
            },
            token, std::move(request));
    }

private:
    boost::asio::any_io_executor executor_;
};

/// The asynchronous launcher on the steady clock.
using AsioLauncher = BasicAsioLauncher<>;

static_assert(AsyncLaunchPolicy<AsioLauncher>);

} // namespace longshore::inline v0

#endif
