#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# audit_trail.sh FOLDER: the table of a trail that agent_tools left, and of one that is damaged.
set -eu
programs=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# table TRAIL: prints it in `table` and what it complains of in `complaints`.
table() { "$programs/audit_trail" "$1" >table 2>complaints; }
# row N PATTERN: the Nth line of the table matches the whole extended regular expression.
row() {
    sed -n "$1p" table | grep -qxE -- "$2" || { printf 'no %s in row %s of\n' "$2" "$1"; cat table complaints; exit 1; }
}
when='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z'

"$programs/agent_tools" --sandbox "$work" --trail trail free_space '{}' file_read '{}' file_read '{"path":"none"}' >results &&
    exit 1
table trail
row 1 'WHEN +TOOL +ENVIRONMENT +EXIT +TIME +WHAT WENT WRONG'
row 2 "$when  free_space  host \(tool\) +-     [0-9.]+ ms +"
row 3 "$when  file_read   - +-     [0-9.]+ ms +invalid_input: Missing required input fields: path"
row 4 "$when  file_read   host \(system\) +-     [0-9.]+ ms +tool_failed: .*cannot open 'none'"
[ "$(wc -l <table)" = 4 ]
[ ! -s complaints ]

# What stands on a trail by hand: an exit status, metadata that was cut, and text that means to move the cursor.
record() {
    printf '{"started_at":"2026-01-02T03:04:05.000006Z","tool_name":"lint","duration_ms":%s,"environment":"container",' "$1"
    printf '"decided_by":"plan","success":%s,"failure_kind":"%s","error":%s,"container_metadata":%s}\n' "$2" "$3" "$4" "$5"
}
{
    record 12.345 true none null '{"exit_code":0}'
    echo 'no record at all'
    record 1500 false tool_failed '"two\nlines \u001b[2Jgone"' '{"exit_code":3}'
    record 1 false timed_out '"too slow"' '"{\"exit_co"'
    echo '{"tool_name":"lint"}'
    printf '{"started_at":"2026-01-02T03:0'
} >damaged
table damaged
row 2 '2026-01-02T03:04:05.000006Z  lint  container \(plan\)  0     12.3 ms    '
row 3 '2026-01-02T03:04:05.000006Z  lint  container \(plan\)  3     1500.0 ms  tool_failed: two lines  \[2Jgone'
row 4 '2026-01-02T03:04:05.000006Z  lint  container \(plan\)  -     1.0 ms     timed_out: too slow'
[ "$(wc -l <table)" = 4 ]
printf 'audit_trail: line 2 is no record\naudit_trail: line 5 is no record\naudit_trail: line 6 is unfinished\n' |
    diff - complaints

table none && exit 1 || [ $? = 2 ]
grep -qF "cannot open 'none'" complaints
