#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: scripts/install.sh run|test|long
# "run": what ./run.sh needs; "test": also what ./test.sh needs; "long": also what its --long run needs. Does nothing if
# all are installed. A package that cannot be installed is named and left out: every library is optional, and the build
# reports what it cannot do without one.
set -euo pipefail
cd "$(dirname "$0")/.."
want=${1:?usage: scripts/install.sh run|test|long}

missing=()
while read -r kind name _; do
    case $kind in
    run) ;;
    test) [ "$want" != run ] || continue ;;
    long) [ "$want" = long ] || continue ;;
    *) continue ;;
    esac
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' ||
        missing+=("$name")
done < <(grep -v '^#' scripts/packages.txt)
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "install.sh: this is no Debian machine; what is missing here goes by these names there:" >&2
    echo "  ${missing[*]}" >&2
    exit 0
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "install.sh: packages are missing; please ask an administrator to run" >&2
        echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 3
    fi
    as_root=(sudo -n)
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
