// SPDX-License-Identifier: BSL-1.0
// Any way to cut a stream into pieces gives the same output and the same words as a parser that has all of
// it.
//
// Input: one byte that chooses the sizes of the pieces, then the stream. The mark is `M`, and a word that
// begins with `u` is one that the receiver does not know.
#include <longshore/launch/frame_reader.hpp>

#include <fuzz/input.hpp>
#include <fuzz/reference_frames.hpp>
#include <fuzz/require.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view start = "\036M ";
constexpr std::size_t longest_held = start.size() + longshore::FrameReader::longest_word;

bool knows(std::string_view word) { return !word.starts_with('u'); }

// What the reader tells, and how many bytes of the stream that is.
struct Recorder {
    std::vector<fuzz::FrameEvent> events{};
    std::size_t bytes = 0;

    void text(std::string_view output) {
        fuzz::require(!output.empty(), "output comes in pieces that are not empty");
        fuzz::append_output(events, output);
        bytes += output.size();
    }
    bool word(std::string_view word) {
        if (!knows(word)) return false;
        events.push_back({true, std::string{word}});
        bytes += start.size() + word.size() + 1;
        return true;
    }
};

// Sizes from a small generator, so that one byte of input says them all; pieces may be empty.
class Sizes {
public:
    explicit Sizes(std::uint8_t seed) : state_{seed} {}

    std::size_t next() {
        state_ = state_ * 1103515245U + 12345U;
        auto const longest = (state_ >> 24U) % 4 == 0 ? 200U : 5U;
        return (state_ >> 16U) % longest;
    }

private:
    std::uint32_t state_;
};

template <typename NextSize>
void check(std::string_view wire, std::vector<fuzz::FrameEvent> const& expected, NextSize next_size) {
    Recorder recorder;
    longshore::FrameReader reader{"M"};
    std::size_t given = 0;
    while (given < wire.size()) {
        auto const piece = wire.substr(given, next_size());
        reader.feed(std::string{piece}, recorder); // a copy of its own, so that a look beyond its end is seen
        given += piece.size();
        fuzz::require(given - recorder.bytes <= longest_held, "no more than one word is held back");
    }
    reader.end(recorder);
    fuzz::require(recorder.bytes == wire.size(), "every byte is output or part of a word");
    fuzz::require(recorder.events == expected, "pieces give what the whole gives");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    Sizes sizes{input.byte()};
    auto const wire = input.rest();
    auto const expected = fuzz::frame_events(wire, start, longshore::FrameReader::longest_word, knows);
    check(wire, expected, [&] { return wire.size(); });
    check(wire, expected, [] { return std::size_t{1}; });
    check(wire, expected, [&] { return sizes.next(); });
    return 0;
}
