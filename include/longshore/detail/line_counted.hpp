// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_LINE_COUNTED_HPP
#define LONGSHORE_DETAIL_LINE_COUNTED_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0::detail {

// Texts for a shell that reads lines: the count of a text's lines in one of its own, then the text. Only a
// NUL cannot be sent so.
inline std::string line_counted(std::string_view text) {
    return std::to_string(1 + std::count(text.begin(), text.end(), '\n')) + '\n' + std::string{text} + '\n';
}

inline std::string line_counted(std::vector<std::string> const& texts) {
    std::string lines;
    for (auto const& text : texts)
        lines += line_counted(text);
    return lines;
}

inline std::string_view take_line(std::string_view& rest) noexcept {
    auto const line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix((std::min)(line.size() + 1, rest.size()));
    return line;
}

// The same backwards: all texts that `rest` holds.
inline std::vector<std::string> take_line_counted(std::string_view rest) {
    std::vector<std::string> texts;
    while (!rest.empty()) {
        auto lines = std::stoul(std::string{take_line(rest)});
        std::string text{take_line(rest)};
        while (--lines > 0)
            text.append("\n").append(take_line(rest));
        texts.push_back(std::move(text));
    }
    return texts;
}

} // namespace longshore::inline v0::detail

#endif
