#!/usr/bin/env bash
# scripts/install.sh: a package that cannot be installed is named and the others are installed; names follow the suite;
# without root, sudo or apt-get the command to install is printed; what does not exist is refused with the names that do.
# Fakes replace the commands of the system.
set -euo pipefail
install=$(cd "$(dirname "$0")/../.." && pwd)/scripts/install.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/alone"
printf '#!/bin/sh\nexit 1\n' >"$folder/bin/dpkg-query" # no package is installed
printf '#!/bin/sh\ncat "%s/user"\n' "$folder" >"$folder/bin/id"
printf '#!/bin/sh\n[ -e "%s/may" ] || exit 1\n[ "$1" != -n ] || shift\nexec "$@"\n' "$folder" >"$folder/bin/sudo"
cat >"$folder/bin/apt-get" <<END
#!/bin/sh
case " \$* " in
*" update "*) echo "no network" >&2; exit 100 ;;
*" libxsmm-dev "*) echo "E: Unable to locate package libxsmm-dev" >&2; exit 100 ;;
esac
for word; do echo "\$word" >>"$folder/installed"; done
END
chmod +x "$folder"/bin/*
for tool in bash awk grep sort paste tr dirname cat env id; do # a system without apt-get
    ln -s "$(command -v $tool)" "$folder/alone/$tool"
done

fail() {
    echo "test_install.sh: $1" >&2
    cat "$folder/out" "$folder/err" >&2
    exit 1
}
# ends STATUS SYSTEM USER ARGUMENT...: how install.sh ends where /etc/os-release is SYSTEM, for that user.
ends() {
    local expected=$1 status=0
    printf '%b' "$2" >"$folder/os-release"
    echo "$3" >"$folder/user"
    shift 3
    rm -f "$folder/installed"
    touch "$folder/installed"
    PATH=${path:-$folder/bin:$PATH} MAXPOOL_OS_RELEASE=$folder/os-release "$install" "$@" \
        >"$folder/out" 2>"$folder/err" </dev/null || status=$?
    [ $status -eq "$expected" ] || fail "'$*' ended with $status, not with $expected"
}
says() {
    grep -q -- "$1" "$folder/err" || fail "it does not say '$1'"
}
installs() { # PACKAGE YES|NO
    local found=NO
    ! grep -qx -- "$1" "$folder/installed" || found=YES
    [ $found = "$2" ] || fail "$1: installed $found"
}
bookworm='ID=debian\nVERSION_CODENAME=bookworm\n' trixie='ID=debian\nVERSION_CODENAME=trixie\n'
ubuntu='ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n' fedora='ID=fedora\nVERSION_ID=42\n'

ends 0 "$bookworm" 0 run
says 'libxsmm-dev cannot be installed here'
says 'could not be renewed'
for package in gcc cmake libgsl-dev gnuplot-nox; do
    installs $package YES
done
installs libxsmm-dev NO
installs libcmocka-dev NO # for the tests only

ends 0 "$bookworm" 0 test
installs libclang-rt-14-dev YES
installs libclang-rt-19-dev NO
for system in "$trixie" "$ubuntu" ''; do # later systems have the names of the last suite
    ends 0 "$system" 0 test
    installs libclang-rt-14-dev NO
    installs libclang-rt-19-dev YES
done
ends 0 "$trixie" 0 test bookworm
installs libclang-rt-14-dev YES
! grep -q @ "$folder/installed" || fail 'a suite is part of a name'

ends 2 "$bookworm" 0 run jessie
says "no suite 'jessie' .*bookworm trixie"
ends 2 "$bookworm" 0 all
says 'run|test|long'
ends 2 "$bookworm" 0

ends 3 "$trixie" 1000 test # neither root nor sudo
says 'ask an administrator'
says 'Debian, Ubuntu: apt-get install .* libclang-rt-19-dev'
! grep -q 'Fedora\|libclang-rt-14' "$folder/err" || fail 'it names packages of other systems'
installs gcc NO
touch "$folder/may"
ends 0 "$trixie" 1000 run # sudo without a password
installs gcc YES

path=$folder/alone
ends 3 "$fedora" 0 test
says 'Fedora: dnf install gcc .* gcc-c++ '
! grep -q 'apt-get install\|pacman' "$folder/err" || fail 'it names packages of other systems'
ends 3 'ID=arch\n' 0 run
says 'Arch Linux: pacman -S --needed gcc cmake'
ends 3 'ID=slackware\n' 0 run # another system: all three
says 'apt-get install'
says 'dnf install'
says 'pacman -S'
! grep -Eq ' -( |$)' "$folder/err" || fail "'-' is named as a package"
echo "install.sh installs what there is, by the names of the suite, and otherwise says how."
