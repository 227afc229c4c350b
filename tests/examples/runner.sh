#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# runner.sh FOLDER: the program prints what the README says that it prints, and leaves three records.
set -eu
programs=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v bwrap >/dev/null || { echo "skipped: no bubblewrap"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir sandbox
cp "$programs/toolbox" sandbox/toolbox
printf 'tools run inside\npaths map both ways\n' >sandbox/notes.txt

"$programs/runner" "$work/sandbox" | sed "s|$work/sandbox|/tmp/sandbox|" >printed
sed -n '/^```text$/,/^```$/p' "$root/README.md" | sed '1d;$d' | diff - printed
[ "$(grep -c '"tool_name":"file_size"' trail.jsonl)" = 2 ]
[ "$(grep -c '"tool_name":"word_count".*"environment":"container","decided_by":"tool","success":true' trail.jsonl)" = 1 ]
