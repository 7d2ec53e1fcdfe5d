#!/usr/bin/env bash
# What `cmake --install` brings: manual pages that tell every option of --help, and completion that knows
# options, methods, commands and experiments. Usage: test_completion.sh BUILD_FOLDER
set -euo pipefail
build=$1
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
# Links do for programs, which are large in a build for tests.
CMAKE_INSTALL_MODE=ABS_SYMLINK_OR_COPY cmake --install "$build" --prefix "$there" >/dev/null
for page in study study-report maxpool_serial matmul_serial; do
    grep -q '^\.SH DESCRIPTION' "$there/share/man/man1/$page.1" || { echo "no page $page.1"; exit 1; }
done
# What is installed is for users: no tests, and of each program one page.
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
expect _maxpool_study "--lang" "$there/bin/study" report --lan
expect _maxpool_point "separable" "$there/bin/maxpool_serial" --method sep
expect _maxpool_point "--warmup" "$there/bin/maxpool_serial" --warm
