#!/usr/bin/env bash
# Each message of ours in docs/troubleshooting.md stands in the sources: its words, around numbers, names and "…".
# Usage: test_troubleshooting.sh SOURCE_FOLDER
set -euo pipefail
source=${1:?usage: test_troubleshooting.sh SOURCE_FOLDER}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All texts in quotes of programs and scripts, those of several lines joined, one after the other.
(
    cd "$source"
    find harness kernels networks serial openmp mpi cuda peers experiments scripts -type f \
        -regex '.*\.\(c\|h\|inc\|cu\|py\|sh\)' -print0 | xargs -0 cat
) | tr '\n' ' ' | sed -e 's/" *f\?"//g' -e 's/" *PRI[a-z0-9]* *"//g' >"$work/texts"

# The messages of the first column, less those of mpirun; more than one in a row are parts of a line each.
messages() {
    sed -n 's/^| \(`[^|]*\) |.*/\1/p' "$1" | grep -v mpirun | grep -o '`[^`]*`' | tr -d '`'
}

# parts MESSAGE: what the sources have in one piece, between numbers, units, names of methods, colons and "…".
parts() {
    echo "$1" | sed -e 's/[0-9][0-9]*\( x [0-9]*\)\?/\n/g' -e 's/…/\n/g' -e 's/--method [a-z]* /\n/g' -e 's/: /\n/g' -e 's/GiB/\n/g' -e "s/oneDNN's/\n/" |
        sed -e 's/^ *//' -e 's/ *$//' | grep '[a-z][a-z][a-z].* ' || true
}

# missing FILE: the parts that no source has.
missing() {
    while read -r message; do
        while read -r part; do
            [ -z "$part" ] || grep -qF -- "$part" "$work/texts" || echo "$message: no source has '$part'"
        done < <(parts "$message")
    done < <(messages "$1")
}

echo '| `64 threads wait for 2 cores at length` | x | y |' >"$work/planted.md"
[ -n "$(missing "$work/planted.md")" ] || {
    echo "test_troubleshooting.sh: does not find a message that no program prints" >&2
    exit 1
}
page=$source/docs/troubleshooting.md
count=$(messages "$page" | wc -l)
[ "$count" -ge 10 ] || {
    echo "test_troubleshooting.sh: $count messages in docs/troubleshooting.md; was its table changed?" >&2
    exit 1
}
found=$(missing "$page")
[ -z "$found" ] || {
    echo "$found" >&2
    exit 1
}
echo "$count messages, all of them in the sources."
