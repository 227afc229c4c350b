#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# collect_results.sh FOLDER: a tree of results comes from this host's shell, and from containers where there are any.
set -eu
program=$1/collect_results
work=$(mktemp -d)
container=
remove_container() {
    [ -n "$container" ] || return 0
    $engine rm -f "$container" >/dev/null
    container=
}
stop() {
    remove_container
    rm -rf "$work"
}
trap stop EXIT

fail() { echo "$1"; cat "$work/said" "$work/progress"; exit 1; }

# check NAME OPTION...: all files are there, whole and private; the link is told and left out.
check() {
    name=$1
    shift
    rm -rf "$work/sandbox"
    "$program" --engine "$name" --sandbox "$work/sandbox" "$@" >"$work/said" 2>"$work/progress" || fail "$name failed"
    out=$work/sandbox/out
    [ "$(cat "$work/said")" = "$out: 7.6 MiB in 5 directories" ] || fail "$name: another result"
    [ "$(find "$out" -type f | wc -l)" = 25 ] || fail "$name: not all files came"
    [ "$(find "$out" -type f -perm 600 | wc -l)" = 25 ] || fail "$name: files for others"
    [ "$(cat "$out/objects/net/7.o")" = "object net 7" ] || fail "$name: another content"
    [ "$(wc -c <"$out/program")" = 8000000 ] || fail "$name: another size"
    [ "$(grep -c '^came      ' "$work/progress")" = 25 ] || fail "$name: not a line for each file"
    grep -q '^left out  .*/out/latest. is a symbolic link, which is not followed$' "$work/progress" || fail "$name: no word of the link"
    echo "$name: works"
}

check host --workspace "$work/workspace"

# On a terminal one line is drawn anew.
if command -v script >/dev/null; then
    script -qec "'$program' --engine host --workspace '$work/workspace' --sandbox '$work/sandbox'" /dev/null >"$work/said" </dev/null
    grep -q '\[##*\.*\] [0-9.]* MiB  ' "$work/said" || fail "no bar on a terminal"
    ! grep -q '^came ' "$work/said" || fail "plain lines on a terminal"
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

"$program" --engine nothing 2>&1 | grep -q "unknown engine 'nothing'"
