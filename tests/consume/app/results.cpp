// SPDX-License-Identifier: BSL-1.0
#include <longshore/json/boost_json.hpp>
#include <longshore/json/parse_output.hpp>

#include <string>

std::string word_count(std::string const& tool_output) {
    auto const output = longshore::parse_output<longshore::BoostJson>(tool_output);
    return std::string{longshore::BoostJson::as_string(*longshore::BoostJson::find(output, "words"))};
}
