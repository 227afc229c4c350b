// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_FUZZ_REFERENCE_FRAMES_HPP
#define LONGSHORE_TESTS_FUZZ_REFERENCE_FRAMES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

// A word of the guard, or output between two words as one text.
struct FrameEvent {
    bool is_word;
    std::string text;

    friend bool operator==(FrameEvent const&, FrameEvent const&) = default;
};

inline void append_output(std::vector<FrameEvent>& events, std::string_view bytes) {
    if (events.empty() || events.back().is_word) events.push_back({false, {}});
    events.back().text += bytes;
}

// What a whole stream holds, looked at byte by byte. `start` is what a word starts with, `knows(word)`
// whether the receiver knows it.
template <typename Knows>
std::vector<FrameEvent> frame_events(std::string_view wire, std::string_view start, std::size_t longest_word,
                                     Knows knows) {
    std::vector<FrameEvent> events;
    while (!wire.empty()) {
        auto const end = wire.starts_with(start) ? wire.find('\n') : std::string_view::npos;
        auto const is_short = end != std::string_view::npos && end - start.size() <= longest_word;
        std::string word{is_short ? wire.substr(start.size(), end - start.size()) : std::string_view{}};
        if (is_short && knows(std::string_view{word})) {
            events.push_back({true, std::move(word)});
            wire.remove_prefix(end + 1);
        } else {
            append_output(events, wire.substr(0, 1));
            wire.remove_prefix(1);
        }
    }
    return events;
}

} // namespace fuzz

#endif
