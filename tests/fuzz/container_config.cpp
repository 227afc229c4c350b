// SPDX-License-Identifier: BSL-1.0
// Each field of ContainerConfig accepts exactly what its documentation says, keeps it unchanged, and refuses
// the rest with a `ValueError` that names the field and can be shown.
//
// Input: a letter for the kind of field, then its value: a text, a list with `,` between its elements, or the
// eight bytes of a number.
#include <longshore/container/config.hpp>
#include <longshore/detail/utf8.hpp>

#include <fuzz/input.hpp>
#include <fuzz/reference_paths.hpp>
#include <fuzz/require.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using longshore::ContainerConfig;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool holds(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

// Whether the field takes the value. Anything but `ValueError` ends the program.
template <typename Set>
bool accepts(std::string_view field, Set set) {
    try {
        set();
        return true;
    } catch (longshore::ValueError const& error) {
        std::string_view const why = error.what();
        fuzz::require(why.find(field) != std::string_view::npos, "a refusal names the field");
        fuzz::require(std::none_of(why.begin(), why.end(), is_control),
                      "a refusal holds no control characters");
        fuzz::require(longshore::detail::utf8_valid(why), "a refusal is UTF-8");
        return false;
    }
}

// --- the rules of the documentation

bool is_directory(std::string_view path) {
    return path.starts_with('/') && !holds(path, '\0') && !fuzz::components_of(path).empty();
}

bool is_workspace(std::string_view path) {
    auto const parts = fuzz::split(path, '/');
    return is_directory(path) && std::find(parts.begin(), parts.end(), "..") == parts.end();
}

bool is_argument(std::string_view text) {
    return !text.starts_with('-') && !holds(text, ' ') && std::none_of(text.begin(), text.end(), is_control);
}

bool is_variable_name(std::string_view name) {
    return !name.empty() && !holds(name, '=') && !holds(name, ' ') &&
           std::none_of(name.begin(), name.end(), is_control);
}

// --- the fields

template <typename Field>
void check_text(std::string_view name, Field ContainerConfig::*field, std::string_view text, bool expected) {
    ContainerConfig config;
    auto const before = config.*field;
    auto const accepted = accepts(name, [&] { config.*field = text; });
    fuzz::require(accepted == expected, "a text is accepted by the rule of its field");
    fuzz::require_equal((config.*field).string(), accepted ? text : std::string_view{before},
                        "a text is kept as it is");
}

template <typename Field, typename Rule>
void check_list(std::string_view name, Field ContainerConfig::*field, std::vector<std::string> const& list,
                Rule rule) {
    ContainerConfig config;
    auto const accepted = accepts(name, [&] { config.*field = list; });
    fuzz::require(accepted == rule(list), "a list is accepted by the rule of its field");
    fuzz::require((config.*field).values() == (accepted ? list : std::vector<std::string>{}),
                  "a list is kept as it is");
}

void check_mounts(std::string_view text) {
    auto const mounts = fuzz::mounts_of(text);
    ContainerConfig config;
    auto const accepted = accepts("", [&] { config.mounts = mounts; });
    fuzz::require(accepted == (mounts.empty() || fuzz::may_be_mounted(mounts)),
                  "mounts are accepted by their rule");
}

template <typename Field>
void check_count(std::string_view name, Field ContainerConfig::*field, std::int64_t count,
                 std::int64_t least) {
    ContainerConfig config;
    auto const accepted = accepts(name, [&] { config.*field = count; });
    fuzz::require(accepted == (count >= least), "a count is accepted by the rule of its field");
    if (accepted)
        fuzz::require((config.*field).value() == static_cast<std::size_t>(count), "a count is kept as it is");
    if (count < 0) {
        config.*field = static_cast<std::uint64_t>(count);
        fuzz::require((config.*field).value() == static_cast<std::uint64_t>(count),
                      "a large count is kept as it is");
    }
}

