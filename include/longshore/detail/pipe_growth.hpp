// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_PIPE_GROWTH_HPP
#define LONGSHORE_DETAIL_PIPE_GROWTH_HPP

#include <longshore/config.hpp>

#if !LONGSHORE_WINDOWS

#include <atomic>
#include <utility>

#include <fcntl.h>

namespace longshore::inline v0 {
namespace detail {

// One pipe grown to 1 MiB, for as long as this lives; let it end with the pipe.
//
// The kernel gives each user a budget of pipe pages. Once it is spent, every new pipe of the user is born
// with two pages, so that a few greedy calls would slow down all programs of the user: at most `most_at_once`
// pipes of the process are grown, and a pipe that is not grown just stays as it is.
class PipeGrowth {
public:
    static constexpr int size = 1 << 20;
    static constexpr int most_at_once = 8;

    PipeGrowth() noexcept = default;
    explicit PipeGrowth(int descriptor) noexcept : grown_{take_place() && grow(descriptor)} {}
    PipeGrowth(PipeGrowth&& other) noexcept : grown_{std::exchange(other.grown_, false)} {}
    PipeGrowth& operator=(PipeGrowth&& other) noexcept {
        if (this == &other) return *this;
        release();
        grown_ = std::exchange(other.grown_, false);
        return *this;
    }
    PipeGrowth(PipeGrowth const&) = delete;
    PipeGrowth& operator=(PipeGrowth const&) = delete;
    ~PipeGrowth() { release(); }

    bool grown() const noexcept { return grown_; }

private:
    static bool take_place() noexcept {
        if (places_taken_.fetch_add(1, std::memory_order_relaxed) < most_at_once) return true;
        leave_place();
        return false;
    }
    static void leave_place() noexcept { places_taken_.fetch_sub(1, std::memory_order_relaxed); }

    static bool grow([[maybe_unused]] int descriptor) noexcept {
#if defined(F_SETPIPE_SZ)
        if (::fcntl(descriptor, F_SETPIPE_SZ, size) >= 0) return true;
#endif
        leave_place();
        return false;
    }

    void release() noexcept {
        if (std::exchange(grown_, false)) leave_place();
    }

    inline static std::atomic<int> places_taken_{0};
    bool grown_ = false;
};

} // namespace detail
} // namespace longshore::inline v0

#endif
#endif
