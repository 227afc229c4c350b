// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/held_signal.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <initializer_list>

#include <pthread.h>

using longshore::detail::HeldSignal;

namespace {

int volatile signals_seen = 0;
void count_signal(int) { signals_seen = signals_seen + 1; }

// Counts what arrives, and puts things back.
class Counting {
public:
    explicit Counting(int signal) : signal_{signal}, before_{std::signal(signal, count_signal)} {
        signals_seen = 0;
    }
    Counting(Counting const&) = delete;
    Counting& operator=(Counting const&) = delete;
    ~Counting() { std::signal(signal_, before_); }

private:
    int signal_;
    void (*before_)(int);
};

} // namespace

TEST_CASE("A held signal that is taken back never arrives, and one that is not arrives afterwards") {
    for (auto const signal : {SIGXFSZ, SIGPIPE}) {
        Counting const counting{signal};
        {
            HeldSignal held{signal};
            ::pthread_kill(::pthread_self(), signal);
            held.take_back();
            held.take_back();
        }
        CHECK(signals_seen == 0);
        {
            HeldSignal const held{signal};
            ::pthread_kill(::pthread_self(), signal);
            CHECK(signals_seen == 0);
        }
        CHECK(signals_seen == 1);
    }
}

TEST_CASE("A signal that waited before it was held is not taken back") {
    Counting const counting{SIGXFSZ};
    {
        HeldSignal const outer{SIGXFSZ};
        ::pthread_kill(::pthread_self(), SIGXFSZ);
        HeldSignal inner{SIGXFSZ};
        inner.take_back();
    }
    CHECK(signals_seen == 1);
}
