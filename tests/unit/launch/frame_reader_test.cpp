// SPDX-License-Identifier: BSL-1.0
#include <longshore/launch/frame_reader.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

struct Recorder {
    std::string text_seen{};
    std::vector<std::string> words_seen{};
    std::size_t pieces = 0;

    void text(std::string_view bytes) {
        text_seen += bytes;
        ++pieces;
    }
    bool word(std::string_view word) {
        if (word.starts_with("unknown")) return false;
        words_seen.emplace_back(word);
        return true;
    }
};

Recorder read_in_steps(std::string_view wire, std::size_t step) {
    Recorder recorder;
    longshore::FrameReader reader{"M4RK"};
    for (std::size_t at = 0; at < wire.size(); at += step)
        reader.feed(wire.substr(at, step), recorder);
    reader.end(recorder);
    return recorder;
}

std::string const word_start = "\036M4RK ";

} // namespace

TEST_CASE("words and output are told apart at every chunk size") {
    auto const wire = "noise\n" + word_start + "begin 1 2\nout \036M4R put" + word_start + "end 3\nrest";
    for (std::size_t step = 1; step <= wire.size(); ++step) {
        CAPTURE(step);
        auto const seen = read_in_steps(wire, step);
        CHECK(seen.text_seen == "noise\nout \036M4R putrest");
        CHECK(seen.words_seen == std::vector<std::string>{"begin 1 2", "end 3"});
    }
}

TEST_CASE("what only resembles a word is output, byte for byte") {
    std::vector<std::string> const wires = {"\036",
                                            "\036\036\036",
                                            "\036M4RK",
                                            word_start,
                                            "\036M4RX begin\n",
                                            word_start + "unknown word\n",
                                            word_start + "unknown " + word_start + "unknown\n",
                                            word_start + std::string(200, 'x') + "\n",
                                            word_start + std::string(200, 'x'),
                                            "\036M4RK\nbegin",
                                            std::string("a\0b\036\0", 5)};
    for (auto const& wire : wires)
        for (std::size_t step = 1; step <= wire.size(); ++step) {
            CAPTURE(wire);
            CAPTURE(step);
            auto const seen = read_in_steps(wire, step);
            CHECK(seen.text_seen == wire);
            CHECK(seen.words_seen.empty());
        }
}

TEST_CASE("a word right behind something that resembles one is still seen") {
    for (std::string const before : {"\036", "\036M4RK", "\036M4RK unknown\n", "\036\036"})
        for (std::size_t step = 1; step <= 30; ++step) {
            CAPTURE(before);
            CAPTURE(step);
            auto const seen = read_in_steps(before + word_start + "end 0\n", step);
            CHECK(seen.words_seen == std::vector<std::string>{"end 0"});
            CHECK(seen.text_seen == before);
        }
}

TEST_CASE("a large piece without the record separator passes through whole, without a copy") {
    std::string const piece(1 << 20, 'x');
    struct Same {
        char const* expected;
        bool same = false;
        void text(std::string_view bytes) { same = bytes.data() == expected; }
        bool word(std::string_view) { return true; }
    } same{piece.data()};
    longshore::FrameReader reader{"M4RK"};
    reader.feed(piece, same);
    CHECK(same.same);
}

TEST_CASE("only what may still become a word is held back") {
    Recorder recorder;
    longshore::FrameReader reader{"M4RK"};
    reader.feed("abc\036M4", recorder);
    CHECK(recorder.text_seen == "abc");
    reader.feed("x", recorder);
    CHECK(recorder.text_seen == "abc\036M4x");
}
