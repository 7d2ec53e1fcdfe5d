# Bash completion for study and the point programs: options come from --help, methods from --list-methods, experiments
# and commands from study itself. No list is repeated here.
_maxpool_options()
{
    "$@" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

_maxpool_point()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $before in
    --network)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --list-networks 2>/dev/null | awk '{print $1}')" -- "$word")
        return
        ;;
    --method | --conv)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" --list-methods 2>/dev/null | awk '{print $1}')" -- "$word")
        return
        ;;
    -i | --input | -o | --output | --record | --per-rank | --weights | --save)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(_maxpool_options "${COMP_WORDS[0]}")" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}

_maxpool_study()
{
    local word=${COMP_WORDS[COMP_CWORD]} study=${COMP_WORDS[0]} command=${COMP_WORDS[1]:-}
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
    --lang)
        mapfile -t COMPREPLY < <(compgen -W "en es" -- "$word")
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
    [ -e "$folder/study" ] || folder=$folder/../build/bin
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
