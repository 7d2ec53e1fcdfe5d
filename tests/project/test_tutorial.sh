#!/usr/bin/env bash
# Runs every command of docs/tutorial.md in order, and compares the output on the page with the printed one; then those
# of docs/es/tutorial.md, in Spanish. A page of docs/es has the commands of its English page.
# Usage: test_tutorial.sh SOURCE_FOLDER BIN_FOLDER
# A command is a line "$ …" of a console block; the lines below it are its output, "..." where lines are left out.
# Times differ from run to run, so numbers and units are compared as such: 3.2 ms matches 41 µs. A block whose
# first line is "# exactly" must be printed digit for digit. Where the page says 4096, 256 is run here.
set -euo pipefail
source=$(realpath "${1:?usage: test_tutorial.sh SOURCE_FOLDER BIN_FOLDER}")
bin=$(realpath "${2:?usage: test_tutorial.sh SOURCE_FOLDER BIN_FOLDER}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/build" "$work/tests"
ln -s "$bin" "$work/build/bin"
ln -s "$source/tests/data" "$work/tests/data"
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Makes outputs comparable: numbers become #, with an optional unit; the reason why sampling stopped becomes WHY; spaces
# become one space; the star of the fastest method is removed. On a busy machine fewer than six samples fit in the time,
# which have no interval; nor is an interval shown whose ends are printed alike, and of a wide one only the ends are.
shape() {
    sed -E 's/(samples|seconds|relative_ci)$/WHY/; s/^\* /  /; s/-?[0-9][0-9,.]*(e[-+][0-9]+)?/#/g
        s/([]#]) ?(ns|µs|ms|s|[KMGT]?i?B|[GM]B\/s|GFLOP\/s)\b/\1/g; s/#(:#)+/#/g; s/ \(# \.\. #\)//g; s/#; #/# #/g; s/# \[# #\]/#/g; s/# (to|a) #/#/g; s/# \.\. #|\((fewer than|menos de) #\)/INTERVAL/
        s/ +/ /g; s/ $//'
}

fail() {
    echo "test_tutorial.sh: $1" >&2
    exit 1
}

# check COMMAND EXPECTED EXACT: each shown line must be printed, in order.
check() {
    local command=$1 expected=$2 exact=$3 printed=$work/printed line at=0 found
    env ${locale:+LC_ALL= LC_MESSAGES= LANG="$locale"} bash -c "${command//4096/256}" >"$printed" 2>"$work/errors" </dev/null ||
        { cat "$work/errors" >&2; fail "'$command' failed"; }
    cat "$work/errors" >>"$printed"
    [ "$exact" = 1 ] || shape <"$printed" >"$printed.shape"
    [ "$exact" = 0 ] || cp "$printed" "$printed.shape"
    while IFS= read -r line; do
        [ -n "$line" ] && [ "$line" != ... ] || continue
        [ "$exact" = 1 ] || line=$(shape <<<"$line")
        found=$(tail -n +"$((at + 1))" "$printed.shape" | grep -nxF -- "$line" | head -n 1 | cut -d: -f1) || true
        [ -n "$found" ] || { cat "$printed" >&2; fail "'$command' does not print, after its line $at: $line"; }
        at=$((at + found))
    done <<<"$expected"
}

commands= command= expected= exact=0 inside=0
end_command() {
    [ -z "$command" ] || { check "$command" "$expected" "$exact"; commands=$((commands + 1)); }
    command= expected=
}

# run_page PAGE: runs its commands.
run_page() {
    commands=0
    while IFS= read -r line <&3; do
        case $line in
        '```console') inside=1 exact=0 ;;
        '```') end_command; inside=0 ;;
        '# exactly') [ "$inside" = 0 ] || exact=1 ;;
        '$ '*) [ "$inside" = 0 ] || { end_command; command=${line#'$ '}; } ;;
        *) [ "$inside" = 0 ] || expected+=$line$'\n' ;;
        esac
    done 3<"$source/$1"
    [ "$commands" -ge 8 ] || fail "$1 has $commands commands, fewer than it should"
    echo "$commands commands do what $1 shows."
}

# commands_of PAGE: the commands of its blocks, without comments and the choice of a language.
commands_of() {
    awk '/^```(sh|console)/ { inside = substr($0, 4); next } /^```/ { inside = ""; next }
        inside == "sh" && !/^export LANG=/ && !/^$/ || inside == "console" && sub(/^\$ /, "")' "$1" |
        sed -E 's/ +#( .*)?$//; s/ --lang es//'
}

# same_commands ENGLISH SPANISH
same_commands() {
    diff <(commands_of "$1") <(commands_of "$2") >"$work/different" && [ -n "$(commands_of "$1")" ]
}

for spanish in "$source"/docs/es/*.md; do
    same_commands "$source/docs/${spanish##*/}" "$spanish" ||
        { cat "$work/different" >&2; fail "docs/es/${spanish##*/} and docs/${spanish##*/} have other commands"; }
done
sed 's/study lab mine.c --check /study lab mine.c --chek /' "$source/docs/es/lab.md" >"$work/planted.md"
! same_commands "$source/docs/lab.md" "$work/planted.md" || fail 'a command that only one page has is not found'

locale=
run_page docs/tutorial.md
locale=es_MX.UTF-8
if [ -e "$bin/../share/locale/es/LC_MESSAGES/maxpool.mo" ]; then run_page docs/es/tutorial.md; fi
