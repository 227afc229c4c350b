// SPDX-License-Identifier: BSL-1.0
#include <longshore/detail/schema_numbers.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using longshore::BoostJson;

BoostJson::value plain(BoostJson::value document) {
    longshore::detail::make_numbers_plain(document);
    return document;
}

} // namespace

TEST_CASE("a whole number becomes one with a sign, whatever held it") {
    CHECK(plain(5.0).is_int64());
    CHECK(plain(std::uint64_t{5}).is_int64());
    CHECK(plain(-9223372036854775808.0) == BoostJson::value(INT64_MIN));
    CHECK(plain(5.5) == BoostJson::value(5.5));
    CHECK(plain("5.0") == BoostJson::value("5.0"));
}

TEST_CASE("a whole number beyond 64 bits with a sign becomes a double, or stays one") {
    CHECK(plain(std::uint64_t{1} << 63) == BoostJson::value(9223372036854775808.0));
    CHECK(plain(9223372036854775808.0).is_double());
    CHECK(plain(1e300).is_double());
}

TEST_CASE("numbers become plain at any place of a document") {
    auto const document = plain({{"a", {1.0, {{"b", 2.0}}}}});
    CHECK(document.at("a").at(0).is_int64());
    CHECK(document.at("a").at(1).at("b").is_int64());
}
