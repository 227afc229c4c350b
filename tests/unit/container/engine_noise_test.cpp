// SPDX-License-Identifier: BSL-1.0
#include <longshore/container/engine_noise.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using longshore::FailureKind;

namespace {

FailureKind kind_of(int exit, std::string noise) {
    auto const failure =
        longshore::meaning_of_engine_noise({.transport_exit = exit, .transport_noise = std::move(noise)});
    return failure ? failure->kind : FailureKind::none;
}

} // namespace

TEST_CASE("an engine that has no such running container makes the container unavailable") {
    constexpr auto unavailable = FailureKind::container_unavailable;
    CHECK(kind_of(1, "Error: No such container: 4f5e") == unavailable);
    CHECK(kind_of(125, "Error: no container with name or ID \"x\" found: no such container") == unavailable);
    CHECK(kind_of(1, "Error response from daemon: Container 4f5e is not running") == unavailable);
    CHECK(kind_of(255,
                  "Error: can only create exec sessions on running containers: container state improper") ==
          unavailable);
    CHECK(kind_of(1, "Error response from daemon: Container 4f5e is paused, unpause it") == unavailable);
    CHECK(kind_of(126,
                  "OCI runtime exec failed: exec failed: chdir to cwd (\"/w\") set in config.json failed: "
                  "no such file or directory") == unavailable);
    CHECK(kind_of(126, "OCI runtime exec failed: cannot exec in a stopped container") == unavailable);
}

TEST_CASE("an engine that cannot be reached, or cannot do what was asked, makes the CLI fail") {
    constexpr auto failed = FailureKind::cli_failed;
    CHECK(kind_of(1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.") == failed);
    CHECK(kind_of(1, "error during connect: Get http://host") == failed);
    CHECK(kind_of(125, "Error: unable to connect to Podman socket") == failed);
    CHECK(kind_of(126, "unable to find user me: no matching entries in passwd file\r\n") == failed);
    CHECK(kind_of(126, "OCI runtime exec failed: exec failed: something new: unknown\r\n") == failed);
}

TEST_CASE("a container without a shell has no such tool, and the hint names the way out") {
    auto const failure = longshore::meaning_of_engine_noise(
        {.transport_exit = 127,
         .transport_noise = "Error: runc: exec failed: exec: \"sh\": executable file not found in $PATH: OCI "
                            "runtime attempted to invoke a command that was not found"});
    REQUIRE(failure.has_value());
    CHECK(failure->kind == FailureKind::tool_not_found);
    CHECK(failure->hint.find("guard = false") != std::string::npos);
}

TEST_CASE("an engine's unknown words mean nothing") {
    CHECK(kind_of(1, "surprise") == FailureKind::none);
    CHECK(kind_of(1, "") == FailureKind::none);
}
