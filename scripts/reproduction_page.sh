#!/usr/bin/env bash
# Writes docs/reproduction.md and, for each of the four documents of data/published, docs/details/reproduction_NAME.md:
# every number and figure of them, next to the committed samples, results/reference/*.
# Usage: scripts/reproduction_page.sh [--check] [BUILD_FOLDER [DOCS]]
#   --check   changes nothing; status 1 if a page does not match the samples
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/generated_page.sh
build=${1:-build}
docs=${2:-docs}
if [ ! -x "$build/bin/study" ]; then
    echo "reproduction_page.sh: $build/bin/study was not built" >&2
    exit 2
fi
# Samples of the published points come before others: a row is taken from the first folder that has it.
folders=()
for folder in $(printf '%s\n' results/reference/*-thesis*/ results/reference/*/ | awk '!seen[$0]++'); do
    [ ! -d "$folder" ] || folders+=(--results "${folder%/}")
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/study" reproduce "${folders[@]}" --format markdown >"$work/whole"

# The documents in the order of `study reproduce`; each has a section, which becomes a page, or several: none has more
# words than fifteen minutes are enough for. A page ends before a heading or between two rows of a table, whose head the
# next page repeats. A remark's first sentence that the row above has too is a ditto mark.
documents=(tesina solar devices faces)
page_words=3075
origin="<!-- Written by scripts/reproduction_page.sh from the committed samples; do not edit. -->"
[ "$(grep -c '^## ' "$work/whole")" = ${#documents[@]} ] || {
    echo "reproduction_page.sh: study reproduce does not have ${#documents[@]} sections" >&2
    exit 1
}
mkdir -p "$work/details"
# write_pages SECTION NAME: writes the section's pages, NAME.md, NAME_2.md and so on, below details/.
write_pages() {
    awk -v wanted="$1" '/^## / { section++; sub(/^#/, "") } section == wanted' "$work/whole" |
        awk -v name="$work/details/$2" -v origin="$origin" -v most="$page_words" '
            function open_page() {
                page++; file = name (page > 1 ? "_" page : "") ".md"; words = 30; last = ""
                print origin >file
                print title (page > 1 ? ", page " page : "") >file
                print "" >file
            }
            function put(line, part) { print line >file; words += split(line, part, " ") }
            function begin_page() { open_page(); put(heading); put(""); put(head); put(rule) }
            # The row with a ditto mark for the sentence that its remark has in common with the row above.
            function ditto(row, cell, n, end, short) {
                n = split(row, cell, / [|] /)
                end = match(cell[n], /[a-z)][.] [A-Z]/)
                first = end ? substr(cell[n], 1, end + 1) : ""
                short = substr(row, 1, length(row) - length(cell[n]))
                return first != "" && first == last ? short "″" substr(cell[n], end + 2) : row
            }
            NR == 1 { title = $0; open_page(); getline; next }
            /^### / { heading = $0; head = ""; put($0); next }
            /^[|]/ && !head { head = $0; put($0); getline; rule = $0; put($0); last = ""; next }
            /^[|]/ { row = ditto($0); if (words + split(row, part, " ") > most) { begin_page(); row = $0 }; put(row); last = first; next }
            !/^$/ { head = "" }
            { put($0) }'
}
for ((i = 0; i < ${#documents[@]}; i++)); do
    write_pages $((i + 1)) "reproduction_${documents[i]}"
done
{
    echo "$origin"
    sed '/^## /,$d' "$work/whole"
    echo "The tables, one page or more for each document; ″ stands for the first sentence of the remark above:"
    echo
    i=0
    while read -r title; do
        name=reproduction_${documents[i++]}
        line="- [$title](details/$name.md)"
        for ((n = 2; ; n++)); do
            [ -e "$work/details/${name}_$n.md" ] || break
            line+=", [page $n](details/${name}_$n.md)"
        done
        echo "$line"
    done < <(sed -n 's/^## //p' "$work/whole")
} >"$work/reproduction.md"
pages=(reproduction.md)
for page in "$work"/details/*.md; do
    pages+=("details/${page##*/}")
done
status=0
for page in "${pages[@]}"; do
    put_page "$work/$page" "$docs/$page" \
        "reproduction_page.sh: $docs/$page does not say what the samples say; run scripts/reproduction_page.sh" || status=1
done
for page in "$docs"/details/reproduction_*.md; do
    if [ ! -e "$page" ] || [ -e "$work/details/${page##*/}" ]; then continue; fi
    if [ "$check" = 0 ]; then
        rm "$page"
    else
        echo "reproduction_page.sh: $page is no page any more; run scripts/reproduction_page.sh" >&2
        status=1
    fi
done
exit $status
