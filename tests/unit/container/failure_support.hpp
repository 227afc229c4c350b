// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_TESTS_UNIT_CONTAINER_FAILURE_SUPPORT_HPP
#define LONGSHORE_TESTS_UNIT_CONTAINER_FAILURE_SUPPORT_HPP

#include <longshore/container/failure.hpp>
#include <longshore/testing/mock_call.hpp>

#include <optional>
#include <string>

namespace support {

// What a call that went like this means.
struct Judged {
    longshore::ContainerConfig config{.container_id = "4f5e", .timeout_seconds = 30};

    longshore::LaunchRequest request() const {
        longshore::LaunchRequest request;
        request.command.arguments = {"lint"};
        request.command.working_directory = config.workspace_folder;
        request.timeout = config.timeout_seconds;
        request.no_output_timeout = config.no_output_timeout;
        request.guarded = config.guard;
        return request;
    }

    longshore::Failure operator()(longshore::MockCall const& call,
                                  std::optional<longshore::Failure> const& explanation = {}) const {
        auto const asked = request();
        return longshore::failure_of(asked, call.play(asked), config, explanation);
    }

    longshore::FailureKind kind(longshore::MockCall const& call) const { return (*this)(call).kind; }
};

inline bool mentions(std::string const& text, std::string const& word) {
    return text.find(word) != std::string::npos;
}

} // namespace support

#endif
