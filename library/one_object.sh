#!/bin/sh
# Links objects, and the members of archives that they need, into one object whose global symbols are those
# that the shared library exports. CC, NM and OBJCOPY name the tools.
# Usage: one_object.sh OUTPUT SHARED OBJECT-OR-ARCHIVE…
set -eu
output=$1 shared=$2
shift 2
trap 'rm -f "$output.symbols" "$output.exports"' EXIT
"${CC:-cc}" -r -nostdlib -o "$output" "$@"
"${NM:-nm}" -D --defined-only --format=posix "$shared" >"$output.symbols"
awk '{ sub("@.*", "", $1); print $1 }' "$output.symbols" >"$output.exports"
"${OBJCOPY:-objcopy}" --keep-global-symbols="$output.exports" "$output"
