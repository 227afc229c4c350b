// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_TEMPORARY_NAME_HPP
#define LONGSHORE_DETAIL_TEMPORARY_NAME_HPP

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace longshore::inline v0::detail {

// Temporaries are known by their names: `.longshore-` and 16 hexadecimal digits and `.part`.
inline constexpr std::string_view temporary_prefix = ".longshore-";
inline constexpr std::string_view temporary_suffix = ".part";
inline constexpr std::string_view temporary_digits = "0123456789abcdef";
inline constexpr std::size_t temporary_digit_count = 16;

// A fresh one. It need not be secret: the file is created only where nothing of the name stands.
inline std::string temporary_name() {
    std::random_device device;
    auto bits = (std::uint64_t{device()} << 32U) | std::uint32_t{device()};
    std::string name{temporary_prefix};
    for (std::size_t digit = 0; digit < temporary_digit_count; ++digit, bits >>= 4U)
        name += temporary_digits[bits & 15U];
    return name.append(temporary_suffix);
}

constexpr bool is_temporary_name(std::string_view name) noexcept {
    if (name.size() != temporary_prefix.size() + temporary_digit_count + temporary_suffix.size() ||
        !name.starts_with(temporary_prefix) || !name.ends_with(temporary_suffix))
        return false;
    auto const digits = name.substr(temporary_prefix.size(), temporary_digit_count);
    return digits.find_first_not_of(temporary_digits) == std::string_view::npos;
}

} // namespace longshore::inline v0::detail

#endif
