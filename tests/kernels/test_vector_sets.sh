#!/usr/bin/env bash
# Every instruction set of kernels/vector/ must define every operation of kernels/vector/operations.h: the
# lists are compared for all sets, and the sets for which the compiler CC has flags are compiled. Then some
# operations are left out of each set, one at a time, and both checks must see it.
# Usage: test_vector_sets.sh CC
set -euo pipefail
compiler=${1:?usage: test_vector_sets.sh CC}
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sets="avx512 avx2 sse2 neon generic"
declare -A flags=([avx512]="-mavx512f -mavx512vl -mavx512bw -mavx512dq -mavx2 -mfma" [avx2]="-mavx2 -mfma"
    [sse2]="-msse2" [neon]="" [generic]="")

# declarations FILE KEYWORD: the functions of the file that begin with the keyword, as "type name(arguments)".
declarations() {
    awk -v keyword="$2" '
        $1 == keyword { text = ""; open = 1 }
        open { text = text " " $0 }
        open && /\)/ {
            sub("^ *" keyword " ", "", text)
            sub("\\).*", ")", text)
            gsub(/[ \t]+/, " ", text)
            print text
            open = 0
        }' "$1" | sort
}

# lacking ROOT SET: prints the operations that the set does not have with the same declaration.
lacking() {
    local files=("$1/kernels/vector/$2.h")
    grep -q '"kernels/vector/unmasked.h"' "${files[0]}" && files+=("$1/kernels/vector/unmasked.h")
    comm -23 <(declarations "$1/kernels/vector/operations.h" VECTOR_OPERATION) \
        <(for file in "${files[@]}"; do declarations "$file" VECTOR_INLINE; done | sort)
}

# compiles ROOT SET: true if the set compiles together with the list.
compiles() {
    printf '#include "kernels/vector/%s.h"\n#include "kernels/vector/operations.h"\n' "$2" >"$folder/set.c"
    # shellcheck disable=SC2086 # flags are several words
    "$compiler" -std=c17 -Wall -Wextra -Werror ${flags[$2]} -I "$1" -c "$folder/set.c" -o "$folder/set.o" \
        >"$folder/said" 2>&1
}

[ "$(declarations kernels/vector/operations.h VECTOR_OPERATION | wc -l)" -ge 19 ]
compiled=""
for set in $sets; do
    missing=$(lacking . "$set")
    [ -z "$missing" ] || { echo "test_vector_sets.sh: $set lacks $missing" >&2; exit 1; }
    # shellcheck disable=SC2086
    if echo 'int x;' | "$compiler" ${flags[$set]} $([ "$set" = neon ] && echo -include arm_neon.h) \
        -x c -fsyntax-only - 2>/dev/null; then
        compiles . "$set" || { cat "$folder/said" >&2; exit 1; }
        compiled="$compiled $set"
    fi
done
echo "lists compared:" $sets
echo "compiled:" $compiled
[ -n "$compiled" ]

# Planted fault: the operation has another name. gcc reports every function that is declared and never
# defined; clang only those that are used.
"$compiler" --version | grep -q 'Free Software Foundation' || compiled=""
mkdir -p "$folder/copy/kernels"
for set in $sets; do
    for name in vec_all vec_delay vec_load_part vec_store_lanes vec_keep; do
        rm -rf "$folder/copy/kernels/vector"
        cp -r kernels/vector "$folder/copy/kernels/"
        sed -i "/^VECTOR_INLINE .*$name(/s/$name(/left_out(/" \
            "$folder/copy/kernels/vector/$set.h" "$folder/copy/kernels/vector/unmasked.h"
        lacking "$folder/copy" "$set" | grep -q "$name(" ||
            { echo "test_vector_sets.sh: $name left out of $set was not seen" >&2; exit 1; }
        case " $compiled " in
        *" $set "*)
            compiles "$folder/copy" "$set" && { echo "test_vector_sets.sh: $set compiled without $name" >&2; exit 1; }
            grep -q "$name" "$folder/said" || { cat "$folder/said" >&2; exit 1; }
            ;;
        esac
    done
done
