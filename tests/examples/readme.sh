# SPDX-License-Identifier: BSL-1.0
# readme.sh FOLDER_OF_PROGRAMS: the first program of the README does what the README says, in a bubblewrap container.
set -eu
programs=$1
bwrap --unshare-all --ro-bind / / true 2>/dev/null || { echo "skipped: bwrap is missing, or may not make a sandbox"; exit 77; }
sandbox=/tmp/sandbox # the program's own
if [ -e "$sandbox" ]; then
    [ -O "$sandbox" ] && [ ! -L "$sandbox" ] || { echo "skipped: $sandbox belongs to somebody else"; exit 77; }
else
    mkdir -m 700 "$sandbox"
    trap 'rm -rf "$sandbox"' EXIT
fi
cp "$programs/toolbox" "$sandbox/toolbox"
printf 'Containers come and go.\nTools stay put.\n' >"$sandbox/notes.txt"
printed=$("$programs/readme")
expected='{"lines":2,"words":7,"bytes":40,"files":["/tmp/sandbox/notes.txt"]}'
[ "$printed" = "$expected" ] || { echo "printed  $printed"; echo "expected $expected"; exit 1; }
