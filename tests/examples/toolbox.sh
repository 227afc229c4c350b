#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# toolbox.sh FOLDER: every tool of the toolbox on real files, and its failures.
set -eu
toolbox=$(cd "$1" && pwd)/toolbox
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p notes/deep
printf 'one two\nthree\n' >notes/a.txt
printf 'THREE \377 four\n' >notes/deep/b.txt
ln -s /etc/passwd notes/link

expect() {
    wanted=$1 tool=$2 inputs=$3
    got=$(printf '%s' "$inputs" | "$toolbox" "$tool")
    [ "$got" = "$wanted" ] || { printf '%s %s\nwanted %s\ngot    %s\n' "$tool" "$inputs" "$wanted" "$got"; exit 1; }
}
refuse() {
    wanted=$1 status=$2 tool=$3 inputs=$4
    got=$(printf '%s' "$inputs" | "$toolbox" "$tool" 2>&1) && code=0 || code=$?
    case $got in *"$wanted"*) ;; *) printf '%s %s\nwanted %s\ngot    %s\n' "$tool" "$inputs" "$wanted" "$got"; exit 1 ;; esac
    [ "$code" = "$status" ] || { echo "$tool exited with $code, not $status"; exit 1; }
}

expect '{"path":"notes/a.txt","content":"one two\nthree\n","bytes":14,"truncated":false}' file_read '{"path":"notes/a.txt"}'
expect '{"path":"notes/a.txt","content":"one","bytes":14,"truncated":true}' file_read '{"path":"notes/a.txt","max_bytes":3}'
expect '{"path":"notes/deep/b.txt","content":"THREE ? four\n","bytes":13,"truncated":false}' file_read '{"path":"notes/deep/b.txt"}'
expect '{"path":"new/c.txt","bytes":6}' file_write '{"path":"new/c.txt","content":"hello\n"}'
[ "$(cat new/c.txt)" = hello ]
expect '{"matches":[{"path":"notes/a.txt","line":2,"text":"three"}],"match_count":1,"files_searched":2}' grep '{"path":"notes","pattern":"t.?ree"}'
expect '{"matches":[{"path":"notes/a.txt","line":2,"text":"three"}],"match_count":2,"files_searched":2}' grep '{"path":"notes","pattern":"three","ignore_case":true,"max_matches":1}'
expect '{"files":[{"path":"notes/a.txt","bytes":14},{"path":"notes/deep/b.txt","bytes":13}]}' list_files '{"path":"notes"}'
expect '{"lines":3,"words":6,"bytes":27,"files":["notes/a.txt","notes/deep/b.txt"]}' word_count '{"path":"notes"}'

refuse "Missing required input fields: path, content" 2 file_write '{}'
refuse "Input field 'path' must be string, not integer" 2 word_count '{"path":3}'
refuse "input 'max_bytes' must be a whole number from 0 on" 1 file_read '{"path":"notes/a.txt","max_bytes":-1}'
refuse "No such file or directory" 1 file_read '{"path":"none"}'
refuse "is a directory" 1 file_read '{"path":"notes"}'
refuse "there is no 'none'" 1 grep '{"path":"none","pattern":"x"}'
refuse "pattern '('" 1 grep '{"path":"notes","pattern":"("}'
refuse "inputs must be a dict, that is a JSON object" 2 grep '[1]'
refuse "usage: toolbox NAME" 2 no_such_tool '{}'

"$toolbox" 2>listed && exit 1 || [ $? = 2 ]
[ "$(sed -n 's/^  \([a-z_]*\): ..*/\1/p' listed | tr '\n' ' ')" = "file_read file_write grep list_files word_count " ]
