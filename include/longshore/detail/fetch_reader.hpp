// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FETCH_READER_HPP
#define LONGSHORE_DETAIL_FETCH_READER_HPP

#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0::detail {

// The words of fetch_text.
enum class FetchWord : std::uint8_t {
    total,     // NUMBER bytes are to be expected
    file,      // NUMBER bytes of content follow
    whole,     // the content before it is the file
    changed,   // it is not
    directory, // of a tree
    missing,
    link,
    folder,  // a directory where a file was asked for
    special, // neither file nor directory; of a tree's root: no directory
    closed,  // may not be read
    large,   // it has NUMBER bytes
    deep,    // a directory too far below
    many,    // more than NUMBER entries: the end
    much,    // the next file would be beyond the limit of all, NUMBER bytes came: the end
    done     // the end; NUMBER entries were looked at
};

inline constexpr std::array<std::string_view, 15> fetch_words{
    "total",   "file",   "whole", "changed", "directory", "missing", "link", "folder",
    "special", "closed", "large", "deep",    "many",      "much",    "done"};

constexpr std::string_view to_string(FetchWord word) noexcept {
    return fetch_words[static_cast<std::size_t>(word)];
}

// One record. The name lives as long as the handler runs.
struct FetchRecord {
    FetchWord word = FetchWord::done;
    std::uint64_t number = 0;
    std::string_view name{};
};

// A container that does not keep to the protocol: it is ended at once.
[[noreturn]] inline void distrust_answer(std::string const& why) {
    throw ContainerExecutionError{"the container's answer to a transfer of files cannot be trusted: " + why};
}

// Reads the bytes that fetch_text writes, in pieces of any size: records and content, in order. Not a byte is
// believed; what is no record throws ContainerExecutionError, and the reader is spent then.
//
// No I/O. Memory: one record. A handler has `record(FetchRecord const&)` and `content(std::string_view)`,
// which gets pieces that are not empty; the content of a `file` is complete when the next record comes.
class FetchReader {
public:
    // As long as a path may be.
    static constexpr std::size_t longest_name = 4096;

    explicit FetchReader(std::string mark) : mark_{std::move(mark)} {}

    template <typename Handler>
    void feed(std::string_view bytes, Handler&& handler) {
        while (!bytes.empty()) {
            if (content_left_ != 0)
                pass_content(bytes, handler);
            else if (record_.empty() && bytes.front() == '\0')
                skip_padding(bytes);
            else
                collect_record(bytes, handler);
        }
    }

    // Whether the bytes so far end where a record ends.
    bool is_between_records() const noexcept { return content_left_ == 0 && record_.empty(); }

private:
    std::size_t longest_record() const noexcept {
        constexpr std::size_t word_and_number = 9 + 1 + 20 + 1;
        return mark_.size() + 1 + word_and_number + longest_name;
    }

    template <typename Handler>
    void pass_content(std::string_view& bytes, Handler& handler) {
        auto const size = static_cast<std::size_t>((std::min)(std::uint64_t{bytes.size()}, content_left_));
        content_left_ -= size;
        handler.content(bytes.substr(0, size));
        bytes.remove_prefix(size);
    }

    // A file that became shorter: NULs stand behind it in place of what did not come, at most all of it.
    void skip_padding(std::string_view& bytes) {
        auto const end = (std::min)(bytes.find_first_not_of('\0'), bytes.size());
        if (end > padding_left_) distrust_answer("it holds empty records");
        padding_left_ -= end;
        bytes.remove_prefix(end);
    }

    template <typename Handler>
    void collect_record(std::string_view& bytes, Handler& handler) {
        auto const end = bytes.find('\0');
        auto const part = bytes.substr(0, end);
        if (record_.size() + part.size() > longest_record()) distrust_answer("a record is too long");
        record_.append(part);
        bytes.remove_prefix(part.size());
        if (end == std::string_view::npos) return;
        bytes.remove_prefix(1);
        auto const text = std::exchange(record_, {});
        auto const record = parsed(text);
        padding_left_ = content_left_ = record.word == FetchWord::file ? record.number : 0;
        handler.record(record);
    }

    FetchRecord parsed(std::string_view text) const {
        if (!text.starts_with(mark_) || text.size() == mark_.size() || text[mark_.size()] != ' ')
            distrust_answer("a record was expected, and came was " + shown_text(text));
        auto rest = text.substr(mark_.size() + 1);
        auto const word = word_of(take_field(rest));
        auto const number = number_of(take_field(rest));
        if (!word || !number) distrust_answer("it holds a record that is none: " + shown_text(rest));
        return {*word, *number, rest};
    }

    static std::string_view take_field(std::string_view& rest) noexcept {
        auto const end = rest.find(' ');
        auto const field = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        return field;
    }

    static std::optional<FetchWord> word_of(std::string_view text) noexcept {
        auto const found = std::find(fetch_words.begin(), fetch_words.end(), text);
        if (found == fetch_words.end()) return std::nullopt;
        return static_cast<FetchWord>(found - fetch_words.begin());
    }

    static std::optional<std::uint64_t> number_of(std::string_view digits) noexcept {
        constexpr std::size_t most_digits = 19; // always fit in 64 bits
        if (digits.empty() || digits.size() > most_digits) return std::nullopt;
        std::uint64_t number = 0;
        for (auto const digit : digits) {
            if (digit < '0' || digit > '9') return std::nullopt;
            number = number * 10 + static_cast<std::uint64_t>(digit - '0');
        }
        return number;
    }

    std::string mark_;
    std::string record_{};
    std::uint64_t content_left_ = 0;
    std::uint64_t padding_left_ = 0;
};

} // namespace longshore::inline v0::detail

#endif
