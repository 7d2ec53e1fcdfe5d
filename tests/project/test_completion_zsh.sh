#!/usr/bin/env bash
# Completion for zsh finds the words that the completion for bash finds, and leaves files to zsh.
# Usage: test_completion_zsh.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail
source=$1 build=$2
command -v zsh >/dev/null || {
    echo "SKIPPED: zsh is missing (Debian: zsh)"
    exit 77
}
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
# As `cmake --install` puts them.
mkdir -p "$there/share/zsh/site-functions" "$there/share/bash-completion/completions"
cp "$source/scripts/completion/completion.bash" "$there/share/bash-completion/completions/study"
{
    echo '#compdef study maxpool_serial network_serial'
    cat "$source/scripts/completion/completion.zsh"
} >"$there/share/zsh/site-functions/_maxpool"
cat >"$there/test.zsh" <<'END'
fpath=($1/share/zsh/site-functions $fpath)
autoload -Uz compinit && compinit -D -u
for program in study maxpool_serial network_serial; do
    [[ $_comps[$program] == _maxpool ]] || { echo "no completion for $program"; exit 1; }
done
autoload +X _maxpool
compadd() { offered=("${@:#--}") }
_files() { offered=(files) }
expect()
{
    local wanted=$1
    shift
    words=("$@") CURRENT=$# offered=()
    _maxpool
    [[ "$offered" == "$wanted" ]] || { echo "'$*' gives '$offered', not '$wanted'"; exit 1; }
}
bin=$2
expect threads $bin/study report thr
expect --lang $bin/study report --lan
expect van_herk $bin/study speedup --method van
expect separable $bin/maxpool_serial --method sep
expect 'en es' $bin/maxpool_serial --lang ''
expect mobilenet_v2 $bin/network_serial --network mobilenet_v2
expect files $bin/maxpool_serial -i $1/test.z
expect files $bin/study report --results $1/sha
expect files $bin/maxpool_serial --nothing-of-that-name
END
zsh -f "$there/test.zsh" "$there" "$build/bin"
