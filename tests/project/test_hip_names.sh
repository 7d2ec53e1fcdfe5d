#!/usr/bin/env bash
# Each name of the CUDA runtime that the sources of cuda/ use has one of HIP in cuda/hip: a build for GPUs of AMD, which few
# machines can make, compiles.
# Usage: test_hip_names.sh SOURCE_FOLDER
set -euo pipefail
cd "${1:?usage: test_hip_names.sh SOURCE_FOLDER}"
header=cuda/hip/cuda_runtime_api.h
code() { # FILE...: without comments and texts
    sed -E 's/"([^"\\]|\\.)*"//g; s|//.*||' "$@" | tr '\n' '\v' | sed -E 's|/\*[^*]*\*+([^/*][^*]*\*+)*/||g' | tr '\v' '\n'
}
names() { grep -oE '\bcuda[A-Z][A-Za-z0-9]*(_t)?\b' | sort -u; }

mapfile -t sources < <(find cuda -maxdepth 1 -name '*.[ch]' && find cuda/kernels cuda/network cuda/ranks cuda/peers/peer_kernels.* -type f)
used=$(code "${sources[@]}" | names)
known=$(code $header | names)
[ "$(wc -l <<<"$used")" -ge 40 ] || {
    echo "test_hip_names.sh: only $(wc -l <<<"$used") names are used in ${#sources[@]} files; were they moved?" >&2
    exit 1
}
missing=$(comm -23 <(echo "$used") <(echo "$known"))
[ -z "$missing" ] || {
    echo "$header has no name of HIP for:" >&2
    echo "$missing" >&2
    exit 1
}
unused=$(comm -13 <(echo "$used") <(echo "$known"))
[ -z "$unused" ] || {
    echo "$header has names that nothing in cuda/ uses:" >&2
    echo "$unused" >&2
    exit 1
}
