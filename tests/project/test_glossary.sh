#!/usr/bin/env bash
# Finds words that CONTRIBUTING.md retires: in the pages, in what programs print with --help, in the texts that
# readers see (the template of scripts/texts.sh, titles and questions among them), and in sources: the phrases in comments and texts, the
# single words in comments, in names of files and in every part of an identifier (input_slopes). Words of the table before
# the last may occur in sentences, but in no name.
# An option may keep such a word in its name, and a text of a program: "--slopes FILE" and the alias of an old column
# are allowed, "the slopes" is not.
# If a program lists commands under "Usage: PROGRAM COMMAND", each command's help is read too.
# Usage: test_glossary.sh SOURCE_FOLDER [PROGRAM]...
set -euo pipefail
source=${1:?usage: test_glossary.sh SOURCE_FOLDER [PROGRAM]...}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first column of the last table; a remark in parentheses says in which sense a word is meant.
sed -n '/^## Words that are not used here/,$p' "$source/CONTRIBUTING.md" |
    sed -n 's/^| \([^|]*\) |.*/\1/p' | grep -vE '^(no longer|-+)$' | sed 's/ ([^)]*)//; s/, /\n/g' >"$work/retired" || true
[ "$(wc -l <"$work/retired")" -ge 15 ] || {
    echo "test_glossary.sh: CONTRIBUTING.md retires no words; was its last table moved?" >&2
    exit 1
}

# Joins each line with the next one, to find a phrase that is broken over both.
pairs() {
    awk 'FNR > 1 { print before " " $0 } { before = $0 }' | tr -s ' '
}

# retired FILE: prints places with a retired word, as FILE:LINE:TEXT, in single lines or else in pairs of lines.
retired() {
    sed 's/--[a-z-]*/--/g' "$1" >"$work/text"
    grep -niHwF --label="$1" -f "$work/retired" - <"$work/text" ||
        pairs <"$work/text" | grep -niHwF --label="$1" -f "$work/retired" - || true
}

# Each retired word must be found, in one line and broken over two, but not in an option's name.
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

sources() {
    find experiments classroom theses harness kernels library networks serial openmp mpi cuda peers plots scripts tests \
        examples include labs -type f -regex '.*\.\(c\|h\|inc\|cpp\|cu\|cuh\|cc\|py\|sh\|gp\|ini\|txt\)' ! -name test_glossary.sh -print0
}

# Phrases contain spaces, so no name in a program can hold them.
grep ' ' "$work/retired" | grep -vE "^(roof of its work|gradient of the )" >"$work/phrases"
sources_with_phrases() {
    sources | grep -zv '/mutants.txt$' | xargs -0 grep -niHwF -f "$work/phrases" || true
}

# Single words, in names too: a word ends where no letter follows, for example at _ or a digit. Quoted texts are
# excluded.
words=$(grep -v ' ' "$work/retired" | paste -sd'|')
cat >"$work/words.awk" <<'END'
FNR == 1 && tolower(FILENAME) ~ word { print FILENAME ": the name of the file" }
{
    line = tolower($0)
    gsub(/"([^"\\]|\\.)*"|--[a-z-]*/, "", line)
}
line ~ word { print FILENAME ":" FNR ":" $0 }
END
sources_with_words() {
    xargs -0 awk -v word="(^|[^[:alpha:]])($words)([^[:alpha:]]|\$)" -f "$work/words.awk"
}
for planted in 'float *slopes;' 'int input_slopes = 0;' 'SLOPES_MOST = 2' '/* the Slopes */' 'pool_slopes2(x)'; do
    echo "$planted" >"$work/planted"
    [ -n "$(printf '%s\0' "$work/planted" | sources_with_words)" ] || {
        echo "test_glossary.sh: does not find the word in: $planted" >&2
        exit 1
    }
done
echo 'int x;' >"$work/first_slopes.h"
[ -n "$(printf '%s\0' "$work/first_slopes.h" | sources_with_words)" ] || {
    echo "test_glossary.sh: does not find the word in the name of a file" >&2
    exit 1
}
echo 'ALIAS("slopes", "d_output") take("--slopes", landslopes)' >"$work/planted"
[ -z "$(printf '%s\0' "$work/planted" | sources_with_words)" ] || {
    echo "test_glossary.sh: refuses an alias, an option, or a word of which it is a part" >&2
    exit 1
}
# Words that no name may have, and phrases joined by _; comments and quoted texts are excluded. The records' column
# company keeps its name.
sed -n '/^## Words that no name in the code has/,/^## Words that are not/p' "$source/CONTRIBUTING.md" |
    sed -n 's/^| \([^|]*\) |.*/\1/p' | grep -vE '^(no longer in names|-+)$' | sed 's/, /\n/g' >"$work/no_names" || true
