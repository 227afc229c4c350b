// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_UTC_TEXT_HPP
#define LONGSHORE_DETAIL_UTC_TEXT_HPP

#include <chrono>
#include <cstddef>
#include <string>

namespace longshore::inline v0::detail {

inline std::string padded(long long number, std::size_t width) {
    auto digits = std::to_string(number < 0 ? -number : number);
    if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
    return number < 0 ? "-" + digits : digits;
}

// A moment in UTC to the microsecond, as RFC 3339 has it: `2024-02-29T23:59:59.000001Z`. No local time and no
// locale can come into it.
inline std::string utc_text(std::chrono::system_clock::time_point moment) {
    using namespace std::chrono;
    auto const exact = floor<microseconds>(moment);
    auto const day = floor<days>(exact);
    year_month_day const date{day};
    hh_mm_ss const time{exact - day};
    return padded(int{date.year()}, 4) + '-' + padded(unsigned{date.month()}, 2) + '-' +
           padded(unsigned{date.day()}, 2) + 'T' + padded(time.hours().count(), 2) + ':' +
           padded(time.minutes().count(), 2) + ':' + padded(time.seconds().count(), 2) + '.' +
           padded(time.subseconds().count(), 6) + 'Z';
}

} // namespace longshore::inline v0::detail

#endif
