// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_CONTAINER_EXECUTE_OPTIONS_HPP
#define LONGSHORE_CONTAINER_EXECUTE_OPTIONS_HPP

#include <longshore/designated_only.hpp>
#include <longshore/launch/request.hpp>
#include <longshore/timeout.hpp>

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace longshore::inline v0 {

/// What one call has beside its tool and inputs, written with designated initialisers:
/// `executor.execute_tool("lint", inputs, {.timeout = 5s, .environment = {{"LEVEL", "2"}}})`.
struct ExecuteOptions {
    DesignatedOnly designated_only = DesignatedOnly{};

    /// Empty: the configuration's `timeout_seconds`.
    std::optional<Timeout> timeout = {};

    /// The longest silence of the tool. Empty: the configuration's.
    std::optional<Timeout> no_output_timeout = {};

    /// Variables of the tool, by name. They travel on standard input and stand on no command line, so they
    /// need the guard.
    std::map<std::string, std::string> environment = {};

    /// Where the tool starts: an absolute path of the host or of the container; a host path is mapped. Empty:
    /// the workspace folder.
    std::string working_directory = {};

    /// With a `concurrency_limit` it must not call the same executor: that call would wait for this one's
    /// turn to end. Gets what the tool writes while it runs, in order, on the thread that drives the call.
    /// Returning `Flow::stop` ends the call as cancelled. What it throws leaves `execute_tool` once nothing
    /// is left running.
    std::function<Flow(Stream, std::string_view)> on_output = {};

    /// Ends the call, or its wait for its turn, when a stop is requested.
    std::stop_token stop_token = {};
};

} // namespace longshore::inline v0

#endif
