// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_ENVIRONMENT_EXECUTION_ENVIRONMENT_HPP
#define LONGSHORE_ENVIRONMENT_EXECUTION_ENVIRONMENT_HPP

#include <longshore/detail/shown_text.hpp>
#include <longshore/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace longshore::inline v0 {

/// Where a tool runs.
enum class ExecutionEnvironment : std::uint8_t {
    host,     ///< in this program, by the tool's handler
    container ///< in a container, by an executor
};

/// The enumerator's name, such as `"container"`.
constexpr std::string_view to_string(ExecutionEnvironment environment) noexcept {
    return environment == ExecutionEnvironment::container ? "container" : "host";
}

/// What a setting or a command line names: `host` or `container`, in any mixture of capitals and small
/// letters. Throws `ValueError` that shows anything else.
/// Source: execution-environment.md, "Execution Environment Resolution".
inline ExecutionEnvironment parse_execution_environment(std::string_view text) {
    auto const names = [text](std::string_view name) {
        constexpr auto lower = [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        };
        return std::equal(text.begin(), text.end(), name.begin(), name.end(),
                          [&](char given, char expected) { return lower(given) == expected; });
    };
    for (auto const environment : {ExecutionEnvironment::host, ExecutionEnvironment::container})
        if (names(to_string(environment))) return environment;
    throw ValueError{"execution_environment must be 'host' or 'container', not " + detail::shown_text(text)};
}

} // namespace longshore::inline v0

#endif
