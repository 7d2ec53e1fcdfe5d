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
# There is completion for every installed program, and for no other.
for program in "$there"/bin/*_{serial,omp,mpi,cuda}; do
    [ ! -e "$program" ] || complete -p "${program##*/}" >/dev/null || { echo "no completion for $program"; exit 1; }
done
for page in "$there"/share/bash-completion/completions/*; do
    [ -e "$there/bin/${page##*/}" ] || { echo "completion for ${page##*/}, which was not built"; exit 1; }
done
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
