#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# agent_tools.sh FOLDER: tools run where tool, plan, project and system say, and each execution is on the trail. The
# container is one of bubblewrap, and then one that exists where there is one.
set -eu
programs=$(cd "$1" && pwd)
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
mkdir "$work/sandbox"
cp "$programs/toolbox" "$work/sandbox/toolbox"
note=$work/sandbox/note.txt

fail() {
    echo "$*"
    cat "$work/printed"
    exit 1
}
# run STATUS ARGUMENT...: one program, with what it prints in `printed` and a trail of its own.
run() {
    wanted=$1
    shift
    rm -f "$work/trail"
    "$programs/agent_tools" --sandbox "$work/sandbox" --trail "$work/trail" "$@" >"$work/printed" 2>&1 &&
        status=0 || status=$?
    [ "$status" = "$wanted" ] || fail "agent_tools $* exited with $status, not $wanted:"
}
says() { grep -qF -- "$1" "$work/printed" || fail "no $1 in"; }
# ran_in N WORDS: the Nth execution on the trail has that environment and level.
ran_in() {
    line=$(sed -n "$1p" "$work/trail")
    case $line in *"\"environment\":$2,\"decided_by\":$3,"*) ;; *) fail "no $2 by $3 in $line, after" ;; esac
}

run 0
[ "$(sed 's/:.*//' "$work/printed" | tr '\n' ' ')" = 'file_read free_space grep save_note ' ] || fail 'not the tools:'

printf 'from the host\n' >"$note"
run 0 file_read "{\"path\":\"$note\"}" free_space '{}'
says '"content":"from the host\n"'
says '"output":{"result":'
ran_in 1 '"host"' '"system"'
ran_in 2 '"host"' '"tool"'

run 1 file_read '{}' file_read '{"path":NaN}' file_read "{\"path\":\"$note\"}"
says '"error":"Missing required input fields: path"'
says "JSON value at '/path' is NaN"
says '"content":"from the host\n"'
[ "$(wc -l <"$work/trail")" = 3 ] || fail 'not three records after'

run 1 --engine docker --execution-environment container file_read "{\"path\":\"$note\"}"
says 'no container resource is linked to the project'
run 2 no_such_tool '{}'
says 'no such tool is registered'
grep -q '"tool_name":"no_such_tool".*"failure_kind":"tool_not_found"' "$work/trail" || fail 'no record of it after'
run 2 --engine nothing file_read '{"path":"x"}'
says "unknown engine 'nothing'"
run 2 --execution-environment moon file_read '{"path":"x"}'
says "must be 'host' or 'container', not 'moon'"

# check NAME OPTION...: what one tool writes in the container the others find there, under the host's path.
check() {
    name=$1
    shift
    run 0 --engine "$name" "$@" --project-environment host --execution-environment container \
        save_note "{\"path\":\"$note\",\"content\":\"a needle in $name\\n\"}" \
        grep "{\"path\":\"$note\",\"pattern\":\"needle\"}" file_read "{\"path\":\"$note\"}"
    says "\"matches\":[{\"path\":\"$note\",\"line\":1,\"text\":\"a needle in $name\"}]"
    says "\"content\":\"a needle in $name\\n\""
    says '"exit_code":0'
    ran_in 1 '"container"' '"tool"'
    ran_in 3 '"container"' '"plan"'
    run 0 --engine "$name" "$@" --project-environment container file_read "{\"path\":\"$note\"}"
    ran_in 1 '"container"' '"project"'
    run 1 --engine "$name" "$@" grep '{"path":"/none","pattern":"x"}'
    says "there is no '/none'"
    echo "$name: works"
}

if command -v bwrap >/dev/null; then
    check bubblewrap
else
    echo "bubblewrap: skipped, it is not installed"
fi
for engine in "${LONGSHORE_TEST_DOCKER:-}" "${LONGSHORE_TEST_PODMAN:-}"; do
    [ -n "$engine" ] || continue
    name=docker image=${LONGSHORE_TEST_IMAGE:-}
    case $engine in *podman) name=podman image=${LONGSHORE_TEST_IMAGE_PODMAN:-} ;; esac
    case $engine in /*) PATH=${engine%/*}:$PATH ;; esac
    container=$($engine run -d "$image" sleep 600)
    $engine exec -i "$container" sh -c 'mkdir -p /workspace && cat >/workspace/toolbox && chmod 755 /workspace/toolbox' \
        <"$programs/toolbox"
    check "$name" --container "$container"
    remove_container
done
