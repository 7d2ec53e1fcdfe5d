#!/usr/bin/env bash
# Installs the packages that are missing on a Debian or Ubuntu. Usage: scripts/install.sh run|test|long [SUITE]
# "run": what ./run.sh needs; "test": also what ./test.sh needs; "long": also what its --long run needs. SUITE: whose
# names to use, such as trixie (default: this system's). Does nothing if all are installed. A package that cannot be
# installed is named and left out: every library is optional, and the build reports what it cannot do without one.
# Where nothing can be installed, because there is neither root nor sudo or the system is another one, the command to
# install them is printed. Exit status 3: packages are missing; 2: no such word or suite.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    echo "install.sh: $1" >&2
    exit 2
}
case ${1:-} in
run) kinds=run ;;
test) kinds='run test' ;;
long) kinds='run test long' ;;
*) usage "usage: scripts/install.sh run|test|long [SUITE]; there is no '${1:-}'" ;;
esac

# The suites that packages.txt names, oldest first.
suites=$(grep -v '^#' scripts/packages.txt | grep -o '@[a-z]*' | tr -d @ | sort -u | paste -sd ' ')
# about NAME: what the system says about itself, such as ID and VERSION_CODENAME.
about() {
    (. "${MAXPOOL_OS_RELEASE:-/etc/os-release}" 2>/dev/null && printf '%s' "${!1:-}") || true
}
suite=${2:-$(about VERSION_CODENAME)}
case " $suites " in
*" $suite "*) ;;
*)
    [ $# -lt 2 ] || usage "there is no suite '$suite' in scripts/packages.txt; it has: $suites"
    suite=${suites##* } # the latest: later systems, and Ubuntu, seldom keep older names
    ;;
esac

# names COLUMN: the packages of these kinds, in the column of packages.txt: 2 Debian (of this suite), 3 Fedora, 4 Arch.
names() {
    awk -v kinds=" $kinds " -v column="$1" -v suite="$suite" '
        /^#/ || !index(kinds, " " $1 " ") { next }
        { name = $column; at = index(name, "@") }
        column == 2 && at && substr(name, at + 1) != suite { next }
        at { name = substr(name, 1, at - 1) }
        name != "-" && !seen[name]++ { print name }' scripts/packages.txt
}
# commands: how an administrator installs them here, or in each family where this one is not known.
commands() {
    local family=" $(about ID) $(about ID_LIKE) " all=1
    case $family in
    *' debian '* | *' ubuntu '* | *' fedora '* | *' rhel '* | *' arch '*) all=0 ;;
    esac
    if [ $all = 1 ] || [[ $family == *' debian '* || $family == *' ubuntu '* ]]; then
        echo "  Debian, Ubuntu: apt-get install --no-install-recommends ${missing[*]}"
    fi
    if [ $all = 1 ] || [[ $family == *' fedora '* || $family == *' rhel '* ]]; then
        echo "  Fedora: dnf install $(names 3 | paste -sd ' ')"
    fi
    if [ $all = 1 ] || [[ $family == *' arch '* ]]; then
        echo "  Arch Linux: pacman -S --needed $(names 4 | paste -sd ' ')"
    fi
}
give_up() {
    echo "install.sh: $1" >&2
    commands >&2
    exit 3
}

missing=()
for name in $(names 2); do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get >/dev/null ||
    give_up "packages are installed only on Debian and Ubuntu; elsewhere please see to these, as far as they are missing:"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    elif [ -t 0 ] && command -v sudo >/dev/null && # it asks for the password
        echo "install.sh: sudo asks for your password, to install: ${missing[*]}" >&2 && sudo true; then
        as_root=(sudo)
    else
        give_up "packages are missing; please ask an administrator to run"
    fi
fi
get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq || echo "install.sh: the package lists could not be renewed" >&2
get "${missing[@]}" && exit 0
# One unavailable package would prevent the installation of all others, so each is installed separately.
for package in "${missing[@]}"; do
    get "$package" || echo "install.sh: $package cannot be installed here; going on without" >&2
done
