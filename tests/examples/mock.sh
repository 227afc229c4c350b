#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# mock.sh FOLDER: the example's own checks hold, and each of them ran.
set -eu
"$1/mock" | tee /dev/stderr | grep -c '^ok: ' | grep -qx 4
