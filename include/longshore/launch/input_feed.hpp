// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_INPUT_FEED_HPP
#define LONGSHORE_LAUNCH_INPUT_FEED_HPP

#include <longshore/error.hpp>
#include <longshore/launch/request.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace longshore::inline v0 {

/// What is still to be written to a command's stdin: the guard's header, then the input, of which a pulled
/// one is held only a chunk at a time.
///
/// Refers to the input, which must outlive it. Not thread safe. What a source throws is kept, never thrown.
class InputFeed {
public:
    InputFeed(Input const& input, std::string header) : input_{&input}, chunk_{std::move(header)} {
        if (auto const* bytes = std::get_if<std::string>(input_))
            join_small(*bytes);
        else
            remaining_ = std::get<InputStream>(*input_).length;
        pending_ = chunk_;
        if (pending_.empty()) refill();
    }
    InputFeed(InputFeed const&) = delete;
    InputFeed& operator=(InputFeed const&) = delete;

    /// The bytes to offer now; empty when all are written. Valid until the next call.
    std::string_view pending() const noexcept { return pending_; }

    void written(std::size_t count) {
        pending_.remove_prefix((std::min)(count, pending_.size()));
        if (pending_.empty()) refill();
    }

    /// Nobody reads any more.
    void refuse() noexcept {
        refused_ = true;
        pending_ = {};
    }

    bool is_refused() const noexcept { return refused_; }
    std::exception_ptr const& failure() const noexcept { return failure_; }

private:
    static constexpr std::size_t chunk_size = std::size_t{64} << 10;

    // Header and small input go out by one write.
    void join_small(std::string const& bytes) {
        if (chunk_.size() + bytes.size() > chunk_size) return;
        chunk_ += bytes;
        given_ = true;
    }

    void refill() {
        if (refused_ || failure_) return;
        if (auto const* bytes = std::get_if<std::string>(input_)) {
            if (!std::exchange(given_, true)) pending_ = *bytes;
            return;
        }
        if (remaining_ == 0) return;
        try {
            chunk_.resize(static_cast<std::size_t>((std::min)(std::uint64_t{chunk_size}, remaining_)));
            auto const count = std::get<InputStream>(*input_).read(std::span<char>{chunk_});
            if (count == 0 || count > chunk_.size())
                throw ValueError{"an input stream gave " + std::to_string(count) + " bytes with " +
                                 std::to_string(remaining_) + " still announced"};
            remaining_ -= count;
            pending_ = std::string_view{chunk_}.substr(0, count);
        } catch (...) {
            failure_ = std::current_exception();
            pending_ = {};
        }
    }

    Input const* input_;
    std::string chunk_;
    std::string_view pending_{};
    std::uint64_t remaining_ = 0;
    bool given_ = false;
    bool refused_ = false;
    std::exception_ptr failure_{};
};

} // namespace longshore::inline v0

#endif
