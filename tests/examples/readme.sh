#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# readme.sh FOLDER: the program of the README's first screen prints what the README says that it prints.
set -eu
programs=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v bwrap >/dev/null || { echo "skipped: no bubblewrap"; exit 77; }
if [ -e /tmp/sandbox ]; then echo "skipped: /tmp/sandbox is somebody's"; exit 77; fi
mkdir -m 700 /tmp/sandbox
trap 'rm -rf /tmp/sandbox' EXIT
cp "$programs/toolbox" /tmp/sandbox/toolbox
printf 'tools run inside\npaths map both ways\n' >/tmp/sandbox/notes.txt

"$programs/readme" >/tmp/sandbox/printed
sed -n '/^```json$/,/^```$/p' "$root/README.md" | sed '1d;$d' >/tmp/sandbox/promised
diff /tmp/sandbox/promised /tmp/sandbox/printed

sed -n '/^```cpp$/,/^```$/p;/^```json$/q' "$root/README.md" | sed '1d;$d' >/tmp/sandbox/shown
sed 1d "$root/examples/readme.cpp" | diff - /tmp/sandbox/shown
