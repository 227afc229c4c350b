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

# Unpacks the files of one package, without those that it depends on, into a cache of the user, under the
# name $2. It needs no root. Where it cannot be had, that is told.
unpack_package() {
    local package=$1 folder=${XDG_CACHE_HOME:-$HOME/.cache}/longshore/$2 work
    [[ ! -d $folder ]] || return 0
    if ! has apt-get || ! has dpkg; then
        say "not unpacked, because that needs apt-get and dpkg: $package"
        return 1
    fi
    say "unpacking $package into $folder"
    mkdir -p "${folder%/*}"
    work=$(mktemp -d "$folder.XXXXXX")
    download_package "$package" "$work" && dpkg -x "$work/$package"_*.deb "$work/files" &&
        mv -T "$work/files" "$folder" || say "cannot unpack $package"
    rm -rf "$work"
    [[ -d $folder ]]
}

download_package() {
    (
        cd "$2"
        apt-get download -qq -o APT::Sandbox::User=root "$1" >/dev/null 2>&1 ||
            { can_install && apt-get update -qq >&2 && apt-get download -qq -o APT::Sandbox::User=root "$1" >&2; }
    )
}
