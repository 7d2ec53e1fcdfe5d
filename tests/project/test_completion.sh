#!/usr/bin/env bash
# What `cmake --install` provides: manual pages that have every option of --help, and completion that knows options,
# methods, commands and experiments. Usage: test_completion.sh BUILD_FOLDER
set -euo pipefail
build=$1
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
# Links suffice for programs, which are large in a build for tests.
CMAKE_INSTALL_MODE=ABS_SYMLINK_OR_COPY cmake --install "$build" --prefix "$there" >/dev/null
for page in study study-report maxpool_serial matmul_serial; do
    grep -q '^\.SH DESCRIPTION' "$there/share/man/man1/$page.1" || { echo "no page $page.1"; exit 1; }
done
# A page says what its program does in a paragraph, which is filled, and shows three examples.
for page in "$there"/share/man/man1/{study,study-*,*_serial}.1; do
    sed -n '/^\.SH DESCRIPTION/,/^\.SH/p' "$page" | grep "^[A-Z][^.]* [a-z]" >/dev/null || { echo "${page##*/} says nothing"; exit 1; }
    [ "$(sed -n '/^\.SH DESCRIPTION/{n;p}' "$page")" != .nf ] || { echo "${page##*/}: its description is not filled"; exit 1; }
    shown=$(sed -n '/^\.SH "EXAMPLES"/,/^\.fi/p' "$page" | grep -c '^  ')
    [ "$shown" -ge 3 ] || { echo "${page##*/} shows $shown examples"; exit 1; }
done
# The options in the examples of a command exist.
for page in "$there"/share/man/man1/study-*.1; do
    sed -n '/^\.SH "EXAMPLES"/,/^\.fi/p' "$page" | sed 's/\\-/-/g' | grep '^  ' | sed 's/ -- .*//' |
        { grep -oE -- ' --[a-z-]+' || true; } | sort -u | while read -r option; do
        sed '/^\.SH "EXAMPLES"/,/^\.fi/d; s/\\-/-/g' "$page" |
            grep -E -- "^ .*$option( |=|\[|$)" >/dev/null ||
            { echo "${page##*/}: its examples have $option, which is no option"; exit 1; }
    done || exit 1
done
# Only what users need is installed: no tests, and one page per program.
for program in "$there"/bin/* "$there"/share/man/man1/*; do
    case ${program##*/} in test_* | wrong_* | race_* | fake_* | make_*) echo "$program is installed"; exit 1 ;; esac
done
[ -e "$there/bin/distances_faiss" ] || { echo "no distances_faiss"; exit 1; }
"$build/bin/study" report --help | grep -oE -- '--[a-z]+' | sort -u | while read -r option; do
    sed 's/\\-/-/g' "$there/share/man/man1/study-report.1" | grep -q -- "$option" || { echo "study-report.1 lacks $option"; exit 1; }
done
# shellcheck source=/dev/null
source "$there/share/bash-completion/completions/study"
expect()
{
    local function=$1 wanted=$2
    shift 2
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    "$function"
    [ "${COMPREPLY[*]:-}" = "$wanted" ] || { echo "'$*' gives '${COMPREPLY[*]:-}', not '$wanted'"; exit 1; }
}
expect _maxpool_study "import" "$there/bin/study" im
expect _maxpool_study "threads" "$there/bin/study" report thr
expect _maxpool_study "$build/CMakeCache.txt" "$there/bin/study" duet "$build/CMakeCac"
expect _maxpool_study "threads" "$there/bin/study" duet "$build" "$build" thr
expect _maxpool_study "$build/CMakeCache.txt" "$there/bin/study" duet --file "$build/CMakeCac"
expect _maxpool_study "$build/bin" "$there/bin/study" duet --commits HEAD~1 HEAD --repository "$build/bi"
expect _maxpool_study "--function" "$there/bin/study" duet --fun
expect _maxpool_study "markdown" "$there/bin/study" duet --format mark
expect _maxpool_study "--lang" "$there/bin/study" report --lan
expect _maxpool_point "separable" "$there/bin/maxpool_serial" --method sep
expect _maxpool_point "--warmup" "$there/bin/maxpool_serial" --warm
expect _maxpool_study "status" "$there/bin/study" st
# Words that a program lists, or that its help shows for an option.
expect _maxpool_point "mobilenet_v2" "$there/bin/network_serial" --network mobilenet_v2
expect _maxpool_point "baseline" "$there/bin/maxpool_serial" --isa base
expect _maxpool_point "ignore" "$there/bin/maxpool_serial" --pad-mode ig
expect _maxpool_point "sampled" "$there/bin/maxpool_serial" --verify sa
expect _maxpool_point "en es" "$there/bin/maxpool_serial" --lang ""
expect _maxpool_point "all" "$there/bin/maxpool_serial" --help a
expect _maxpool_study "mobilenet_v2" "$there/bin/study" speedup --network mobilenet_v2
expect _maxpool_study "packed" "$there/bin/study" speedup --operator matmul --method pac
expect _maxpool_study "van_herk" "$there/bin/study" speedup --method van
expect _maxpool_study "matmul" "$there/bin/study" lab --operator matm
expect _maxpool_study "en es" "$there/bin/study" report --lang e
# There is completion for every installed program, and for no other.
for program in "$there"/bin/*_{serial,omp,mpi,cuda}; do
    [ ! -e "$program" ] || complete -p "${program##*/}" >/dev/null || { echo "no completion for $program"; exit 1; }
done
for page in "$there"/share/bash-completion/completions/*; do
    [ -e "$there/bin/${page##*/}" ] || { echo "completion for ${page##*/}, which was not built"; exit 1; }
done
# The file for zsh names the same programs (tests/project/test_completion_zsh.sh).
head -n 1 "$there/share/zsh/site-functions/_maxpool" | tr ' ' '\n' | tail -n +2 | sort |
    diff - <(find "$there/share/bash-completion/completions" -not -type d -printf '%f\n' | sort) ||
    { echo "zsh and bash complete other programs"; exit 1; }
if [ ! -e "$there/bin/maxpool_cuda" ] && complete -p maxpool_cuda 2>/dev/null; then
    echo "maxpool_cuda, which was not built, is completed"
    exit 1
fi
# A usage line mentions options exactly once.
"$build/bin/study" --help | awk '/^  [a-z]/ && $1 != "study" {print $1}' | while read -r command; do
    [ "$("$build/bin/study" "$command" --help | head -1 | grep -o 'OPTION' | wc -l)" = 1 ] ||
        { echo "study $command --help: $("$build/bin/study" "$command" --help | head -1)"; exit 1; }
done
expect _maxpool_study "new" "$there/bin/study" lab new
expect _maxpool_study "collect" "$there/bin/study" class coll
expect _maxpool_study "--tolerance" "$there/bin/study" audit --tol
expect _maxpool_study "--student" "$there/bin/study" pack --stu
expect _maxpool_study "export" "$there/bin/study" exp
expect _maxpool_study "--tidy" "$there/bin/study" export --ti
expect _maxpool_study "--x" "$there/bin/study" plot --x
expect _maxpool_study "karp_flatt karp_flatt_lower karp_flatt_upper" "$there/bin/study" plot threads --y karp
expect _maxpool_study "tikz" "$there/bin/study" plot threads --format ti
for option in --size --font --methods --x --y --data --format --title; do
    sed 's/\\-/-/g' "$there/share/man/man1/study-plot.1" | grep -q -- "^ *$option " || { echo "study-plot.1 lacks $option"; exit 1; }
done
grep -q 'pandas' "$there/share/man/man1/study-export.1" || { echo "study-export.1 lacks its examples"; exit 1; }
