// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TOOL_HOST_HANDLER_HPP
#define LONGSHORE_TOOL_HOST_HANDLER_HPP

#include <longshore/json/policy.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace longshore::inline v0 {

namespace detail {

// Text, and what says of itself that it is text, such as a path. A null pointer is neither.
template <typename T>
concept TextConvertible =
    std::convertible_to<T, std::string> && !std::same_as<std::remove_cvref_t<T>, std::nullptr_t>;

template <typename T, typename Json>
concept JsonDocument = std::same_as<T, typename Json::object> || std::same_as<T, typename Json::value>;

template <typename T, typename Json>
concept ConvertibleByLibrary = requires(T&& content) {
    { Json::from(std::forward<T>(content)) } -> std::same_as<typename Json::value>;
};

template <typename T, typename Json>
concept ConvertibleByPolicy = requires(T&& content) {
    { Json::make(std::forward<T>(content)) } -> std::same_as<typename Json::value>;
};

} // namespace detail

/// Something that becomes a JSON value: an object or a value of `Json`, text (a path included), a truth
/// value, a number, and whatever else the JSON library converts, as `Json::from` says: with Boost.JSON
/// containers, maps, tuples, optionals, variants, and types with a `tag_invoke` or a description.
template <typename T, typename Json>
concept JsonConvertible = detail::JsonDocument<std::remove_cvref_t<T>, Json> || detail::TextConvertible<T> ||
    detail::ConvertibleByLibrary<T, Json> || detail::ConvertibleByPolicy<T, Json>;

namespace detail {

template <JsonPolicy Json, JsonConvertible<Json> T>
typename Json::value json_value(T&& content) {
    if constexpr (std::same_as<std::remove_cvref_t<T>, typename Json::value>)
        return std::forward<T>(content);
    else if constexpr (std::same_as<std::remove_cvref_t<T>, typename Json::object>)
        return Json::make(std::forward<T>(content));
    else if constexpr (TextConvertible<T>) {
        std::string const text(std::forward<T>(content));
        return Json::make(std::string_view{text});
    } else if constexpr (ConvertibleByLibrary<T, Json>)
        return Json::from(std::forward<T>(content));
    else
        return Json::make(std::forward<T>(content));
}

// A tool's output out of what it returned: an object as it is, anything else under `result`.
template <JsonPolicy Json>
typename Json::object tool_output(typename Json::value content) {
    if (Json::kind(content) == JsonKind::object) return std::move(Json::as_object(content));
    typename Json::object output;
    Json::insert(output, "result", std::move(content));
    return output;
}

template <JsonPolicy Json, typename Call>
typename Json::object called_output(Call&& call) {
    using Returned = std::invoke_result_t<Call>;
    if constexpr (std::is_void_v<Returned>) {
        std::forward<Call>(call)();
        return {};
    } else if constexpr (std::same_as<std::remove_cvref_t<Returned>, typename Json::object>) {
        return std::forward<Call>(call)();
    } else {
        return tool_output<Json>(json_value<Json>(std::forward<Call>(call)()));
    }
}

template <typename Returned, typename Json>
concept HandlerReturn = std::is_void_v<Returned> || JsonConvertible<Returned, Json>;

} // namespace detail

/// A callable that can be a tool on the host: it takes the inputs, as a `Json::object const&`, and a
/// `std::stop_token const&` after them if it likes, and returns nothing or something `JsonConvertible`.
template <typename F, typename Json>
concept HostCallable =
    (std::invocable<F&, typename Json::object const&> &&
     detail::HandlerReturn<std::invoke_result_t<F&, typename Json::object const&>, Json>) ||
    (std::invocable<F&, typename Json::object const&, std::stop_token const&> &&
     detail::HandlerReturn<std::invoke_result_t<F&, typename Json::object const&, std::stop_token const&>,
                           Json>);

/// A tool that runs in this program: any `HostCallable`, held by value and shared between copies.
///
/// What it returns becomes the output: an object as it is, nothing as `{}`, and anything else under `result`.
/// What it throws becomes a failed result: that is how it says that it failed.
///
/// Thread safety: calls run at once when executions do, so the callable must allow it.
/// Source: container_tool_exec.feature, "ToolRunner normalises non-dict handler output".
template <JsonPolicy Json>
class HostHandler {
public:
    using object = typename Json::object;

    /// No handler: the tool has no host side.
    HostHandler() = default;

    template <typename F>
    requires(!std::same_as<std::remove_cvref_t<F>, HostHandler> && HostCallable<std::decay_t<F>, Json>)
        HostHandler(F&& callable)
        : held_{std::make_shared<Held<std::decay_t<F>>>(std::forward<F>(callable))} {}

    explicit operator bool() const noexcept { return held_ != nullptr; }

    /// The output for these inputs. Throws what the callable throws. There must be a handler.
    object operator()(object const& inputs, std::stop_token const& stop_token = {}) const {
        return held_->call(inputs, stop_token);
    }

private:
    struct Callable {
        Callable() = default;
        Callable(Callable const&) = delete;
        Callable& operator=(Callable const&) = delete;
        virtual ~Callable() = default;
        virtual object call(object const& inputs, std::stop_token const& stop_token) = 0;
    };

    template <typename F>
    struct Held final : Callable {
        template <typename G>
        explicit Held(G&& given) : callable(std::forward<G>(given)) {}

        object call(object const& inputs, [[maybe_unused]] std::stop_token const& stop_token) override {
            if constexpr (std::invocable<F&, object const&, std::stop_token const&>)
                return detail::called_output<Json>(
                    [&]() -> decltype(auto) { return callable(inputs, stop_token); });
            else
                return detail::called_output<Json>([&]() -> decltype(auto) { return callable(inputs); });
        }

        F callable;
    };

    std::shared_ptr<Callable> held_{};
};

} // namespace longshore::inline v0

#endif
