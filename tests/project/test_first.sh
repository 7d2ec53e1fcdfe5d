#!/usr/bin/env bash
# The target `first`, after which ./run.sh measures, builds `study` and each program that a definition starts; the
# emulated GPU and the library are built later, with the target `programs`. Ninja alone lists what a target builds.
# Usage: test_first.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail
source=${1:?usage: test_first.sh SOURCE_FOLDER BUILD_FOLDER} build=${2:?}
[ -f "$build/build.ninja" ] || {
    echo "SKIPPED: test_first.sh: this folder is not Ninja's" >&2
    exit 77
}
built() { # TARGET: its programs and libraries
    ninja -C "$build" -t commands "$1" | grep -oE ' -o (bin|lib)/[^ ]+' | sed -E 's|^ -o (bin/)?||' | sort -u
}
asked() {
    echo study
    grep -rhoE '^([a-z]+\.)?programs = .*' "$source/experiments/definition" | sed 's/.* = //' | tr ' ' '\n'
}
first=$(built first)
programs=$(built programs)
needed=$(comm -12 <(echo "$programs") <(asked | sort -u))
[ "$(wc -l <<<"$needed")" -ge 12 ] || {
    echo "test_first.sh: definitions start only these programs of this build:" $needed >&2
    exit 1
}
missing=$(comm -23 <(echo "$needed") <(echo "$first"))
[ -z "$missing" ] || {
    echo "test_first.sh: a study needs these programs, and the target first does not build them:" $missing >&2
    exit 1
}
early=$(grep -E '^emulation/|libmaxpool' <<<"$first") && {
    echo "test_first.sh: no study needs these, and the target first builds them:" $early >&2
    exit 1
}
echo "first: $(wc -l <<<"$first") of $(wc -l <<<"$programs") programs, with the $(wc -l <<<"$needed") of studies."
