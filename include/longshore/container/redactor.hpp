// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_REDACTOR_HPP
#define LONGSHORE_CONTAINER_REDACTOR_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// Replaces secrets by `[redacted]` in texts that people and logs get to see.
///
/// Every place where a secret stands goes, secrets that overlap or hold one another included. It knows the
/// secrets as they are, not encoded: a secret in base64 is another text, and belongs into the list as well.
///
/// Immutable; thread safe as any `const` object is.
class Redactor {
public:
    Redactor() = default;

    /// @param secrets the texts to replace; empty ones are left out.
    explicit Redactor(std::vector<std::string> secrets) : secrets_{std::move(secrets)} {
        std::erase_if(secrets_, [](std::string const& secret) { return secret.empty(); });
    }

    /// The text without the secrets.
    std::string operator()(std::string_view text) const {
        if (secrets_.empty()) return std::string{text};
        std::string redacted;
        std::size_t shown = 0;
        for (auto const& [begin, end] : places(text)) {
            redacted.append(text.substr(shown, begin - shown)).append(replacement);
            shown = end;
        }
        return redacted.append(text.substr(shown));
    }

    /// The same for a text whose end was cut off: the beginning of a secret at its end goes as well.
    std::string operator()(std::string_view text, bool cut) const {
        return (*this)(cut ? text.substr(0, text.size() - started_secret(text)) : text);
    }

private:
    using Place = std::pair<std::size_t, std::size_t>;
    static constexpr std::string_view replacement{"[redacted]"};

    // Where secrets stand, in order, those that overlap as one.
    std::vector<Place> places(std::string_view text) const {
        std::vector<Place> found;
        for (auto const& secret : secrets_)
            for (auto at = text.find(secret); at != std::string_view::npos; at = text.find(secret, at + 1))
                found.emplace_back(at, at + secret.size());
        std::sort(found.begin(), found.end());
        std::vector<Place> merged;
        for (auto const& place : found) {
            if (!merged.empty() && place.first < merged.back().second)
                merged.back().second = (std::max)(merged.back().second, place.second);
            else
                merged.push_back(place);
        }
        return merged;
    }

    // How many bytes at the end could be the beginning of a secret.
    std::size_t started_secret(std::string_view text) const {
        std::size_t longest = 0;
        for (auto const& secret : secrets_)
            for (auto length = (std::min)(secret.size() - 1, text.size()); length > longest; --length)
                if (text.ends_with(std::string_view{secret}.substr(0, length))) longest = length;
        return longest;
    }

    std::vector<std::string> secrets_{};
};

} // namespace longshore::inline v0

#endif
