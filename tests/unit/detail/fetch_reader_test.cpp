// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/fetch_reader.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

using longshore::ContainerExecutionError;
using longshore::detail::fetch_words;
using longshore::detail::FetchReader;
using longshore::detail::FetchRecord;
using longshore::detail::FetchWord;
using namespace std::string_literals;

namespace {

// What a reader tells, as text: records in brackets, content joined.
struct Recorder {
    std::string told{};
    bool in_content = false;

    void record(FetchRecord const& record) {
        told.append(in_content ? "'" : "").append("[").append(to_string(record.word)).append(" ");
        told.append(std::to_string(record.number)).append(" ").append(record.name).append("]");
        in_content = false;
    }
    void content(std::string_view bytes) {
        CHECK_FALSE(bytes.empty());
        told.append(in_content ? "" : "'").append(bytes);
        in_content = true;
    }
};

std::string told(std::string const& wire, std::size_t piece) {
    Recorder recorder;
    FetchReader reader{"M"};
    for (std::size_t at = 0; at < wire.size(); at += piece)
        reader.feed(std::string{wire, at, piece}, recorder);
    CHECK(reader.is_between_records());
    return recorder.told;
}

bool is_refused(std::string const& wire, std::size_t piece) {
    try {
        told(wire, piece);
        return false;
    } catch (ContainerExecutionError const&) {
        return true;
    }
}

} // namespace

TEST_CASE("records and content are the same, in whatever pieces they come") {
    auto const wire =
        "M total 9 \0M directory 0 \0M file 5 a b\nc\0M\0 x\0M whole 0 \0M file 0 \0M whole 0 \0"s +
        "M file 4 d\0ab\0\0\0\0\0\0M changed 0 \0M large 1073741825 e\0M done 3 \0"s;
    auto const expected = "[total 9 ][directory 0 ][file 5 a b\nc]'M\0 x\0'[whole 0 ][file 0 ][whole 0 ]"
                          "[file 4 d]'ab\0\0'[changed 0 ][large 1073741825 e][done 3 ]"s;
    for (std::size_t piece = 1; piece <= wire.size(); ++piece) {
        CAPTURE(piece);
        CHECK(told(wire, piece) == expected);
    }
}

TEST_CASE("what is no record is refused, in whatever pieces it comes") {
    for (auto const& wire : {"\0"s,
                             "\0M done 0 \0"s,
                             "x\0"s,
                             "M\0"s,
                             "M \0"s,
                             "M done\0"s,
                             "Mdone 0 \0"s,
                             "N done 0 \0"s,
                             "M Done 0 \0"s,
                             "M done x \0"s,
                             "M done -0 \0"s,
                             "M done +1 \0"s,
                             "M done 0x1 \0"s,
                             "M done  \0"s,
                             "M done 12345678901234567890 \0"s,
                             "M done 0 \0\0"s,
                             "M file 1 a\0x\0\0"s,
                             "M  done 0 \0"s,
                             std::string(8192, 'M') + '\0',
                             "M done 0 "s + std::string(4200, 'x') + '\0'})
        for (std::size_t piece : {std::size_t{1}, std::size_t{7}, wire.size()}) {
            CAPTURE(wire);
            CHECK(is_refused(wire, piece));
        }
}

TEST_CASE("a record is refused before more than one of it is held") {
    Recorder recorder;
    FetchReader reader{"M"};
    std::size_t given = 0;
    auto const feed = [&] {
        for (; given < 100'000; ++given)
            reader.feed("x", recorder);
    };
    CHECK_THROWS_AS(feed(), ContainerExecutionError);
    CHECK(given < FetchReader::longest_name + 100);
}

TEST_CASE("a name may be as long as a path, and a number as large as its digits") {
    std::string const name(FetchReader::longest_name, 'n');
    CHECK(told("M missing 0 " + name + '\0', 100) == "[missing 0 " + name + "]");
    CHECK(told("M large 9999999999999999999 \0"s, 100) == "[large 9999999999999999999 ]");
}

TEST_CASE("every word is told apart") {
    std::string wire;
    std::string expected;
    for (auto const word : fetch_words) {
        if (word == to_string(FetchWord::file)) continue;
        wire.append("M ").append(word).append(" 0 \0"s);
        expected.append("[").append(word).append(" 0 ]");
    }
    CHECK(told(wire, 3) == expected);
    CHECK(std::count(fetch_words.begin(), fetch_words.end(), "") == 0);
}

TEST_CASE("a stream that stops is not between records") {
    auto const wire = "M file 3 a\0abcM whole 0 \0"s;
    for (std::size_t length = 1; length < wire.size(); ++length) {
        Recorder recorder;
        FetchReader reader{"M"};
        reader.feed(std::string_view{wire}.substr(0, length), recorder);
        CHECK(reader.is_between_records() == (length == 14));
    }
}
