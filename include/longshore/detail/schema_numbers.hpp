// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SCHEMA_NUMBERS_HPP
#define LONGSHORE_DETAIL_SCHEMA_NUMBERS_HPP

#include <longshore/json/boost_json.hpp>

#include <cmath>
#include <cstdint>

namespace longshore::inline v0::detail {

// valijson knows 64 bits with a sign, and takes 1.0 for no integer, which JSON Schema does.
inline void make_numbers_plain(boost::json::value& document) {
    constexpr auto beyond = 9223372036854775808.0; // 2^63
    if (auto* const members = document.if_object())
        for (auto& member : *members)
            make_numbers_plain(member.value());
    else if (auto* const elements = document.if_array())
        for (auto& element : *elements)
            make_numbers_plain(element);
    else if (auto const* const whole = document.if_uint64(); whole && *whole <= std::uint64_t{INT64_MAX})
        document = static_cast<std::int64_t>(*whole);
    else if (whole != nullptr)
        document = static_cast<double>(*whole);
    else if (auto const* const number = document.if_double();
             number && std::trunc(*number) == *number && *number >= -beyond && *number < beyond)
        document = static_cast<std::int64_t>(*number);
}

} // namespace longshore::inline v0::detail

#endif
