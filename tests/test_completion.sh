#!/usr/bin/env bash
# What `cmake --install` brings: manual pages that tell every option of --help, and completion that knows
# options, methods, commands and experiments. Usage: test_completion.sh BUILD_FOLDER
set -euo pipefail
build=$1
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
cmake --install "$build" --prefix "$there" >/dev/null
for page in study study-report maxpool_serial matmul_serial; do
    grep -q '^\.SH DESCRIPTION' "$there/share/man/man1/$page.1" || { echo "no page $page.1"; exit 1; }
done
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
