# SPDX-License-Identifier: BSL-1.0
# quickstart.sh FOLDER_OF_PROGRAMS: the quickstart in a bubblewrap container, and in a container of each engine that the
# environment names.
set -eu
programs=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
container=
cli=
clean_up() {
    [ -z "$container" ] || "$cli" rm -f "$container" >/dev/null
    rm -rf "$folder"
}
trap clean_up EXIT
ran=0

# quickstart OPTION...: succeeds, and names a file of the host that holds the pattern.
quickstart() {
    "$programs/quickstart" --tools "$programs/toolbox" --files "$here" --sandbox "$folder/sandbox" \
        --pattern 'succeeds, and names' "$@" >"$folder/result"
    grep -q '"success":true' "$folder/result" && grep -q "$folder/sandbox/files/quickstart.sh" "$folder/result" ||
        { echo "quickstart $*: $(cat "$folder/result")"; exit 1; }
    ran=$((ran + 1))
}

# in_container ENGINE CLI IMAGE: a container of the engine, with the CLI found by its plain name.
in_container() {
    [ -n "$2" ] || { echo "skipped: $1 is not named in the environment"; return; }
    cli=$2
    container=$("$cli" run -d --label longshore-test --network none --stop-signal KILL "$3" sleep 600)
    PATH=$(dirname "$cli"):$PATH quickstart --engine "$1" --container "$container"
    "$cli" rm -f "$container" >/dev/null
    container=
}

if bwrap --unshare-all --ro-bind / / true 2>/dev/null; then quickstart; else
    echo "skipped: bwrap is missing, or may not make a sandbox"
fi
in_container docker "${LONGSHORE_TEST_DOCKER:-}" "${LONGSHORE_TEST_IMAGE:-}"
in_container podman "${LONGSHORE_TEST_PODMAN:-}" "${LONGSHORE_TEST_IMAGE_PODMAN:-}"
[ "$ran" != 0 ] || exit 77
