#!/usr/bin/env bash
# Builds the catalogues of po/ as a user would, twice. Without msgfmt: CMake reports it, the build has no catalogue,
# reports are in English, and another language ends with status 3. With a third language, which msginit starts from the
# template: it is added to LINGUAS, every text is translated and built, and its words appear on the page and in a chart.
# Usage: test_languages.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail
source=${1:?usage: test_languages.sh SOURCE_FOLDER BUILD_FOLDER}
build=${2:?usage: test_languages.sh SOURCE_FOLDER BUILD_FOLDER}
for program in msginit msgen msgfmt gnuplot; do
    command -v $program >/dev/null || {
        echo "SKIPPED: $program is missing (Debian: gettext, gnuplot-nox)"
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_languages.sh: $1" >&2
    exit 1
}

# A project with only the catalogues: po/ and the code that prints CMake's table. Programs in the folders HIDDEN are not
# found, with which the whole project could not be configured; scripts/bare_build.sh builds that without msgfmt.
mkdir "$work/source"
cp -r "$source/po" "$source/cmake" "$work/source"
cat >"$work/source/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(languages LANGUAGES C)
set(CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
# probes compile the sources, which are not here
foreach(name PNG JPEG NIFTI HWLOC ZLIB LIBZIP CJSON MPI CMOCKA GSL INIH EXPAT SIMGRID CUDA ONEDNN LIBXSMM OPENBLAS)
    set(MAXPOOL_WITH_${name} OFF)
endforeach()
include(MaxpoolProbe)
include(MaxpoolFeatures)
set(CMAKE_IGNORE_PATH ${HIDDEN})
add_subdirectory(po)
foreach(line IN LISTS MAXPOOL_FEATURE_LINES)
    message(STATUS "${line}")
endforeach()
END

# tree NAME: puts the program into a separate tree, with the build's scripts and definitions and the catalogues of build
# NAME.
tree() {
    mkdir -p "$work/$1/bin" "$work/$1/share/maxpool"
    cp "$build/bin/study" "$work/$1/bin/"
    cp -rs "$build/share/maxpool/." "$work/$1/share/maxpool/"
}

# report NAME LANGUAGE: makes the page of the committed speedup study.
mkdir "$work/results"
for file in speedup.csv.gz speedup.points.csv.gz ceilings.csv.gz environment.json; do
    cp "$source/results/reference/amd-epyc-zen4-2-cores/$file" "$work/results/"
done
report() {
    env -u MAXPOOL_LOCALE "$work/$1/bin/study" report --lang "$2" --results "$work/results" >"$work/out" 2>"$work/err"
}

# ---- without msgfmt ------------------------------------------------------------------------------------------------
hidden=$(IFS=: && for folder in $PATH; do printf '%s;' "$folder"; done)/usr/bin\;/bin\;/usr/local/bin
cmake -S "$work/source" -B "$work/without" -DHIDDEN="$hidden" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "does not configure without msgfmt"
}
grep -q 'MSGFMT|off|reports in other languages (.*): no msgfmt (Debian: gettext)' "$work/log" || {
    cat "$work/log" >&2
    fail "CMake does not say that msgfmt is missing"
}
cmake --build "$work/without" >"$work/log" 2>&1 || fail "does not build without msgfmt: $(tail -n 3 "$work/log")"
[ ! -e "$work/without/share/locale" ] || fail "a build without msgfmt has catalogues"
tree without
report without en || fail "no report in English without msgfmt: $(cat "$work/err")"
grep -q "Amdahl's law" "$work/results/report.md" || fail "the report without msgfmt is not in English"
status=0
report without es || status=$?
[ "$status" -eq 3 ] && grep -q 'language es is not in this build.*gettext' "$work/err" ||
    fail "without msgfmt, --lang es ends with status $status: $(cat "$work/err")"

# ---- with a third language ------------------------------------------------------------------------------------------
# Each text in brackets; texts of the context "number" are formats of numbers, and stay unchanged.
po=$work/source/po
"$source/scripts/texts.sh" --template "$work/maxpool.pot" || fail "no template of the texts"
msginit --no-translator -i "$work/maxpool.pot" -l eo.UTF-8 -o "$work/begun.po" 2>"$work/log" || fail "msginit: $(cat "$work/log")"
cat >"$work/translate.py" <<'END'
import re, sys

def bracket(match):
    name, text = match[1], "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[2]))
    begin, inside, end = re.fullmatch(r"((?:\\n)*)(.*?)((?:\\n)*)", text).groups()
    return f'{name} "{begin}⟦{inside}⟧{end}"'

header, *entries = sys.stdin.read().split("\n\n")
print(header, *(entry if 'msgctxt "number"' in entry else
                re.sub(r'^(msgstr(?:\[\d\])?) ((?:"(?:[^"\\]|\\.)*"\n?)+)', lambda m: bracket(m) + "\n", entry, flags=re.M).rstrip()
                for entry in entries), sep="\n\n")
END
msgen --no-wrap "$work/begun.po" | python3 "$work/translate.py" >"$po/eo.po"
echo eo >>"$po/LINGUAS"
cmake -S "$work/source" -B "$work/third" >"$work/log" 2>&1 || fail "does not configure: $(tail -n 3 "$work/log")"
grep -q 'MSGFMT|on|reports in other languages (.*eo)' "$work/log" || fail "CMake does not name the third language"
cmake --build "$work/third" >"$work/log" 2>&1 || fail "does not build the third language: $(tail -n 3 "$work/log")"
tree third
report third eo || fail "no report in the third language: $(cat "$work/err")"
count=$(grep -o '⟦' "$work/results/report.md" | wc -l)
[ "$count" -ge 60 ] || fail "the page in the third language has only $count of its texts"
grep -qi '⟦.*Amdahl' "$work/results/report.md" || fail "the page has no sentence of the third language about Amdahl's law"
grep -q '⟦' "$work"/results/charts/speedup.svg || fail "the chart has no words of the third language"
report third es || fail "no report in Spanish beside the third language: $(cat "$work/err")"
! grep -q '⟦' "$work/results/report.md" || fail "the Spanish page has words of the third language"
echo "English alone without msgfmt; a third language, $count texts on its page."
