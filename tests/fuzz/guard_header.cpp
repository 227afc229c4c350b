// SPDX-License-Identifier: BSL-1.0
// A guard that counts lines finds exactly the variables that were sent, whatever their values hold, and then
// the input; what is no variable is refused.
//
// Input: entries that end with `~`.
#include <longshore/error.hpp>
#include <longshore/launch/guard.hpp>

#include <fuzz/input.hpp>
#include <fuzz/require.hpp>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::optional<std::string> header_of(std::vector<std::string> const& variables) {
    try {
        return longshore::guard::header({"MARK", "IDENTITY"}, 7, variables);
    } catch (longshore::ValueError const&) {
        return std::nullopt;
    }
}

bool is_variable(std::string const& entry) {
    auto const name = entry.substr(0, entry.find('='));
    if (name.size() == entry.size() || name.empty() || entry.find('\0') != std::string::npos) return false;
    for (char const c : name)
        if (c != '_' &&
            (static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c)) == 0))
            return false;
    return std::isdigit(static_cast<unsigned char>(name.front())) == 0 && name.rfind("LONGSHORE_", 0) != 0;
}

std::string line(std::string_view& text) {
    auto const length = text.find('\n');
    fuzz::require(length != std::string_view::npos, "a header ends with a line feed");
    std::string const taken{text.substr(0, length)};
    text.remove_prefix(length + 1);
    return taken;
}

std::size_t number(std::string const& text) {
    fuzz::require(!text.empty() && text.size() < 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos,
                  "a count is a number");
    return static_cast<std::size_t>(std::stoul(text));
}

// As the guard reads it: a count of lines, then so many lines.
std::string variable(std::string_view& text) {
    std::string entry;
    for (auto lines = number(line(text)); lines > 0; --lines)
        entry += line(text) + (lines > 1 ? "\n" : "");
    return entry;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    std::vector<std::string> variables;
    bool all_are_variables = true;
    while (!input.is_empty()) {
        variables.emplace_back(input.text_until('~'));
        all_are_variables = all_are_variables && is_variable(variables.back());
    }
    auto const header = header_of(variables);
    fuzz::require(header.has_value() == all_are_variables, "exactly variables are accepted");
    if (!header) return 0;
    std::string_view rest{*header};
    fuzz::require_equal(line(rest), "MARK IDENTITY 7 " + std::to_string(variables.size()), "the first line");
    for (auto const& entry : variables)
        fuzz::require_equal(variable(rest), entry, "a variable arrives as it is");
    fuzz::require(rest.empty(), "nothing stands between the header and the input");
    return 0;
}
