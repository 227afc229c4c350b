#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# The main job on a fresh Debian machine, set-up included: installs what is missing, builds two small programs, and
# runs a real tool over this project's own headers in a container.
#
#     sh examples/quickstart.sh                                  in a container of bubblewrap, made for the call
#     sh examples/quickstart.sh --engine docker --container ID   in one that exists (also podman, devcontainer)
#
# The result is JSON on stdout; progress goes to stderr. More options: see quickstart.cpp.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${LONGSHORE_QUICKSTART_BUILD:-$root/build/quickstart}

say() { echo "quickstart: $*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
        say "needs root to run: $*"
        exit 2
    fi
}

need_packages() {
    missing=
    command -v g++ >/dev/null || missing="$missing g++"
    [ -e /usr/include/boost/json/src.hpp ] && [ "$(sed -n 's/^#define BOOST_VERSION //p' /usr/include/boost/version.hpp)" -ge 108100 ] ||
        missing="$missing libboost1.81-dev"
    case " $* " in *" --engine "*) ;; *) command -v bwrap >/dev/null || missing="$missing bubblewrap" ;; esac
    [ -z "$missing" ] && return
    say "installing$missing"
    as_root apt-get update -qq >&2
    # shellcheck disable=SC2086 # one word a package
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}

# Builds $1 from examples/$1.cpp when a source is newer than the program.
build_program() {
    program=$build/$1
    shift_name=$1
    shift
    [ -x "$program" ] && [ -z "$(find "$root/include" "$root/examples" -newer "$program" -name '*.[ch]pp' | head -n 1)" ] && return
    say "building $shift_name"
    g++ -std=c++20 -O1 -I "$root/include" "$@" -o "$program.new"
    mv "$program.new" "$program"
}

need_packages "$@"
mkdir -p "$build"
if [ ! -e "$build/boost_json.o" ]; then
    say "building Boost.JSON, once"
    echo '#include <boost/json/src.hpp>' | g++ -std=c++20 -O1 -x c++ -c - -o "$build/boost_json.o"
fi
build_program toolbox -static "$root/examples/toolbox.cpp" "$build/boost_json.o"
build_program quickstart "$root/examples/quickstart.cpp" "$build/boost_json.o" -pthread
exec "$build/quickstart" --tools "$build/toolbox" --files "$root/include/longshore/launch" "$@"
