#!/usr/bin/env bash
# Writes docs/options.md from the programs' --help all, operator by operator.
# Usage: scripts/options_page.sh [--check] [BUILD_FOLDER [PAGE]]
#   --check   changes nothing; status 1 if the page is out of date, 77 if a program was not built
# The GPU programs are left out: docs/gpu.md has their options, since few machines build them.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/generated_page.sh
bin=${1:-build}/bin
page=${2:-docs/options.md}
operators=(maxpool matmul conv distances copy network faces)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The program with all options of its operator: the MPI program, if there is one.
program() {
    case $1 in
    faces) echo faces_omp ;;
    *) echo "$1_mpi" ;;
    esac
}

# Options of one help text, a line each: SECTION <tab> OPTION <tab> MEANING.
options_of() {
    LC_ALL=C "$bin/$1" --help all | awk '
        function emit() { if (option != "") print section "\t" option "\t" meaning; option = "" }
        over { next }
        /^Methods|^Examples|^Exit status/ { emit(); over = 1; next }
        /^[A-Z]/ { emit(); section = $0; next }
        /^  (-|    --)/ {
            emit()
            # A meaning begins in column 35; after a longer option it is on the next line.
            one_line = length($0) > 34 && substr($0, 34, 1) == " "
            option = one_line ? substr($0, 3, 31) : substr($0, 3)
            meaning = one_line ? substr($0, 35) : ""
            gsub(/^ +| +$/, "", option)
            gsub(/^ +| +$/, "", meaning)
            next
        }
        /^                              / { sub(/^ +/, ""); meaning = meaning (meaning == "" ? "" : " ") $0; next }
        END { emit() }'
}

for operator in "${operators[@]}"; do
    if [ ! -x "$bin/$(program "$operator")" ]; then
        echo "options_page.sh: $bin/$(program "$operator") was not built" >&2
        exit 77
    fi
    options_of "$(program "$operator")" >"$work/$operator"
done

# Options that all operators describe in the same words are listed once.
cp "$work/maxpool" "$work/common"
for operator in matmul conv distances copy; do
    grep -Fxf "$work/$operator" "$work/common" >"$work/next" || true
    mv "$work/next" "$work/common"
done

# table FILE: the options of a file.
table() {
    echo "| option | meaning |"
    echo "|---|---|"
    awk -F '\t' '{
        gsub(/\|/, "\\|", $2); gsub(/\|/, "\\|", $3)
        printf "| `%s` | %s |\n", $2, $3
    }' "$1"
    echo
}

# about PROGRAM: the part of its help that says what it measures.
about() {
    LC_ALL=C "$bin/$1" --help all | sed -n '2,/^$/p' | tr '\n' ' ' | sed 's/ *$//; s/ Every execution is verified.*//'
}

{
    echo "# Options"
    echo
    echo "This page is written by \`scripts/options_page.sh\` from the programs' own \`--help all\`. Programs are named"
    echo "OPERATOR_SPACE: \`_serial\` computes in one thread, \`_omp\` in OpenMP threads, \`_mpi\` in ranks."
    echo "\`_serial\` has no \`--threads\`; \`--distribute\`, \`--per-rank\` and \`--strategy\` belong to \`_mpi\`."
    echo "The options of the GPU programs: [gpu.md](gpu.md)."
    echo
    echo "## Every operator"
    echo
    table "$work/common"
    for operator in "${operators[@]}"; do
        echo "## $operator"
        echo
        about "$(program "$operator")"
        echo
        echo
        grep -Fvxf "$work/common" "$work/$operator" >"$work/own" || true
        if [ -s "$work/own" ]; then table "$work/own"; else printf 'It has no options of its own.\n\n'; fi
    done
    cat <<'END'
## Exit status

| status | meaning |
|---|---|
| 0 | done and verified |
| 1 | a result was wrong |
| 2 | bad option or input |
| 3 | not available here |
| 4 | not enough memory or another resource |
| 5 | output could not be written |
END
} >"$work/page"

put_page "$work/page" "$page" \
    "options_page.sh: $page is out of date; run scripts/options_page.sh"
