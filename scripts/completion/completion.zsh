# Completion for zsh: offers the words that the completion for bash finds, which is installed beside this file. The
# installation writes the line "#compdef PROGRAM..." above this one.
local completions=${functions_source[_maxpool]:a:h:h:h}/bash-completion/completions
local complete=_maxpool_point
[[ ${words[1]:t} != study ]] || complete=_maxpool_study
local -a found
found=("${(@f)$(bash -c '
    source "$1/study" || exit
    complete=$2 COMP_CWORD=$3 COMPREPLY=()
    shift 3
    COMP_WORDS=("$@")
    "$complete"
    printf "%s\n" "${COMPREPLY[@]}"' bash "$completions" "$complete" $((CURRENT - 1)) "${(@Q)words}" 2>/dev/null)}")
found=(${found:#})

# zsh itself completes files.
local word
for word in "${found[@]}"; do
    [[ -e $word ]] || { compadd -- "${found[@]}"; return; }
done
_files
