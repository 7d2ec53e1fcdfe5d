#!/usr/bin/env bash
# Updates each po/CODE.po from the texts of the sources: new texts have no translation yet, changed texts are marked
# fuzzy, removed texts are deleted. See po/README.md.
# Usage: texts.sh [--template FILE]   FILE: write the template of all texts there, and leave po/ as it is
set -euo pipefail
template=
[ "${1:-}" != --template ] || template=$(realpath "${2:?usage: texts.sh [--template FILE]}")
cd "$(dirname "$0")/.."
for program in xgettext msgcat msgmerge python3; do
    command -v $program >/dev/null || {
        echo "texts.sh: needs $program (Debian: gettext, python3)" >&2
        exit 3
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8

extract() {
    xgettext --force-po --from-code=UTF-8 --no-wrap --add-comments=Translators --sort-by-file -o "$work/part" "$@"
    sed -i -e 's/charset=CHARSET/charset=UTF-8/' -e '/^#,.*-format/d' "$work/part"
}

# in_context NAME: gives every text of the part a context.
in_context() {
    sed -e "0,/^\$/! s/^msgid /msgctxt \"$1\"\nmsgid /" "$work/part" | msguniq --force-po --no-wrap -o "$work/$1"
}

# The texts of programs: arguments of the functions that take ids, and texts marked with N_().
git ls-files --cached --others --exclude-standard 'experiments/*.[ch]' 'classroom/*.[ch]' 'theses/*.[ch]' \
    'kernels/*.c' 'networks/*.c' 'harness/*.c' 'cuda/*.c' | sort | extract --language=C --files-from=- --keyword --keyword=N_:1 --keyword=message:2 \
        --keyword=screen_text:1 --keyword=screen_say:2 --keyword=screen_say_plural:2,3 \
        --keyword=message_in:2c,3 --keyword=message_format:4 --keyword=words_message:2 --keyword=message_plural:2,3 --keyword=claim_say:3 \
        --keyword=claim_say_plural:3,4 --keyword=claim_title:3 --keyword=claim_refuse:3 \
        --keyword=SAY:1 --keyword=SAY_IF:2 --keyword=SAY_OF:2 --keyword=SAY_EACH:2
mv "$work/part" "$work/programs"

# Reasons why something was not measured, read or drawn: files and failures hold these sentences in English, and the
# report looks up the text that produced them (harness/base/text/wording.c). Values are numbered: %{1}, %{2}.
# Texts that are no sentences, such as the format of a path, are dropped.
# And what the measuring of a point refuses: the failures of its rooms.
extract --language=C --keyword --keyword=fail:3 --keyword=gaps_note:5 --keyword=skip_reason:1 --keyword=refusal_make:2 \
    --keyword=asprintf:2 --keyword=snprintf:3 --keyword=text_fit_format:3 --keyword=set_verdict:3 --keyword=set_end:3 \
    $(sed '/^#/d' po/REASONS)
mv "$work/part" "$work/composed"
git ls-files --cached --others --exclude-standard 'harness/*.c' 'serial/*.c' 'openmp/*.c' 'mpi/*.c' 'cuda/*.c' \
    'kernels/*.c' ':!cuda/network' ':!cuda/peers' ':!cuda/emulation' | sort |
    extract --language=C --files-from=- --keyword --keyword=fail:3 --keyword=refusal_make:2
mv "$work/part" "$work/refused"
# And those of networks, peers and the commands of study, with what they warn of.
git ls-files --cached --others --exclude-standard 'networks/*.c' 'peers/*.c' 'experiments/c*/*.c' 'experiments/d*/*.c' \
    'experiments/limits/*.c' 'classroom/class/*.c' 'classroom/duet/*.c'\
    'experiments/p*/*.c' 'experiments/run/*.c' 'experiments/report/charts/*.c' | sort |
    extract --language=C --files-from=- --keyword --keyword=fail:3 --keyword=refusal_make:2 --keyword=wording_warn:2 \
        --keyword=complain:2 --keyword=value_refuse:3 --keyword=refuse:2
mv "$work/part" "$work/measuring"
msgcat --force-po --no-wrap --use-first "$work/composed" "$work/refused" "$work/measuring" -o "$work/part"
number_values() {
    awk '/^msgid /{ n = 0 } /^(msgid|")/ { out = ""
        while (match($0, /%(<[A-Za-z0-9]+>|%|[-+0#]*[0-9*]*(\.[0-9*]+)?(hh|h|ll|l|z|j|t)?[a-zA-Z])/)) {
            found = substr($0, RSTART, RLENGTH)
            out = out substr($0, 1, RSTART - 1) (found == "%%" ? "%" : "%{" ++n "}")
            $0 = substr($0, RSTART + RLENGTH) }
        $0 = out $0 } { print }' |
        awk 'BEGIN { RS = ""; ORS = "\n\n" } NR == 1 { print; next } {
            text = $0; sub(/.*\nmsgid "/, "", text); sub(/"\nmsgstr.*/, "", text); gsub(/%{[0-9]+}/, "", text)
            if (text ~ /[A-Za-z][A-Za-z]/ && (text ~ / / || text !~ /[\/.]/)) print }'
}
lines() { # FILE: a template of its lines
    sed -E -e '/^#/d' -e 's|[\\"]|\\&|g' -e 's|.*|#: '"$1"'\nmsgid "&"\nmsgstr ""\n|' "$1"
}
{
    cat "$work/part"
    echo
    lines po/WORDS
} | number_values >"$work/numbered"
mv "$work/numbered" "$work/part"
in_context reason

# The texts of charts: gnuplot's T("..."), whose strings have the syntax of Python's.
extract --language=Python --keyword --keyword=T:1 plots/*/*.gp
in_context chart

# The description of each method, from its table.
for file in kernels/*/methods.c kernels/*/methods.inc kernels/*/*/*_methods.c; do
    awk '{ text = text $0 "\n" } END {
        while (match(text, /\.idea =[ \n]*("([^"\\]|\\.)*"[ \n]*)+/)) {
            idea = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
            sub(/^[^"]*"/, "", idea); sub(/"[ \n]*$/, "", idea); gsub(/"[ \n]*"/, "", idea); print idea } }' "$file" >"$work/ideas"
    lines "$work/ideas" | sed "s|^#: .*|#: $file|"
done >"$work/ideas.pot"
{
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    cat "$work/ideas.pot"
} >"$work/part"
in_context method

# The texts of --help: helps of options, what commands and operators do, headings. And the words of operators in the
# summary, which have no context.
help_texts() { # help|words
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    git ls-files --cached --others --exclude-standard 'experiments/*.c' 'classroom/*.c' 'theses/*.c' 'harness/*.c' \
        'kernels/*.c' 'networks/*.c' | sort | python3 -c '
import re, sys

string = r"\"(?:[^\"\\]|\\.)*\"(?:\s*\"(?:[^\"\\]|\\.)*\")*"
patterns = {
    "help": [
        rf"\.(?:help|brief|group|measures) =\s*({string})",  # rows of the point programs, of parameters and operators
        rf"\{{\s*\"[a-z-]+\",\s*VALUE_[A-Z]+,\s*(?:NULL|{string}),\s*({string})",  # rows of the commands of study
        rf"struct usage usage = \{{\s*{string},\s*({string})",
        rf"char (?:about|again_help)\[\] =\s*({string})",
        rf"\{{\"[a-z]+\",\s*({string}),\s*command_",  # the commands
        rf"screen_help\(\s*({string})",
    ],
    "words": [
        rf"\.(?:map|units|parts|one_unit|one_part|recomputed|packed|noun) =\s*({string})",
        rf"note, sizeof [a-z>.-]*note,\s*({string})\);",
    ],
}
seen = set()
for path in sys.stdin.read().split():
    source = open(path, encoding="utf-8").read()
    for pattern in patterns[sys.argv[1]]:
        for found in re.findall(pattern, source):
            text = "".join(re.findall(r"\"((?:[^\"\\]|\\.)*)\"", found))
            if text not in seen and re.search(r"[a-z]{2}", text):
                seen.add(text)
                print(f"#: {path}\nmsgid \"{text}\"\nmsgstr \"\"\n")
' "$1"
}
help_texts help >"$work/part"
in_context help
help_texts words >"$work/words"

msgcat --force-po --no-wrap --use-first "$work/programs" "$work/words" "$work/help" -o "$work/screen"
mv "$work/screen" "$work/programs"

# Titles and questions of experiments, including those that `study speedup` writes.
extract --language=C --keyword --keyword=snprintf:3 --keyword=text_fit_format:3 \
    experiments/plan/speedup_definition.c classroom/lab/recording.c \
    experiments/program/own_definition.c
number_values <"$work/part" | sed '1,/^$/d' | awk 'BEGIN { RS = ""; ORS = "\n\n" } /msgid "[A-Z]/' >"$work/speedup"
{
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    for file in experiments/definition/definitions/*/*.ini experiments/definition/thesis/*.ini labs/*.ini; do
        sed -E -e ':join' -e '$!N' -e 's/\n[ \t]+/ /' -e 'tjoin' -e 'P' -e 'D' "$file" |
            sed -n -E 's/^(title|question) = //p' |
            sed -E -e 's|[\\"]|\\&|g' -e 's|.*|#: '"$file"'\nmsgid "&"\nmsgstr ""\n|'
    done
    cat "$work/speedup"
} >"$work/part"
in_context definition

# The texts of the published documents about their numbers: each once, without names and symbols.
{
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    python3 - data/published/[!c]*.csv <<'PYTHON'
import csv, re, sys

shown = "item caption quantity unit note machine method network layer task part strategy structure compared_with series".split()
seen = set()
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for text in (row.get(column) for column in shown):
                if text and text not in seen and re.search(r"(^|[ (])([a-z]{3,}|on )|[CG]PUs", text):
                    seen.add(text)
                    print(f'#: {path}\nmsgid "%s"\nmsgstr ""\n' % re.sub(r'(["\\])', r"\\\1", text))
PYTHON
} >"$work/part"
in_context published

# Our comments on them: the sentences of counterparts.csv, each once.
{
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    python3 - data/published/counterparts.csv <<'PYTHON'
import csv, re, sys

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for text in dict.fromkeys(row["sentence"] for row in csv.DictReader(file) if row["sentence"]):
        print(f'#: {sys.argv[1]}\nmsgid "%s"\nmsgstr ""\n' % re.sub(r'(["\\])', r"\\\1", text))
PYTHON
} >"$work/part"
in_context counterpart

# What the documents claim, in words of our own, where, and our remarks.
{
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    python3 - data/published/claims.csv <<'PYTHON'
import csv, re, sys

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    texts = [row[column] for row in csv.DictReader(file) for column in ("place", "claim", "sentence")]
for text in dict.fromkeys(text for text in texts if text):
    print(f'#: {sys.argv[1]}\nmsgid "%s"\nmsgstr ""\n' % re.sub(r'(["\\])', r"\\\1", text))
PYTHON
} >"$work/part"
in_context claim

{
    cat <<'HEADER'
# Texts of maxpool's reports, charts and experiments. Written by scripts/texts.sh; do not edit.
msgid ""
msgstr ""
"Project-Id-Version: maxpool\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

HEADER
    msgcat --force-po --no-wrap --use-first "$work/programs" "$work/reason" "$work/chart" "$work/method" "$work/definition" \
        "$work/published" "$work/counterpart" "$work/claim" |
        sed '0,/^$/d' | sed -E '/^#: /{ s/:[0-9]+//g }'
} >"$work/template"
if [ -n "$template" ]; then
    cp "$work/template" "$template"
    exit 0
fi
for catalogue in po/*.po; do
    msgmerge --quiet --no-wrap --no-location --previous "$catalogue" "$work/template" -o "$work/merged"
    msgattrib --no-wrap --no-obsolete "$work/merged" -o "$catalogue"
done
