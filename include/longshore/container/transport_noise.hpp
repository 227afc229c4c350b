// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_TRANSPORT_NOISE_HPP
#define LONGSHORE_CONTAINER_TRANSPORT_NOISE_HPP

#include <longshore/error.hpp>
#include <longshore/launch/outcome.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace longshore::inline v0 {

/// One thing that a container CLI or an engine says when a command could not be started.
struct NoiseMeaning {
    std::string_view text; ///< what it says, in lower case
    FailureKind kind;
    std::string_view hint;
};

/// What CLI and engine printed, without the white space around it.
inline std::string_view spoken_noise(LaunchOutcome const& outcome) noexcept {
    constexpr std::string_view blank{" \t\r\n"};
    std::string_view noise{outcome.transport_noise};
    auto const first = noise.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return noise.substr(first, noise.find_last_not_of(blank) - first + 1);
}

/// The first of the meanings whose text the noise holds, without regard to case. The failure's text is the
/// noise itself. Only for the `explain` of a `ContainerCli`: there the noise cannot come from a tool.
inline std::optional<Failure> meaning_of_noise(LaunchOutcome const& outcome,
                                               std::initializer_list<NoiseMeaning> meanings) {
    auto const noise = spoken_noise(outcome);
    std::string lower{noise};
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (auto const& meaning : meanings)
        if (lower.find(meaning.text) != std::string::npos)
            return Failure{meaning.kind, std::string{noise}, std::string{meaning.hint}};
    return std::nullopt;
}

} // namespace longshore::inline v0

#endif
