#!/usr/bin/env bash
# The project's includes follow the table of rooms, and scripts/include_check.sh finds violations: each fault is planted
# in a copy of the sources.
set -euo pipefail
cd "$(dirname "$0")/../.."
check=$PWD/scripts/include_check.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$check"

mkdir -p "$folder/sound/docs/details"
cp docs/details/rooms.md "$folder/sound/docs/details/"
find kernels harness '(' -name '*.[ch]' -o -name '*.inc' ')' -exec cp --parents -t "$folder/sound" {} +
(cd "$folder/sound" && "$check" .)

# plant WHAT EXPECTED: the function of that name changes the copy; the check must then print EXPECTED.
plant() {
    rm -rf "$folder/copy"
    cp -r "$folder/sound" "$folder/copy"
    (cd "$folder/copy" && "$1")
    if (cd "$folder/copy" && "$check" . >"$folder/said"); then
        echo "test_includes.sh: $1 was not seen" >&2
        exit 1
    fi
    grep -q "$2" "$folder/said" || { cat "$folder/said"; exit 1; }
    echo "$1: seen"
}

forbidden() { echo '#include "harness/base/clock.h"' >>kernels/partition.c; }
indented() { printf '#if 1\n #  include "harness/point/point.h"\n#endif\n' >>harness/base/clock.h; }
foreign() { echo '#include "kernels/partition.h"' >>harness/base/clock.c; }
absent() { echo '#include "kernels/nowhere/none.h"' >>kernels/partition.c; }
missing() { echo '#include "harness/base/watch.h"' >>harness/base/clock.c; }
homeless() { mkdir attic && echo 'int x;' >attic/old.c; }
# A row may name only rows above it, whether or not a file uses that.
circle() { sed -i '/^| `harness\/base` |/s/|[^|]*|$/| `harness\/records` |/' docs/details/rooms.md; }
unknown() { sed -i '/^| `harness\/base` |/s/|[^|]*|$/| `harness\/attic` |/' docs/details/rooms.md; }
unused() { sed -i '/^| `kernels` |/s/|[^|]*|$/| `harness\/base` |/' docs/details/rooms.md; }
crowded() { mkdir -p kernels/crowd && (cd kernels/crowd && touch $(seq 31)); }
no_table() { sed -i '/^| `/d' docs/details/rooms.md; }

plant forbidden 'kernels/partition.c:[0-9]*: kernels may not include harness/base'
plant indented 'harness/base/clock.h:[0-9]*: harness/base may not include harness/point'
plant foreign 'harness/base/clock.c:[0-9]*: harness/base may not include kernels'
plant absent 'kernels/partition.c:[0-9]*: "kernels/nowhere/none.h" is no file'
plant missing 'harness/base/clock.c:[0-9]*: "harness/base/watch.h" is no file'
plant homeless 'attic/old.c: in no room'
plant circle 'harness/base may include harness/records, which no row above it has'
plant unknown 'harness/base may include harness/attic, which no row above it has'
plant unused 'kernels includes nothing of harness/base'
plant crowded 'kernels/crowd: more than 30 files'
plant no_table 'no rows between the marks'

# A folder may hold 30 files.
mkdir "$folder/copy/docs/full"
(cd "$folder/copy/docs/full" && touch $(seq 30))
cp docs/details/rooms.md "$folder/copy/docs/details/"
(cd "$folder/copy" && "$check" .)