[ "$(wc -l <"$work/no_names")" -ge 10 ] || {
    echo "test_glossary.sh: CONTRIBUTING.md has no words for names" >&2
    exit 1
}
tr ' ' '_' <"$work/phrases" >>"$work/no_names"
names=$(paste -sd'|' "$work/no_names")
cat >"$work/names.awk" <<'END'
FNR == 1 { inside = 0 }
FNR == 1 && tolower(FILENAME) ~ word { print FILENAME ": the name of the file" }
{
    line = tolower($0)
    gsub(/"([^"\\]|\\.)*"/, "", line)
    if (inside && !sub(/^.*\*\//, "", line))
        next
    inside = 0
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\/|\/\/.*/, "", line)
    inside = sub(/\/\*.*/, "", line)
    gsub(/(->|\.|text\(|, |\[)company[^_a-z]/, "", line)
}
line ~ word { print FILENAME ":" FNR ":" $0 }
END
sources_with_names() { # [WORDS]: a regular expression; default: the words above
    grep -zE '\.(c|h|inc|cpp|cu|cuh|cc)$' |
        xargs -0 awk -v word="(^|[^[:alpha:]])(${1:-$names})([^[:alpha:]]|\$)" -f "$work/names.awk"
}
for planted in 'struct company *c;' 'struct deal deal;' 'open_dice(seed)' 'told_s = 0;' \
    'int judge_all = 0;' '/* x */ PACE_MOST = 2' 'take_turns(x)' '"text" "of" course_x'; do
    echo "$planted" >"$work/planted.c"
    [ -n "$(printf '%s\0' "$work/planted.c" | sources_with_names)" ] || {
        echo "test_glossary.sh: does not find the word that no name has in: $planted" >&2
        exit 1
    }
done
echo 'r->company[0]; fail("they agree"); /* they agree,' >"$work/planted.c"
echo ' of course elsewhere. */ int space;' >>"$work/planted.c"
[ -z "$(printf '%s\0' "$work/planted.c" | sources_with_names)" ] || {
    echo "test_glossary.sh: refuses a comment, a text or the column company" >&2
    exit 1
}
echo 'int64_t input_cells = 0; /* a cell of a table */' >"$work/planted.c"
[ -n "$(printf '%s\0' "$work/planted.c" | sources_with_names 'cells?')" ] || {
    echo "test_glossary.sh: does not find input_cells" >&2
    exit 1
}
echo "a comment that is held against it" >"$work/planted"
grep -qiwF -f "$work/phrases" "$work/planted" || {
    echo "test_glossary.sh: knows no phrase" >&2
    exit 1
}

# Prose on lines of at most 120 characters; tables, commands and what programs print may be longer.
long_lines() {
    awk '/^ *```/ { code = !code } /^<!-- .*begin -->/ { made = 1 } /^<!-- .*end -->/ { made = 0 }
        !code && !made && !/^(\||    |<)/ { print FILENAME ":" FNR ":" $0 }' "$1" |
        LC_ALL=C.UTF-8 grep -E '^[^:]*:[0-9]*:.{121}' | sed 's/$/ [more than 120 characters]/' || true
}
printf '%0121d\n' 0 >"$work/planted"
[ -n "$(long_lines "$work/planted")" ] || {
    echo "test_glossary.sh: does not find a long line" >&2
    exit 1
}

# A page takes at most fifteen minutes, at 205 words a minute.
page_words=3075
long_pages() {
    [ "$(wc -w <"$1")" -le $page_words ] ||
        echo "$1: $(wc -w <"$1") words [more than $page_words]"
}
seq 1 $((page_words + 1)) >"$work/planted"
[ -n "$(long_pages "$work/planted")" ] || {
    echo "test_glossary.sh: does not find a long page" >&2
    exit 1
}

# commands_of FILE: the commands that the help in it lists, if any.
commands_of() {
    awk '/^Usage: .* COMMAND/ { listed = 1 } /^Examples/ { listed = 0 } listed && /^  [a-z]+ / { print $1 }' "$1"
}

# helps PROGRAM: prints places with a retired word in its help and in that of its commands.
helps() {
    local program=$1 name=${1##*/} command
    "$program" --help all >"$work/$name --help"
    retired "$work/$name --help"
    for command in $(commands_of "$work/$name --help"); do
        "$program" "$command" --help >"$work/$name $command --help"
        retired "$work/$name $command --help"
    done
}
{ echo '#!/bin/sh'; echo "case \$1 in --help) printf 'Usage: planted COMMAND\n  act  x\n' ;; act) echo the slopes ;; esac"; } \
    >"$work/planted"
chmod +x "$work/planted"
[ -n "$(helps "$work/planted")" ] || {
    echo "test_glossary.sh: does not find the word in the help of a command" >&2
    exit 1
}

command -v xgettext >/dev/null || {
    echo "SKIPPED: xgettext is missing (Debian: gettext)"
    exit 77
}
"$source/scripts/texts.sh" --template "$work/maxpool.pot"
found=$(
    cd "$source"
    for page in README.md CONTRIBUTING.md run.sh docs/*.md docs/details/*.md po/README.md results/reference/README.md; do
        [ "$page" = CONTRIBUTING.md ] || retired "$page"
        [[ $page != docs/* ]] || long_pages "$page"
        [[ $page != *.md || $page =~ ^docs/(options|reproduction|details/reproduction_[a-z]+)\.md$ ]] || long_lines "$page"
    done
    retired "$work/maxpool.pot"
    sources_with_phrases
    sources | sources_with_words
    sources | sources_with_names
    sources | grep -zE '^(cuda|kernels|networks|library|peers|serial|openmp|mpi)/' | sources_with_names 'cells?'
    for program in "$@"; do
        helps "$program"
    done
)
[ -z "$found" ] || {
    echo "test_glossary.sh: words that CONTRIBUTING.md retires, or long lines:" >&2
    echo "$found" | sed "s|^$work/||" >&2
    exit 1
}
echo "No retired word."
