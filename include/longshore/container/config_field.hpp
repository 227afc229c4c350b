// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_CONFIG_FIELD_HPP
#define LONGSHORE_CONTAINER_CONFIG_FIELD_HPP

#include <longshore/error.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace longshore::inline v0 {

/// Text that checks itself whenever it is set, at first and on every later assignment. `Rule::validate(text)`
/// throws `ValueError` that names the field and the value. A value type with the thread safety of a
/// `std::string`.
template <typename Rule>
class TextField {
public:
    TextField() = default;
    TextField(char const* text) : TextField{std::string{text}} {}
    TextField(std::string_view text) : TextField{std::string{text}} {}
    TextField(std::string text) : text_{std::move(text)} { Rule::validate(text_); }

    std::string const& string() const noexcept { return text_; }
    bool empty() const noexcept { return text_.empty(); }
    operator std::string const&() const noexcept { return text_; }
    operator std::string_view() const noexcept { return text_; }

    friend bool operator==(TextField const&, TextField const&) = default;
    template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, TextField>) friend bool operator==(TextField const& field,
                                                                    Text const& text) {
        return std::string_view{field.text_} == std::string_view{text};
    }

private:
    std::string text_{};
};

/// A list that checks each of its elements whenever it is set. `Rule::validate(elements)` throws `ValueError`
/// that names the field and the element.
template <typename Element, typename Rule>
class ListField {
public:
    ListField() = default;
    ListField(std::initializer_list<Element> elements) : ListField{std::vector<Element>(elements)} {}
    ListField(std::vector<Element> elements) : elements_{std::move(elements)} { Rule::validate(elements_); }

    std::vector<Element> const& values() const noexcept { return elements_; }
    operator std::vector<Element> const&() const noexcept { return elements_; }
    bool empty() const noexcept { return elements_.empty(); }
    std::size_t size() const noexcept { return elements_.size(); }
    auto begin() const noexcept { return elements_.begin(); }
    auto end() const noexcept { return elements_.end(); }

    friend bool operator==(ListField const&, ListField const&) = default;

private:
    std::vector<Element> elements_{};
};

/// A whole number that is never negative. `Rule::validate(value)` throws `ValueError` for other values that
/// the field cannot have, and `Rule::name` is the field's name.
template <typename Rule>
class CountField {
public:
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) constexpr CountField(Integer value)
        : value_{static_cast<std::size_t>(value)} {
        if (!std::in_range<std::size_t>(value))
            throw ValueError{std::string{Rule::name} + " must not be negative: " + std::to_string(value)};
        Rule::validate(value_);
    }

    constexpr std::size_t value() const noexcept { return value_; }
    constexpr operator std::size_t() const noexcept { return value_; }

    friend constexpr bool operator==(CountField const&, CountField const&) = default;

private:
    std::size_t value_;
};

/// A length of time that may be zero but not negative, from any `std::chrono` duration. Lengths beyond 292
/// years are held there. Throws `ValueError` for a negative length and for NaN.
class Grace {
public:
    using duration = std::chrono::nanoseconds;

    template <typename Rep, typename Period>
    constexpr Grace(std::chrono::duration<Rep, Period> length)
        : value_{checked(std::chrono::duration<long double, std::nano>{length}.count())} {}

    constexpr duration value() const noexcept { return value_; }

    friend constexpr bool operator==(Grace const&, Grace const&) = default;

private:
    static constexpr duration checked(long double nanoseconds) {
        if (!(nanoseconds >= 0)) throw ValueError{"a grace period must not be negative"};
        constexpr auto longest = (duration::max)();
        if (nanoseconds >= static_cast<long double>(longest.count())) return longest;
        return duration{static_cast<duration::rep>(nanoseconds)};
    }

    duration value_;
};

} // namespace longshore::inline v0

#endif
