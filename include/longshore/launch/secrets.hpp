// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_SECRETS_HPP
#define LONGSHORE_LAUNCH_SECRETS_HPP

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// The two random names of one call, 128 bits each, unrelated, and never used again. The mark frames the
/// output and is told to the guard alone. The identity stands in the environment of all that the command
/// starts.
struct CallSecrets {
    std::string mark{};
    std::string identity{};

    /// Fresh ones. Throws what `std::random_device` throws where the system has no randomness.
    static CallSecrets make() {
        std::random_device device;
        auto mark = draw(device);
        return {std::move(mark), draw(device)};
    }

private:
    static std::string draw(std::random_device& device) {
        constexpr std::string_view digits = "0123456789abcdef";
        std::string text;
        text.reserve(32);
        while (text.size() < 32) {
            auto bits = std::uint32_t{device()};
            for (int digit = 0; digit < 8; ++digit, bits >>= 4)
                text += digits[bits & 15U];
        }
        return text;
    }
};

} // namespace longshore::inline v0

#endif