// What so many seconds are: the nearest nanosecond below, within the range that a length of time may have.
void check_length(long double seconds, std::chrono::nanoseconds length, std::int64_t least,
                  std::int64_t most) {
    auto const exact = seconds * 1e9L;
    auto const error = std::abs(static_cast<long double>(length.count()) - exact);
    auto const is_held = (length.count() == most && exact >= static_cast<long double>(most)) ||
                         (length.count() == least && exact <= static_cast<long double>(least));
    fuzz::require(is_held || error <= 1 + exact * 1e-15L, "a length of time is kept");
}

void check_timeout(double seconds) {
    constexpr auto longest = (std::numeric_limits<std::int64_t>::max)() - 1;
    ContainerConfig config;
    auto const accepted =
        accepts("timeout", [&] { config.timeout_seconds = std::chrono::duration<double>{seconds}; });
    fuzz::require(accepted == (seconds > 0), "a timeout is above zero");
    if (!accepted) return;
    check_length(seconds, config.timeout_seconds.value(), 1, longest);
    fuzz::require(!config.timeout_seconds.is_unlimited(), "no length of time is without limit");
}

void check_timeout(std::int64_t seconds) {
    constexpr auto longest = (std::numeric_limits<std::int64_t>::max)() - 1;
    ContainerConfig config;
    auto const accepted = accepts("timeout", [&] { config.timeout_seconds = seconds; });
    fuzz::require(accepted == (seconds > 0), "a timeout is above zero");
    if (accepted) check_length(static_cast<long double>(seconds), config.timeout_seconds.value(), 1, longest);
}

void check_grace(double seconds) {
    constexpr auto longest = (std::numeric_limits<std::int64_t>::max)();
    ContainerConfig config;
    auto const accepted =
        accepts("grace", [&] { config.drain_grace = std::chrono::duration<double>{seconds}; });
    fuzz::require(accepted == (seconds >= 0), "a grace period is not negative");
    if (accepted) check_length(seconds, config.drain_grace.value(), 0, longest);
}

template <typename Elements>
auto all(Elements rule) {
    return
        [rule](std::vector<std::string> const& list) { return std::all_of(list.begin(), list.end(), rule); };
}

bool is_command(std::vector<std::string> const& list) {
    return (list.empty() || !list.front().empty()) &&
           std::none_of(list.begin(), list.end(), [](auto const& argument) { return holds(argument, '\0'); });
}

std::vector<std::string> strings(std::string_view text) {
    auto const parts = fuzz::split(text, ',');
    return {parts.begin(), parts.end()};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::Input input{data, size};
    switch (input.byte()) {
    case 'w': {
        auto const text = input.rest();
        check_text("workspace_folder", &ContainerConfig::workspace_folder, text, is_workspace(text));
        check_text("host_sandbox_path", &ContainerConfig::host_sandbox_path, text,
                   text.empty() || is_directory(text));
        break;
    }
    case 'a': {
        auto const text = input.rest();
        check_text("container_id", &ContainerConfig::container_id, text, is_argument(text));
        check_text("image", &ContainerConfig::image, text, is_argument(text));
        check_text("user", &ContainerConfig::user, text, is_argument(text));
        break;
    }
    case 'm':
        check_mounts(input.rest());
        break;
    case 'l': {
        auto const list = strings(input.rest());
        check_list("forward_environment", &ContainerConfig::forward_environment, list, all(is_variable_name));
        check_list("tool_command", &ContainerConfig::tool_command, list, is_command);
        check_list("redact", &ContainerConfig::redact, list,
                   all([](auto const& text) { return !text.empty(); }));
        break;
    }
    case 'n': {
        auto const count = input.number<std::int64_t>();
        check_count("output_limit", &ContainerConfig::output_limit, count, 1);
        check_count("concurrency_limit", &ContainerConfig::concurrency_limit, count, 0);
        check_timeout(count);
        break;
    }
    default: {
        auto const seconds = input.number<double>();
        check_timeout(seconds);
        check_grace(seconds);
    }
    }
    return 0;
}
