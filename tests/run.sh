#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# run.sh [--extended] [ctest options]
#
# Builds everything with g++ and runs every test. On a fresh Debian 12 machine, as root, it installs what is missing
# and brings up a dockerd, podman and the devcontainer CLI for the time of the run. An ordinary user gets what the
# machine has; what cannot run is skipped, and the reason is printed.
#
#   --extended   also the long tests (ctest's label `extended`)
#   LONGSHORE_TEST_REQUIRE_ENGINES=1   in the environment: a missing engine or header is a failure, not a skip
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # `sh tests/run.sh` is what the README says
set -euo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/packages.sh
dockerd_started=0

selection=(-LE extended)
if [[ ${1:-} == --extended ]]; then
    selection=()
    shift
fi

install_packages g++ cmake ninja-build python3 libboost1.81-dev doctest-dev nlohmann-json3-dev clang-format meson \
    pkg-config bubblewrap busybox-static strace || say "going on with what is there"
# Its headers alone are wanted, and the package depends on a dozen libraries.
unpack_package libvalijson-dev valijson || [[ -z ${LONGSHORE_TEST_REQUIRE_ENGINES:-} ]]

stop_engines() { ((dockerd_started == 0)) || tests/integration/engines.sh down; }
trap stop_engines EXIT
engines=$(tests/integration/engines.sh up)
eval "$engines"

cmake --preset gcc
cmake --build --preset gcc
ctest --preset gcc -j 2 "${selection[@]}" "$@"
