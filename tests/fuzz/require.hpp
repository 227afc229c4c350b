// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_FUZZ_REQUIRE_HPP
#define LONGSHORE_TESTS_FUZZ_REQUIRE_HPP

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace fuzz {

inline void print_bytes(char const* name, std::string_view bytes) {
    std::fprintf(stderr, "  %s: \"", name);
    for (char const byte : bytes) {
        auto const code = static_cast<unsigned char>(byte);
        if (code < 0x20 || code > 0x7e || byte == '"' || byte == '\\')
            std::fprintf(stderr, "\\x%02x", static_cast<unsigned>(code));
        else
            std::fputc(byte, stderr);
    }
    std::fputs("\"\n", stderr);
}

// Ends the program, which the fuzzer counts as a fault, unless what must hold does.
inline void require(bool holds, char const* what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

inline void require_equal(std::string_view actual, std::string_view expected, char const* what) {
    if (actual == expected) return;
    std::fprintf(stderr, "broken: %s\n", what);
    print_bytes("actual  ", actual);
    print_bytes("expected", expected);
    std::abort();
}

} // namespace fuzz

#endif
