# SPDX-License-Identifier: BSL-1.0
# Functions for the test scripts, to be sourced: what Debian's packages bring, and what is said on the way.

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
skip() { say "skipped: $*"; }
has() { command -v "$1" >/dev/null 2>&1; }
can_install() { ((EUID == 0)) && has apt-get; }
installed() { [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | head -c 2) == ii ]]; }

# Installs what is missing of the packages named. Needs root; without it, what is missing is told.
install_packages() {
    local missing=() package
    for package in "$@"; do installed "$package" || missing+=("$package"); done
    ((${#missing[@]})) || return 0
    if ! can_install; then
        say "not installed, and installing needs root: ${missing[*]}"
        return 1
    fi
    say "installing ${missing[*]}"
    local options=(-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -qq -y --no-install-recommends)
    DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install "${missing[@]}" >/dev/null 2>&1 ||
        { apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install "${missing[@]}" >&2; }
}
