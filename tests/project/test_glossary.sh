#!/usr/bin/env bash
# Finds words that docs/glossary.md retires: in the pages, in what programs print with --help, in the texts that
# readers see (po/maxpool.pot, titles and questions among them), and the phrases among them in sources and comments.
# An option may keep such a word in its name: "--slopes FILE" is allowed, "the slopes" is not.
# Usage: test_glossary.sh SOURCE_FOLDER [PROGRAM]...
set -euo pipefail
source=${1:?usage: test_glossary.sh SOURCE_FOLDER [PROGRAM]...}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first column of the last table; a remark in parentheses says where a word is meant.
sed -n '/^## Words that are not used here/,$p' "$source/docs/glossary.md" |
    sed -n 's/^| \([^|]*\) |.*/\1/p' | grep -vE '^(no longer|-+)$' | sed 's/ ([^)]*)//; s/, /\n/g' >"$work/retired" || true
[ "$(wc -l <"$work/retired")" -ge 15 ] || {
    echo "test_glossary.sh: docs/glossary.md retires no words; was its last table moved?" >&2
    exit 1
}

# Each line together with the next one, for a phrase that is broken over both.
pairs() {
    awk 'FNR > 1 { print before " " $0 } { before = $0 }' | tr -s ' '
}

# retired FILE: places with a retired word, as FILE:LINE:TEXT, in lines or else in pairs of lines.
retired() {
    sed 's/--[a-z-]*/--/g' "$1" >"$work/text"
    grep -niHwF --label="$1" -f "$work/retired" - <"$work/text" ||
        pairs <"$work/text" | grep -niHwF --label="$1" -f "$work/retired" - || true
}

# Each of them must be found, in one line and broken over two, and no option's name.
while read -r word; do
    echo "a text with $word in it" >"$work/planted"
    [ -n "$(retired "$work/planted")" ] || {
        echo "test_glossary.sh: does not find '$word'" >&2
        exit 1
    }
    echo "a text with ${word/ /$'\n  '} in it" >"$work/planted"
    [ -n "$(retired "$work/planted")" ] || {
        echo "test_glossary.sh: does not find '$word' over two lines" >&2
        exit 1
    }
done <"$work/retired"
echo "give --slopes FILE" >"$work/planted"
[ -z "$(retired "$work/planted")" ] || {
    echo "test_glossary.sh: refuses the option --slopes" >&2
    exit 1
}

# What no name in a program can be: phrases, not single words.
grep ' ' "$work/retired" | grep -vE "^(roof of its work|gradient of the )" >"$work/phrases"
sources_with_phrases() {
    find experiments harness kernels networks serial openmp mpi cuda peers plots scripts tests examples include labs \
        -type f -regex '.*\.\(c\|h\|cu\|cuh\|cc\|py\|sh\|gp\|ini\|txt\)' ! -name test_glossary.sh ! -name mutants.txt \
        -exec grep -niHwF -f "$work/phrases" {} + || true
}
echo "a comment that is held against it" >"$work/planted"
grep -qiwF -f "$work/phrases" "$work/planted" || {
    echo "test_glossary.sh: knows no phrase" >&2
    exit 1
}

found=$(
    cd "$source"
    for page in README.md CONTRIBUTING.md run.sh docs/*.md results/reference/README.md; do
        [ "$page" = docs/glossary.md ] || retired "$page"
    done
    retired po/maxpool.pot
    sources_with_phrases
    for program in "$@"; do
        "$program" --help >"$work/${program##*/} --help"
        retired "$work/${program##*/} --help"
    done
)
[ -z "$found" ] || {
    echo "test_glossary.sh: words that docs/glossary.md retires:" >&2
    echo "$found" | sed "s|^$work/||" >&2
    exit 1
}
echo "No retired word."
