// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_FRAMED_STREAM_HPP
#define LONGSHORE_LAUNCH_FRAMED_STREAM_HPP

#include <longshore/launch/capture.hpp>
#include <longshore/launch/frame_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// One stream of a call: what stands between the guard's `begin` and `end` is the command's, the rest is the
/// transport's noise. Without a guard all of it is the command's.
///
/// No I/O, no clock. Not thread safe; refers to the plan, which must outlive it.
class FramedStream {
public:
    /// The most that is kept of what stands outside the frame.
    static constexpr std::size_t noise_limit = std::size_t{16} << 10;

    FramedStream(OutputPlan const& plan, std::string_view mark, bool framed)
        : capture_{plan}, reader_{mark}, framed_{framed}, inside_{!framed} {}

    /// Takes the next bytes. `understand(std::string_view word)` gets each word of the guard and returns
    /// whether it knows it.
    template <typename Understand>
    Capture::Answer take(std::string_view bytes, Understand&& understand) {
        answer_ = Capture::Answer::go_on;
        if (framed_)
            reader_.feed(bytes, Receiver<Understand>{*this, understand});
        else
            text(bytes);
        return answer_;
    }

    /// The stream has ended.
    void end_of_stream() {
        saw_end_of_stream_ = true;
        close();
    }

    /// Nothing more will be read, whoever still holds the other end. What could still have become a word is
    /// output after all.
    void close() {
        struct Rest {
            FramedStream& stream;
            void text(std::string_view bytes) const { stream.text(bytes); }
        };
        if (framed_) reader_.end(Rest{*this});
        open_ = false;
    }

    bool is_open() const noexcept { return open_; }
    bool frame_begun() const noexcept { return frame_begun_; }
    bool frame_ended() const noexcept { return frame_ended_; }
    std::uint64_t total() const noexcept { return capture_.total(); }
    std::string const& noise() const noexcept { return noise_; }
    std::exception_ptr const& failure() const noexcept { return capture_.failure(); }

    /// What was kept. `expected`: the command wrote here, so its end should have been seen.
    Captured finish(bool expected) && {
        return std::move(capture_).finish(!expected || (framed_ ? frame_ended_ : saw_end_of_stream_));
    }

private:
    template <typename Understand>
    struct Receiver {
        FramedStream& stream;
        Understand& understand;

        void text(std::string_view bytes) const { stream.text(bytes); }
        bool word(std::string_view word) const {
            if (!understand(word)) return false;
            stream.follow(word);
            return true;
        }
    };

    void text(std::string_view bytes) {
        if (inside_)
            answer_ = (std::max)(answer_, capture_.take(bytes));
        else
            noise_.append(bytes.substr(0, noise_limit - (std::min)(noise_limit, noise_.size())));
    }

    void follow(std::string_view word) noexcept {
        if (word.starts_with("begin")) inside_ = frame_begun_ = true;
        if (!word.starts_with("end")) return;
        inside_ = false;
        frame_ended_ = true;
    }

    Capture capture_;
    FrameReader reader_;
    bool framed_;
    bool inside_;
    bool open_ = true;
    bool frame_begun_ = false;
    bool frame_ended_ = false;
    bool saw_end_of_stream_ = false;
    Capture::Answer answer_ = Capture::Answer::go_on;
    std::string noise_{};
};

} // namespace longshore::inline v0

#endif
