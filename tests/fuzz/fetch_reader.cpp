// SPDX-License-Identifier: BSL-1.0
// Any way to cut a container's answer into pieces gives the same records and the same content as a parser
// that has all of it, and what is refused is refused at the same place.
//
// Input: one byte that chooses the sizes of the pieces, then the answer. The mark is `M`.
#include <longshore/detail/fetch_reader.hpp>

#include <fuzz/input.hpp>
#include <fuzz/require.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using longshore::detail::fetch_words;
using longshore::detail::FetchReader;
using longshore::detail::FetchRecord;

// What is told, as text: records on lines of their own, content as it is.
struct Recorder {
    std::string told{};
    std::size_t content_left = 0;

    void record(FetchRecord const& record) {
        fuzz::require(content_left == 0, "content is complete before the next record");
        told.append("\n[").append(to_string(record.word)).append("] ");
        told.append(std::to_string(record.number)).append(" ").append(record.name).append("\n");
        if (record.word == longshore::detail::FetchWord::file) content_left = record.number;
    }
    void content(std::string_view bytes) {
        fuzz::require(!bytes.empty(), "content comes in pieces that are not empty");
        fuzz::require(bytes.size() <= content_left, "no more content comes than was announced");
        content_left -= bytes.size();
        told.append(bytes);
    }
};

// The same by a parser that sees everything at once.
class Reference {
public:
    explicit Reference(std::string_view answer) : rest_{answer} { read(); }

    std::string told{};
    bool refused = false;

private:
    static constexpr std::size_t longest = 1 + 1 + 31 + FetchReader::longest_name;

    void read() {
        std::uint64_t padding = 0;
        while (!rest_.empty() && !refused) {
            auto const nulls = (std::min)(rest_.find_first_not_of('\0'), rest_.size());
            if (nulls > padding) return refuse();
            padding -= nulls;
            rest_.remove_prefix(nulls);
            if (rest_.empty()) return;
            auto const end = rest_.find('\0');
            if ((std::min)(end, rest_.size()) > longest) return refuse();
            if (end == std::string_view::npos) return;
            padding = record(rest_.substr(0, end), end + 1);
        }
    }

    // Returns the size of the content.
    std::uint64_t record(std::string_view text, std::size_t length) {
        if (!text.starts_with("M ")) return refuse(), 0;
        text.remove_prefix(2);
        auto const first = text.find(' ');
        auto const word = text.substr(0, first);
        auto const after = first == std::string_view::npos ? std::string_view{} : text.substr(first + 1);
        auto const second = after.find(' ');
        auto const digits = after.substr(0, second);
        auto const name = second == std::string_view::npos ? std::string_view{} : after.substr(second + 1);
        auto const known = std::find(fetch_words.begin(), fetch_words.end(), word) != fetch_words.end();
        if (!known || digits.empty() || digits.size() > 19 ||
            digits.find_first_not_of("0123456789") != std::string_view::npos)
            return refuse(), 0;
        auto const number = std::stoull(std::string{digits});
        told.append("\n[").append(word).append("] ").append(std::to_string(number)).append(" ");
        told.append(name).append("\n");
        rest_.remove_prefix(length);
        if (word != "file") return 0;
        auto const content = rest_.substr(0, number);
        told.append(content);
        rest_.remove_prefix(content.size());
        return number;
    }

    void refuse() { refused = true; }

    std::string_view rest_;
};

template <typename NextSize>
void check(std::string_view answer, Reference const& expected, NextSize next_size) {
    Recorder recorder;
    FetchReader reader{"M"};
    bool refused = false;
    try {
        for (std::size_t at = 0; at < answer.size();) {
            auto const piece = answer.substr(at, next_size());
            reader.feed(std::string{piece}, recorder); // a copy of its own, so that a look beyond is seen
            at += piece.size();
        }
    } catch (longshore::ContainerExecutionError const&) {
        refused = true;
    }
    fuzz::require(refused == expected.refused, "what is refused does not depend on the pieces");
    fuzz::require_equal(recorder.told, expected.told, "pieces give what the whole gives");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    std::uint32_t state = input.byte();
    auto const answer = input.rest();
    Reference const expected{answer};
    check(answer, expected, [&] { return answer.size(); });
    check(answer, expected, [] { return std::size_t{1}; });
    check(answer, expected, [&] {
        state = state * 1103515245U + 12345U;
        return std::size_t{1} + (state >> 16U) % ((state >> 24U) % 4 == 0 ? 200U : 5U);
    });
    return 0;
}
