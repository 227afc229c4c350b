# SPDX-License-Identifier: BSL-1.0
# toolbox.sh FOLDER_OF_PROGRAMS: each kind of call of the toolbox by itself.
set -eu
toolbox=$1/toolbox
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "toolbox: $*" >&2; exit 1; }

printf 'two words\n' >"$folder/notes.txt"
counted=$(printf '{"path": "%s"}' "$folder/notes.txt" | "$toolbox" word_count)
[ "$counted" = "{\"lines\":1,\"words\":2,\"bytes\":10,\"files\":[\"$folder/notes.txt\"]}" ] || fail "word_count: $counted"

status=0
printf '{"path": "%s"}' "$folder/missing.txt" | "$toolbox" word_count 2>"$folder/error" || status=$?
[ "$status" = 1 ] && grep -q missing.txt "$folder/error" || fail "a missing file: status $status"

status=0
echo '{}' | "$toolbox" no_such_tool 2>"$folder/error" || status=$?
[ "$status" = 2 ] && grep -q word_count "$folder/error" || fail "an unknown tool: status $status"
