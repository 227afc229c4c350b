// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_UNIT_LAUNCH_CALL_MACHINE_SUPPORT_HPP
#define LONGSHORE_TESTS_UNIT_LAUNCH_CALL_MACHINE_SUPPORT_HPP

#include <longshore/launch/call_machine.hpp>

#include <string>
#include <utility>

namespace call_machine_support {

using namespace std::chrono_literals;

inline constexpr longshore::Instant start = 1000h;
inline std::string const word = "\036MARK ";

inline longshore::LaunchRequest request(std::string input = "{}") {
    longshore::LaunchRequest request;
    request.transport.arguments = {"/usr/bin/docker", "exec", "-i", "c"};
    request.command.arguments = {"tool"};
    request.input = std::move(input);
    request.timeout = 10;
    return request;
}

inline longshore::CallMachine machine_for(longshore::LaunchRequest const& request) {
    return longshore::CallMachine{request, {"MARK", "IDENTITY"}, start};
}

inline void write_all(longshore::CallMachine& machine, longshore::Instant now = start) {
    while (!machine.wants().write.empty())
        machine.written(machine.wants().write.size(), now);
}

inline void both(longshore::CallMachine& machine, std::string const& text, longshore::Instant now = start) {
    machine.received(longshore::Stream::error, word + text + "\n", now);
    machine.received(longshore::Stream::output, word + text + "\n", now);
}

inline void close_all(longshore::CallMachine& machine, int status, longshore::Instant now) {
    machine.exited(status, now);
    machine.ended(longshore::Stream::output, now);
    machine.ended(longshore::Stream::error, now);
}

} // namespace call_machine_support

#endif
