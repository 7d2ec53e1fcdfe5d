#!/usr/bin/env bash
# scripts/install.sh when one package cannot be installed: it is named, the others are installed, and the script
# succeeds. Fakes replace the commands of the system.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
printf '#!/bin/sh\nexit 1\n' >"$folder/bin/dpkg-query" # no package is installed
printf '#!/bin/sh\necho 0\n' >"$folder/bin/id"
cat >"$folder/bin/apt-get" <<END
#!/bin/sh
case " \$* " in
*" update "*) echo "no network" >&2; exit 100 ;;
*" libxsmm-dev "*) echo "E: Unable to locate package libxsmm-dev" >&2; exit 100 ;;
esac
for word; do echo "\$word" >>"$folder/installed"; done
END
chmod +x "$folder"/bin/*
PATH=$folder/bin:$PATH "$(dirname "$0")/../../scripts/install.sh" run >"$folder/out" 2>"$folder/err"
grep -q 'libxsmm-dev cannot be installed here' "$folder/err"
grep -q 'could not be renewed' "$folder/err"
for package in gcc cmake libgsl-dev gnuplot-nox; do
    grep -qx "$package" "$folder/installed"
done
# The first package cannot be installed, the second is for the tests only. (`! grep` would fail nothing under `set -e`.)
for package in libxsmm-dev libcmocka-dev; do
    if grep -qx "$package" "$folder/installed"; then
        echo "$package is installed"
        exit 1
    fi
done
echo "One package less is no failure."
