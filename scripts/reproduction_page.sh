#!/usr/bin/env bash
# Writes docs/reproduction.md and, for each of the four documents of data/published, docs/details/reproduction_NAME.md:
# every number and figure of them, next to the committed samples, results/reference/*.
# Usage: scripts/reproduction_page.sh [--check] [BUILD_FOLDER [DOCS]]
#   --check   changes nothing; status 1 if a page does not match the samples
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/generated_page.sh
check=0
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
build=${1:-build}
docs=${2:-docs}
if [ ! -x "$build/bin/study" ]; then
    echo "reproduction_page.sh: $build/bin/study was not built" >&2
    exit 2
fi
# Samples of the published points come before others: a row is taken from the first folder that has it.
folders=()
for folder in results/reference/*-thesis*/ results/reference/*/; do
    [ ! -d "$folder" ] || folders+=(--results "${folder%/}")
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/study" reproduce "${folders[@]}" --format markdown >"$work/whole"

# The documents in the order of `study reproduce`; each has a section, which becomes a page.
documents=(tesina solar devices faces)
origin="<!-- Written by scripts/reproduction_page.sh from the committed samples; do not edit. -->"
[ "$(grep -c '^## ' "$work/whole")" = ${#documents[@]} ] || {
    echo "reproduction_page.sh: study reproduce does not have ${#documents[@]} sections" >&2
    exit 1
}
{
    echo "$origin"
    sed '/^## /,$d' "$work/whole"
    echo "The tables, one page for each document:"
    echo
    i=0
    while read -r title; do
        echo "- [$title](details/reproduction_${documents[i++]}.md)"
    done < <(sed -n 's/^## //p' "$work/whole")
} >"$work/reproduction.md"
pages=(reproduction.md)
for ((i = 0; i < ${#documents[@]}; i++)); do
    page=details/reproduction_${documents[i]}.md
    mkdir -p "$work/details"
    {
        echo "$origin"
        awk -v wanted=$((i + 1)) '/^## / { section++; sub(/^#/, "") } section == wanted' "$work/whole"
    } >"$work/$page"
    pages+=("$page")
done
status=0
for page in "${pages[@]}"; do
    put_page "$check" "$work/$page" "$docs/$page" \
        "reproduction_page.sh: $docs/$page does not say what the samples say; run scripts/reproduction_page.sh" || status=1
done
exit $status
