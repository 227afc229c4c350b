// SPDX-License-Identifier: BSL-1.0
#include <longshore/environment/execution_environment.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using longshore::ExecutionEnvironment;
using longshore::parse_execution_environment;

TEST_CASE("an execution environment is read in capitals and small letters") {
    CHECK(parse_execution_environment("container") == ExecutionEnvironment::container);
    CHECK(parse_execution_environment("CONTAINER") == ExecutionEnvironment::container);
    CHECK(parse_execution_environment("Host") == ExecutionEnvironment::host);
    for (auto const environment : {ExecutionEnvironment::host, ExecutionEnvironment::container})
        CHECK(parse_execution_environment(to_string(environment)) == environment);
}

TEST_CASE("what is no execution environment is refused and shown") {
    for (std::string_view const text : {"", "containers", "hos", " host", "host\n", "docker"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_execution_environment(text), longshore::ValueError);
    }
    CHECK_THROWS_WITH(parse_execution_environment("vm\n"),
                      "execution_environment must be 'host' or 'container', not 'vm\\x0a'");
}
