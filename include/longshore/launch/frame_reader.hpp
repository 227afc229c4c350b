// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_FRAME_READER_HPP
#define LONGSHORE_LAUNCH_FRAME_READER_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// Tells the guard's words from everything else in one stream, however it is cut into pieces.
///
/// A word is `RS MARK text LF`, where RS is the byte 036. What merely looks like one, with another mark,
/// without its end, or with a text that the receiver does not know, is output like any other byte. Bytes are
/// passed on without a copy; only what may still become a word is held back, so at most the length of one
/// word.
///
/// No I/O, no clock. Not thread safe; one object for each stream of a call. Does not throw, but for memory.
class FrameReader {
public:
    /// The longest text of a word. A longer one is output.
    static constexpr std::size_t longest_word = 96;

    explicit FrameReader(std::string_view mark) {
        start_ += '\036';
        start_ += mark;
        start_ += ' ';
    }

    /// Takes the next bytes. `receiver.text(std::string_view)` gets output; `receiver.word(std::string_view)`
    /// gets a word and returns whether it knows it.
    template <typename Receiver>
    void feed(std::string_view bytes, Receiver&& receiver) {
        if (held_.empty()) {
            hold(scan(bytes, receiver));
            return;
        }
        held_.append(bytes);
        auto const joined = std::exchange(held_, std::string{});
        hold(scan(joined, receiver));
    }

    /// The stream has ended: what was held back is output after all.
    template <typename Receiver>
    void end(Receiver&& receiver) {
        if (!held_.empty()) receiver.text(std::exchange(held_, std::string{}));
    }

private:
    enum class Match { no, maybe, yes };

    // What begins at a candidate, and the length of the word's text where it is one.
    struct Candidate {
        Match match;
        std::size_t length;
    };

    // Returns the rest that may still become a word.
    template <typename Receiver>
    std::string_view scan(std::string_view bytes, Receiver& receiver) {
        std::size_t from = 0;
        for (;;) {
            auto const at = bytes.find('\036', from);
            if (at == std::string_view::npos) break;
            auto const [match, length] = look_at(bytes.substr(at));
            if (match == Match::maybe) {
                pass(bytes.substr(0, at), receiver);
                return bytes.substr(at);
            }
            from = at + 1;
            if (match == Match::no) continue;
            pass(bytes.substr(0, at), receiver);
            bytes.remove_prefix(at);
            from = 1;
            if (!receiver.word(bytes.substr(start_.size(), length))) continue;
            bytes.remove_prefix(start_.size() + length + 1);
            from = 0;
        }
        pass(bytes, receiver);
        return {};
    }

    Candidate look_at(std::string_view candidate) const {
        auto const common = (std::min)(candidate.size(), start_.size());
        if (candidate.substr(0, common) != std::string_view{start_}.substr(0, common)) return {Match::no, 0};
        auto const text = candidate.substr(common, longest_word + 1);
        if (auto const length = text.find('\n'); length != std::string_view::npos)
            return {Match::yes, length};
        return {text.size() <= longest_word ? Match::maybe : Match::no, 0};
    }

    template <typename Receiver>
    static void pass(std::string_view text, Receiver& receiver) {
        if (!text.empty()) receiver.text(text);
    }

    void hold(std::string_view rest) { held_.assign(rest); }

    std::string start_{};
    std::string held_{};
};

} // namespace longshore::inline v0

#endif
