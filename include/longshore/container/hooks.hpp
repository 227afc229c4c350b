// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_HOOKS_HPP
#define LONGSHORE_CONTAINER_HOOKS_HPP

#include <longshore/error.hpp>

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace longshore::inline v0 {

/// How much a log entry matters.
enum class LogLevel : std::uint8_t { debug, info, warning, error };

/// The enumerator's name, such as `"warning"`.
constexpr std::string_view to_string(LogLevel level) noexcept {
    switch (level) {
    case LogLevel::debug:
        return "debug";
    case LogLevel::info:
        return "info";
    case LogLevel::warning:
        return "warning";
    case LogLevel::error:
        return "error";
    }
    return "unknown";
}

/// What a span is about. The texts live as long as the callback runs.
struct SpanStart {
    std::string_view operation{};    ///< such as `execute_tool`
    std::string_view tool_name{};    ///< the tool, or the path of a file
    std::string_view container_id{}; ///< empty: the workspace decides
};

/// How what a span is about went.
struct SpanEnd {
    FailureKind failure_kind = FailureKind::none;
    int exit_code = 0;
    double duration_ms = 0;
};

/// What a program wants to hear of its executors and runners. All of it is optional.
///
/// Hooks are called on the thread that runs the call, from several threads at once when calls run at once.
/// What a hook throws is dropped: it never changes what becomes of a call. Secrets of `redact` never reach
/// them.
struct Hooks {
    /// One log entry.
    std::function<void(LogLevel, std::string_view)> log{};

    /// Called when something starts; what it returns is called when that has ended, and so can own a tracing
    /// library's span. It may return an empty function.
    std::function<std::function<void(SpanEnd const&)>(SpanStart const&)> span{};

    /// Tells `log`, if there is one.
    void tell(LogLevel level, std::string_view text) const noexcept {
        if (!log) return;
        try {
            log(level, text);
        } catch (...) { // a log that fails must not fail the call
        }
    }
};

/// One running span. Without `end` it tells nothing, as for a call that throws.
class Span {
public:
    Span(Hooks const& hooks, SpanStart const& start) noexcept {
        if (!hooks.span) return;
        try {
            end_ = hooks.span(start);
        } catch (...) { // as for a log
        }
    }

    void end(SpanEnd const& how) noexcept {
        if (!end_) return;
        try {
            std::exchange(end_, nullptr)(how);
        } catch (...) { // as for a log
        }
    }

private:
    std::function<void(SpanEnd const&)> end_{};
};

} // namespace longshore::inline v0

#endif
