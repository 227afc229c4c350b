// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_SUPPORT_LAUNCH_HPP
#define LONGSHORE_TESTS_SUPPORT_LAUNCH_HPP

#include <longshore/launch/outcome.hpp>
#include <longshore/launch/request.hpp>

#include <support/temporary_directory.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

// Requests as the tests of launchers make them.
namespace support {

// A command on this host.
inline longshore::LaunchRequest on_host(std::vector<std::string> arguments) {
    longshore::LaunchRequest request;
    request.transport.environment = {"PATH=/usr/bin:/bin"};
    request.command.arguments = std::move(arguments);
    request.timeout = 60;
    return request;
}

inline longshore::LaunchRequest script_on_host(std::string const& script) {
    return on_host({"/bin/sh", "-c", script});
}

// Both ways of running a command on this host.
inline std::vector<longshore::LaunchRequest> guarded_and_not(longshore::LaunchRequest request) {
    auto plain = request;
    plain.guarded = false;
    return {std::move(request), std::move(plain)};
}

// A transport that is a script of the test. "$@" is what it was asked to run.
class FakeCli {
public:
    explicit FakeCli(std::string const& script)
        : path_{
              directory_.write("cli", "#!/bin/sh\ncd '" + directory_.path() + "'\n" + script + '\n', 0755)} {}

    longshore::LaunchRequest call(std::vector<std::string> arguments) const {
        auto request = on_host(std::move(arguments));
        request.transport.arguments = {path_};
        return request;
    }
    longshore::LaunchRequest call_script(std::string const& script) const {
        return call({"/bin/sh", "-c", script});
    }

    // Where the script runs.
    TemporaryDirectory const& directory() const noexcept { return directory_; }

private:
    TemporaryDirectory directory_{};
    std::string path_;
};

// Shell text that leaves behind a sleep in a session of its own, and goes on only once it has that. It writes
// into its working directory.
inline std::string leave_behind_sleep(std::string const& seconds) {
    return "rm -f gone; mkfifo gone; setsid sh -c 'echo >gone; exec sleep " + seconds +
           "' & read -r line <gone; ";
}

// What a machine under load may add to a bound; far less than any hang.
inline constexpr std::chrono::seconds scheduling{4};

// No call may take longer, whatever happens to it.
inline std::chrono::nanoseconds longest(longshore::LaunchRequest const& request) {
    return request.timeout.value() + request.kill_grace + request.drain_grace + std::chrono::seconds{1} +
           scheduling;
}

} // namespace support

#endif
