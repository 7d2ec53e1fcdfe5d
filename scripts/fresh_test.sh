#!/usr/bin/env bash
# Runs the commands of the README as a new user would: in a clone of this project on a Debian with only the base system,
# where no package that happens to be installed here can replace one that is not requested.
# Usage: scripts/fresh_test.sh [-s SUITE] [-u] [-f FILE]... [COMMAND]...
#   each COMMAND runs in the clone; default: ./run.sh and ./test.sh; -f: copies the file into /root of that system
#   -s: bookworm (Debian 12, the default) or trixie (13); -u: as a user who has sudo, instead of root
# Needs root and debootstrap; if one is missing, a message says so and the status is 77. The base system is kept in
# MAXPOOL_FRESH (default /var/tmp/maxpool-fresh), in a folder for each suite, and copied for each run.
set -euo pipefail
cd "$(dirname "$0")/.."
suites='bookworm trixie'
suite=bookworm
user=root

skip() {
    echo "SKIPPED: fresh_test.sh: $1" >&2
    exit 77
}
files=()
while getopts s:uf: option; do
    case $option in
    s) suite=$OPTARG ;;
    u) user=student ;;
    f) files+=("$(realpath "$OPTARG")") ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
case " $suites " in
*" $suite "*) ;;
*)
    echo "fresh_test.sh: -s: there is no suite '$suite'; there are: $suites" >&2
    exit 2
    ;;
esac
[ "$(id -u)" -eq 0 ] || skip "only root can make a system to change into"
command -v debootstrap >/dev/null || skip "debootstrap is missing (Debian: debootstrap)"
[ $# -gt 0 ] || set -- ./run.sh ./test.sh
folder=${MAXPOOL_FRESH:-/var/tmp/maxpool-fresh}/$suite
base=$folder/base
root=$folder/root
project=/root/project
[ $user = root ] || project=/home/$user/project

# The mirror that this machine uses; if none is configured, debootstrap's default.
mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1) || true

make_base() {
    rm -rf --one-file-system "$base.new"
    mkdir -p "$base.new"
    debootstrap --variant=minbase "$suite" "$base.new" ${mirror:+"$mirror"} >"$folder/debootstrap.log" 2>&1 ||
        { tail -n 5 "$folder/debootstrap.log" >&2; exit 1; }
    mv "$base.new" "$base"
}

# Copies the base system, with this machine's package sources, name resolution and a clone of the project.
make_root() {
    ! findmnt --raw --noheadings --output TARGET | grep -q "^$root/" ||
        { echo "fresh_test.sh: something is mounted below $root" >&2; exit 1; }
    rm -rf --one-file-system "$root"
    cp -a "$base" "$root"
    cp -a /etc/apt/sources.list.d /etc/apt/keyrings /etc/apt/trusted.gpg.d "$root/etc/apt/" 2>/dev/null || true
    cp /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || : >"$root/etc/apt/sources.list"
    local here
    here=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    [ -z "$here" ] || find "$root"/etc/apt/sources.list* -type f -exec sed -i "s/\\b$here\\b/$suite/g" {} +
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    mkdir -p "$root${project%/*}"
    git clone -q . "$root$project"
    [ ${#files[@]} -eq 0 ] || cp "${files[@]}" "$root/root/"
}

# run_inside COMMAND: runs it in separate mount and process namespaces, which end with it.
run_inside() {
    unshare --mount --pid --fork --kill-child bash -c '
        set -e
        mount --make-rprivate /
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mount --rbind /sys "$1/sys"
        exec chroot ${3:+"--userspec=$3"} "$1" /usr/bin/env -i "HOME=${4%/*}" TERM=dumb LANG=C.UTF-8 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            bash -c "cd $4 && $2"' inside "$root" "$1" "${2:-}" "$project" </dev/null
}

mkdir -p "$folder"
[ -d "$base" ] || make_base
make_root
run_inside "apt-get update -qq"
if [ $user != root ]; then
    run_inside "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends sudo >/dev/null &&
        useradd --no-create-home $user && chown -R $user: /home/$user &&
        echo '$user ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/$user"
fi
for command in "$@"; do
    printf '\n==== on a bare Debian %s, as %s: %s (%d s so far)\n' "$suite" $user "$command" "$SECONDS"
    run_inside "$command" $user || { echo "fresh_test.sh: '$command' ended with status $?" >&2; exit 1; }
done
[ ! -d "$root$project/results/local" ] || [ -s "$root$project/results/local/report.html" ] ||
    { echo "fresh_test.sh: there is no report" >&2; exit 1; }
printf '\nAll of it ran on a bare Debian, in %d s.\n' "$SECONDS"
