# Bash completion for study and the point programs: options and their words come from --help all, methods from
# --list-methods, networks from --list-networks, experiments and commands from study itself. No list is repeated here.
_maxpool_options()
{
    "$@" --help all 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

# _maxpool_words OPTION PROGRAM [COMMAND]: the words between which an option chooses, as in "--isa baseline|avx2".
_maxpool_words()
{
    local option=$1
    shift
    "$@" --help all 2>/dev/null | awk -v option="$option" '{ for (i = 1; i < NF; i++) if ($i == option && $(i + 1) ~ /[|]/) print $(i + 1) }' |
        tr '|,[] ' '\n' | grep -E '^[a-z0-9_-]+$' | sort -u
}

# _maxpool_listed PROGRAM LIST: the names that a program lists.
_maxpool_listed()
{
    "$1" "$2" 2>/dev/null | awk '{print $1}'
}

_maxpool_point()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $before in
    --network)
        mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_listed "${COMP_WORDS[0]}" --list-networks)" -- "$word")
        return
        ;;
    --method | --conv | --engine | --structure)
        mapfile -t COMPREPLY < <(compgen -W "all $(_maxpool_listed "${COMP_WORDS[0]}" --list-methods)" -- "$word")
        return
        ;;
    --help)
        mapfile -t COMPREPLY < <(compgen -W all -- "$word")
        return
        ;;
    -i | --input | -o | --output | --record | --per-rank | --weights | --save)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    --*)
        mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_words "$before" "${COMP_WORDS[0]}")" -- "$word")
        [ ${#COMPREPLY[@]} -eq 0 ] || return 0
        ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_options "${COMP_WORDS[0]}")" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}

# The operator that --operator names on the command line; maxpool without it.
_maxpool_operator()
{
    local i
    for ((i = 1; i + 1 < ${#COMP_WORDS[@]}; i++)); do
        [ "${COMP_WORDS[i]}" != --operator ] || { echo "${COMP_WORDS[i + 1]}"; return; }
    done
    echo maxpool
}

_maxpool_study()
{
    local word=${COMP_WORDS[COMP_CWORD]} study=${COMP_WORDS[0]} command=${COMP_WORDS[1]:-}
    local folder
    folder=$(dirname "$(command -v "$study")")
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$study" --help 2>/dev/null | awk '/^  [a-z]/ && $1 != "study" {print $1}')" -- "$word")
        return
    fi
    case ${COMP_WORDS[COMP_CWORD - 1]} in
    --results | --out | --definitions | --repository | --cache)
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return
        ;;
    --data | --output | -o | --record | --rubric | --grade | --file)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    --format | --charts)
        mapfile -t COMPREPLY < <(compgen -W "$("$study" "$command" --help 2>/dev/null | awk -v option=" ${COMP_WORDS[COMP_CWORD - 1]} " '/^  (-|    --)/ { here = index($0, option) } here { sub(option "[^ ]*", ""); print }' | grep -oE '\b(svg|png|pdf|tikz|none|all|text|csv|html|markdown|latex|json)\b' | sort -u)" -- "$word")
        return
        ;;
    --network)
        mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_listed "$folder/network_serial" --list-networks)" -- "$word")
        return
        ;;
    --method | --methods | --against)
        mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_listed "$folder/$(_maxpool_operator)_serial" --list-methods)" -- "$word")
        return
        ;;
    --operator)
        mapfile -t COMPREPLY < <(cd "$folder" && compgen -W "$(printf '%s\n' *_serial | sed 's/_serial$//')" -- "$word")
        return
        ;;
    --lang | --sweep)
        mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_words "${COMP_WORDS[COMP_CWORD - 1]}" "$study" "$command")" -- "$word")
        return
        ;;
    --x | --y)
        mapfile -t COMPREPLY < <(compgen -W "speedup seconds $("$study" export --dictionary 2>/dev/null | awk -F, '$1 == "points" && $3 != "text" {print $2}')" -- "$word")
        return
        ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_options "$study" "$command")" -- "$word") ;;
    *) local first=''
       case $command in lab) first=new ;; class) first="new collect" ;; esac
       [ "$COMP_CWORD" -eq 2 ] || first=''
       case $command in lab | class | pack | audit)
           mapfile -t COMPREPLY < <(compgen -W "$first" -- "$word"; compgen -f -- "$word")
           return
           ;;
       esac
       [ "$command" != duet ] || [ "$COMP_CWORD" -gt 3 ] || { mapfile -t COMPREPLY < <(compgen -f -- "$word"); return; }
       mapfile -t COMPREPLY < <(compgen -W "$("$study" list 2>/dev/null | awk '/^[a-z]/ {print $1}')" -- "$word") ;;
    esac
}

# The programs are those next to this file, which is installed once per program, or those that were built here.
_maxpool_programs()
{
    local folder=${BASH_SOURCE[0]%/*} program
    [ -e "$folder/study" ] || folder=$folder/../../build/bin
    for program in "$folder"/*_{serial,omp,mpi,cuda}; do
        [ ! -e "$program" ] || echo "${program##*/}"
    done
}

complete -F _maxpool_study study
for _maxpool_program in $(_maxpool_programs); do
    complete -o filenames -F _maxpool_point "$_maxpool_program"
done
unset _maxpool_program
unset -f _maxpool_programs
