// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_FUZZ_INPUT_HPP
#define LONGSHORE_TESTS_FUZZ_INPUT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace fuzz {

// The bytes that a fuzzer gives, taken apart from the front. Choices are made so that a seed can be written
// with an editor: the first choice of a list is `0` as well as a null byte, the second `1`, and so on.
class Input {
public:
    Input(std::uint8_t const* data, std::size_t size)
        : rest_{reinterpret_cast<char const*>(data), size} {} // NOLINT: bytes as text

    bool is_empty() const noexcept { return rest_.empty(); }

    // The next byte; 0 at the end.
    std::uint8_t byte() {
        auto const taken = text(1);
        return taken.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(taken.front());
    }

    // A number below `count`.
    std::size_t choice(std::size_t count) {
        auto const taken = byte();
        return (taken >= '0' ? taken - std::size_t{'0'} : taken) % count;
    }

    bool flag() { return choice(2) == 1; }

    // The next bytes, as many as there are.
    std::string_view text(std::size_t length) {
        auto const taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return taken;
    }

    // The number whose bytes are next; 0 for those that are missing.
    template <typename Number>
    Number number() {
        Number content{};
        auto const bytes = text(sizeof content);
        std::memcpy(&content, bytes.data(), bytes.size());
        return content;
    }

    // Takes the next byte when it is `expected`.
    bool next_is(char expected) {
        if (!rest_.starts_with(expected)) return false;
        text(1);
        return true;
    }

    // Everything before the next `end`, which is taken too.
    std::string_view text_until(char end) {
        auto const taken = text((std::min)(rest_.find(end), rest_.size()));
        text(1);
        return taken;
    }

    std::string_view rest() { return text(rest_.size()); }

private:
    std::string_view rest_;
};

// The parts between separators; no parts of an empty text.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        auto const length = (std::min)(text.find(separator), text.size());
        parts.push_back(text.substr(0, length));
        text.remove_prefix((std::min)(length + 1, text.size()));
    }
    return parts;
}

} // namespace fuzz

#endif
