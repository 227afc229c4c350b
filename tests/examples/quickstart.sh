#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# quickstart.sh FOLDER: the main job in bubblewrap and in a container that exists where there is one.
set -eu
programs=$1
work=$(mktemp -d)
container=
remove_container() {
    [ -n "$container" ] || return 0
    $engine kill "$container" >/dev/null
    $engine rm -f "$container" >/dev/null
    container=
}
stop() {
    remove_container
    rm -rf "$work"
}
trap stop EXIT
mkdir "$work/files"
printf 'a needle here\nnothing\n' >"$work/files/hay.txt"

# check NAME OPTION...: the answer names the host's file, the tool saw the container's.
check() {
    name=$1
    shift
    "$programs/quickstart" --tools "$programs/toolbox" --files "$work/files" --sandbox "$work/sandbox" \
        --pattern needle --engine "$name" "$@" >"$work/result" 2>"$work/progress" || { cat "$work/result" "$work/progress"; exit 1; }
    for expected in '"success":true' "\"matches\":[{\"path\":\"$work/sandbox/files/hay.txt\",\"line\":1,\"text\":\"a needle here\"}]" \
        '"exit_code":0' '"container_process_killed":"yes"'; do
        grep -qF -- "$expected" "$work/result" || { echo "$name: no $expected in"; cat "$work/result"; exit 1; }
    done
    echo "$name: works"
}

if command -v bwrap >/dev/null; then
    check bubblewrap
    grep -qF '/workspace/files/hay.txt' "$work/result"
else
    echo "bubblewrap: skipped, it is not installed"
fi
for engine in "${LONGSHORE_TEST_DOCKER:-}" "${LONGSHORE_TEST_PODMAN:-}"; do
    [ -n "$engine" ] || continue
    name=docker image=${LONGSHORE_TEST_IMAGE:-}
    case $engine in *podman) name=podman image=${LONGSHORE_TEST_IMAGE_PODMAN:-} ;; esac
    case $engine in /*) PATH=${engine%/*}:$PATH ;; esac
    container=$($engine run -d "$image" sleep 600)
    check $name --container "$container"
    remove_container
done

"$programs/quickstart" --engine nothing --tools x --files y 2>&1 | grep -q "unknown engine 'nothing'\|there is no\|cannot copy"
