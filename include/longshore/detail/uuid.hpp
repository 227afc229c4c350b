// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_UUID_HPP
#define LONGSHORE_DETAIL_UUID_HPP

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// A UUID of version 7 (RFC 9562): the milliseconds of a moment, then 74 random bits, so that ids sort by time
// and no two processes need to know of each other, be they forks of one another or on different machines.
// Throws what `std::random_device` throws where the system has no randomness.
inline std::string uuid_v7(std::chrono::system_clock::time_point moment) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::random_device device;
    auto const random = [&] { return std::uint64_t{device()} << 32U | device(); };
    auto const since_epoch = std::chrono::floor<std::chrono::milliseconds>(moment.time_since_epoch());
    auto const time = static_cast<std::uint64_t>(since_epoch.count());
    std::uint64_t const halves[]{time << 16U | 0x7000U | (random() & 0xFFFU), (random() >> 2U) | 1ULL << 63U};
    std::string text;
    for (auto const half : halves)
        for (unsigned shift = 64; shift != 0; shift -= 4) {
            if (auto const size = text.size(); size == 8 || size == 13 || size == 18 || size == 23)
                text += '-';
            text += digits[half >> (shift - 4) & 0xFU];
        }
    return text;
}

} // namespace longshore::inline v0::detail

#endif
