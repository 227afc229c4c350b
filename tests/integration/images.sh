#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# images.sh full|busybox OUT.tar
# Writes the root file system of a test image, from Debian packages that are installed on this machine: no network,
# no root, about a second. `full` has bash, coreutils, procps, util-linux and python3; `busybox` has nothing else.
set -euo pipefail
kind=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

# Packages of the full image, with what they depend on, less what only installation scripts need.
wanted=(base-files base-passwd libc-bin bash dash coreutils sed grep findutils tar gzip procps util-linux hostname
    python3.11-minimal libpython3.11-stdlib busybox-static)
unwanted='^(debconf|dpkg|perl|perl-base|media-types|mime-support|init-system-helpers|util-linux-extra|libpam.*|tzdata|ca-certificates|openssl|install-info|cdebconf)$'
left_out='^/usr/share/(doc|man|locale|info|lintian|bug|common-licenses|python3|menu)|^/etc/(skel|systemd|init\.d|logrotate\.d|pam\.d|apt|dpkg|kernel|default|cron)|/systemd/|^/(boot|var|mnt|srv|media|opt|home|root|tmp|run|proc|sys|dev)(/|$)'

installed() { [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | head -c 2) == ii ]]; }

# The names of `wanted` and of all installed packages that they depend on.
closure() {
    local -A seen=()
    local queue=("${wanted[@]}") package dependency
    while ((${#queue[@]})); do
        package=${queue[0]} queue=("${queue[@]:1}")
        [[ -z ${seen[$package]:-} && ! $package =~ $unwanted ]] && installed "$package" || continue
        seen[$package]=1
        while read -r dependency; do [[ -n $dependency ]] && queue+=("$dependency"); done < <(
            dpkg-query -W -f='${Pre-Depends},${Depends}\n' "$package" | head -1 | tr ',|' '\n\n' |
                sed -E 's/^ *([a-z0-9.+-]+).*/\1/')
    done
    printf '%s\n' "${!seen[@]}"
}

# Files of the packages, below usr/ also where a package still says /bin.
package_files() {
    local file
    closure | xargs dpkg -L | grep '^/' | grep -v '^/\.$' | grep -vE "$left_out" | sort -u | while read -r file; do
        [[ -f $file || -L $file ]] || continue
        case $file in
            /bin/* | /sbin/* | /lib/* | /lib64/*) echo "usr$file" ;;
            *) echo "${file#/}" ;;
        esac
    done | sort -u
}

folders() {
    mkdir -p "$root"/usr/{bin,sbin,lib,lib64,share} "$root"/{etc,tmp,run,proc,sys,dev,root,workspace,home/vscode} \
        "$root"/var/tmp
    local name
    for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
    chmod 1777 "$root/tmp" "$root/var/tmp"
    chmod 700 "$root/root"
    chmod 755 "$root"
}

users() {
    printf '%s\n' "root:x:0:0:root:/root:$1" "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin" \
        "vscode:x:1000:1000::/home/vscode:$1" >"$root/etc/passwd"
    printf '%s\n' root:x:0: nogroup:x:65534: vscode:x:1000: >"$root/etc/group"
}

full() {
    local package
    for package in "${wanted[@]}"; do
        installed "$package" || { echo "images.sh: package $package is not installed" >&2; exit 1; }
    done
    package_files >"$work/list"
    tar -C / --no-recursion -cf - -T "$work/list" | tar -C "$root" -xf -
    [[ -e $root/usr/bin/python3 ]] || ln -s python3.11 "$root/usr/bin/python3"
    users /bin/bash
}

busybox_only() {
    local busybox name
    busybox=$(command -v busybox)
    cp "$busybox" "$root/usr/bin/busybox"
    for name in $("$busybox" --list); do [[ $name == busybox ]] || ln -s busybox "$root/usr/bin/$name"; done
    users /bin/sh
}

folders
case $kind in
    full) full ;;
    busybox) busybox_only ;;
    *) echo "usage: images.sh full|busybox OUT.tar" >&2; exit 2 ;;
esac
tar -C "$root" --numeric-owner --owner=0 --group=0 --sort=name --mtime='2020-01-01 UTC' -cf "$out" .
