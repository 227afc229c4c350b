#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# engines.sh up|down
#
# `up` makes real container engines, the devcontainer CLI and the test images usable, as far as this machine and
# this user allow, and prints lines for `eval` that name them (see environment() below). What cannot be had is told
# on stderr with the reason. It may be called again at any time; then it takes half a second.
# `down` stops the dockerd that `up` has started, and removes containers that old tests have left.
#
# Root on Debian: packages that are missing are installed; a private dockerd is unpacked, not installed. An ordinary
# user: what is there is used. Everything is kept under LONGSHORE_TEST_HOME, by default /opt/longshore-test or
# ~/.cache/longshore-test.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ((EUID == 0)); then default_home=/opt/longshore-test; else default_home=${XDG_CACHE_HOME:-$HOME/.cache}/longshore-test; fi
home=${LONGSHORE_TEST_HOME:-$default_home}
devcontainer_version=0.89.0
label=longshore-test
exports=()
dockerd_started=0

# shellcheck source=tests/packages.sh
source "$here/../packages.sh"

give() { exports+=("$1=$2"); }

# ---- Images ----

# import_image CLI NAME KIND: the image from images.sh, unless the engine has it.
import_image() {
    local cli=$1 name=$2 kind=$3 archive
    "$cli" image inspect "$name" >/dev/null 2>&1 && return 0
    archive=$home/$kind-$tag.tar
    if [[ ! -s $archive ]]; then
        "$here/images.sh" "$kind" "$archive.$$" || return 1
        mv "$archive.$$" "$archive"
    fi
    "$cli" import "$archive" "$name" >/dev/null 2>"$home/import.log" || { cat "$home/import.log" >&2; return 1; }
}

# try_engine CLI PREFIX: both images are there, and a container of each answers.
try_engine() {
    local cli=$1 prefix=$2
    import_image "$cli" "${prefix}longshore-test:$tag" full || return 1
    import_image "$cli" "${prefix}longshore-busybox:$tag" busybox || return 1
    [[ $("$cli" run --rm --network none --label "$label" "${prefix}longshore-test:$tag" python3 -c 'print(6*7)') == 42 ]] &&
        [[ $("$cli" run --rm --network none --label "$label" "${prefix}longshore-busybox:$tag" sh -c 'echo 42') == 42 ]]
}

# ---- Docker ----

docker_answers() { [[ -n $("$1" version --format '{{.Server.Version}}' 2>/dev/null) ]]; }

# The process of our own dockerd. A pid file outlives a crash, and its number may then be another process's.
dockerd_pid() {
    local pid
    pid=$(cat "$home/docker.pid" 2>/dev/null) && [[ $(readlink "/proc/$pid/exe") == "$home/docker/usr/sbin/dockerd" ]] &&
        echo "$pid"
}

unpack_dockerd() {
    [[ -x $home/docker/usr/sbin/dockerd ]] && return 0
    say "unpacking docker.io, containerd and tini"
    local folder
    rm -rf "$home"/download.*
    folder=$(mktemp -d "$home/download.XXXXXX")
    chmod 755 "$folder"
    (cd "$folder" && { apt-get -qq -o APT::Sandbox::User=root download docker.io containerd tini 2>/dev/null ||
        { apt-get update -qq && apt-get -qq -o APT::Sandbox::User=root download docker.io containerd tini; }; }) >&2
    local package
    for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
    [[ -e $folder/root/usr/bin/docker-init ]] || cp "$folder/root/usr/bin/tini-static" "$folder/root/usr/bin/docker-init"
    rm -rf "$home/docker"
    mv "$folder/root" "$home/docker"
    rm -rf "$folder"
}

start_dockerd() {
    rm -f "$home/docker.sock"
    dockerd_pid >/dev/null || rm -f "$home/docker.pid"
    # No bridge, no firewall rules and no systemd: only what a container without a network needs. The lock is not
    # inherited, or the daemon would hold it for ever.
    PATH=$home/docker/usr/bin:$home/docker/usr/sbin:$PATH setsid "$home/docker/usr/sbin/dockerd" \
        --bridge=none --iptables=false --ip-forward=false --storage-driver=overlay2 \
        --exec-opt native.cgroupdriver=cgroupfs --data-root "$home/docker-data" --exec-root "$home/docker-run" \
        --pidfile "$home/docker.pid" --host "unix://$home/docker.sock" >"$home/dockerd.log" 2>&1 </dev/null 9>&- &
    local attempt
    for attempt in {1..150}; do
        docker_answers "$home/docker/usr/bin/docker" && return 0
        sleep 0.1
    done
    tail -n 20 "$home/dockerd.log" >&2
    return 1
}

