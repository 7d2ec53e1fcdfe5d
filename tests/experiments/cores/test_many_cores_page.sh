#!/usr/bin/env bash
# The tables of docs/details/many_cores.md agree with the committed samples and the model; a changed number is found.
# Usage: test_many_cores_page.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
mkdir "$work/details"
trap 'rm -rf "$work"' EXIT
"$source/scripts/many_cores_page.sh" --check "$build"
cp "$source/docs/details/many_cores.md" "$work/details"
sed -i '0,/ ms |/s// s |/' "$work/details/many_cores.md"
if cmp -s "$source/docs/details/many_cores.md" "$work/details/many_cores.md"; then
    echo "no time was changed" >&2
    exit 1
fi
if "$source/scripts/many_cores_page.sh" --check "$build" "$work" >"$work/out" 2>&1; then
    echo "a changed number was not found" >&2
    exit 1
fi
grep -q 'does not say what the model predicts' "$work/out"