bring_up_docker() {
    local cli
    if cli=$(command -v docker) && docker_answers "$cli"; then
        say "docker: using the engine that answers $cli"
        [[ -n ${DOCKER_HOST:-} ]] && give DOCKER_HOST "$DOCKER_HOST"
    elif can_install; then
        install_packages runc libdevmapper1.02.1
        unpack_dockerd
        cli=$home/docker/usr/bin/docker
        export DOCKER_HOST=unix://$home/docker.sock
        if ! docker_answers "$cli"; then
            start_dockerd || { skip "docker: dockerd does not start"; return 0; }
            dockerd_started=1
        fi
        give DOCKER_HOST "$DOCKER_HOST"
    else
        skip "docker: no engine answers, and starting one needs root on Debian"
        return 0
    fi
    try_engine "$cli" "" || { skip "docker: the test image does not run"; return 0; }
    give LONGSHORE_TEST_DOCKER "$cli"
    give LONGSHORE_TEST_IMAGE "longshore-test:$tag"
    give LONGSHORE_TEST_BUSYBOX_IMAGE "longshore-busybox:$tag"
}

# ---- Podman ----

# podman behind a wrapper: settings of its own instead of the machine's, so that it runs on hybrid cgroups, without
# a network, and where the default limits cannot be set. The devcontainer CLI adds --userns=keep-id for a user other
# than root, which the podman of root refuses.
write_podman_wrapper() {
    mkdir -p "$home/bin"
    cat >"$home/containers.conf" <<'CONF'
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
netns = "none"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
CONF
    cat >"$home/bin/podman.new" <<WRAPPER
#!/bin/sh
CONTAINERS_CONF='$home/containers.conf'
export CONTAINERS_CONF
if [ "\$1" = run ] && [ "\$(id -u)" = 0 ]; then
    n=\$#
    while [ "\$n" -gt 0 ]; do
        word=\$1
        shift
        n=\$((n - 1))
        [ "\$word" = --userns=keep-id ] || set -- "\$@" "\$word"
    done
fi
exec '$1' "\$@"
WRAPPER
    chmod +x "$home/bin/podman.new"
    mv "$home/bin/podman.new" "$home/bin/podman"
}

bring_up_podman() {
    can_install && install_packages podman runc
    local real
    real=$(PATH=${PATH//$home\/bin:/} command -v podman) || { skip "podman: not installed"; return 0; }
    write_podman_wrapper "$real"
    try_engine "$home/bin/podman" localhost/ || { skip "podman: the test image does not run"; return 0; }
    give LONGSHORE_TEST_PODMAN "$home/bin/podman"
    give LONGSHORE_TEST_IMAGE_PODMAN "localhost/longshore-test:$tag"
    give LONGSHORE_TEST_BUSYBOX_IMAGE_PODMAN "localhost/longshore-busybox:$tag"
}

# ---- The devcontainer CLI ----

node_is_recent() {
    local version
    version=$(node --version 2>/dev/null) && version=${version#v} && ((${version%%.*} >= 20))
}

bring_up_devcontainer() {
    local cli=$home/npm/node_modules/.bin/devcontainer
    export PATH=$home/npm/node_modules/node/bin:$PATH
    if ! has npm; then
        can_install || { skip "devcontainer: npm is not installed"; return 0; }
        install_packages nodejs npm
    fi
    local npm=(npm install --prefix "$home/npm" --no-audit --no-fund --no-update-notifier --loglevel=error)
    mkdir -p "$home/npm"
    node_is_recent || "${npm[@]}" node@20 >&2 || { skip "devcontainer: needs node 20"; return 0; }
    if [[ $("$cli" --version 2>/dev/null) != "$devcontainer_version" ]]; then
        say "installing @devcontainers/cli@$devcontainer_version"
        "${npm[@]}" "@devcontainers/cli@$devcontainer_version" >&2 || { skip "devcontainer: npm failed"; return 0; }
    fi
    give LONGSHORE_TEST_DEVCONTAINER "$cli"
    [[ $(command -v node) != "$home"/* ]] || give PATH "$PATH"
}

# ---- Commands ----

environment() {
    local entry
    for entry in "${exports[@]}"; do printf 'export %s=%q\n' "${entry%%=*}" "${entry#*=}"; done
    printf 'dockerd_started=%d\n' "$dockerd_started" # not exported: who started it stops it
}

up() {
    mkdir -p "$home"
    exec 9>"$home/lock"
    flock 9
    tag=$(sha256sum "$here/images.sh" | head -c 12)
    if can_install; then
        install_packages python3.11-minimal libpython3.11-stdlib busybox-static procps hostname util-linux ||
            skip "packages of the test images"
    fi
    bring_up_docker
    bring_up_podman
    bring_up_devcontainer
    environment
}

down() {
    # A test removes its own containers. Those of tests that were killed lie about; younger ones may be in use.
    if [[ -x $home/bin/podman ]]; then
        "$home/bin/podman" ps -aq --filter "label=$label" --filter until=2h | xargs -r "$home/bin/podman" rm -f -t 0 >/dev/null
    fi
    local pid
    pid=$(dockerd_pid) || return 0
    # The engine's containers end with it.
    kill "$pid"
    local attempt
    for attempt in {1..200}; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    umount "$home/docker-run/netns/default" 2>/dev/null || true
}

case ${1:-} in
    up) up ;;
    down) down ;;
    *) echo "usage: engines.sh up|down" >&2; exit 2 ;;
esac
