#!/usr/bin/env bash
# scripts/gpu_check.sh without a GPU: what it says here, and, with made-up tools in PATH, that every
# part does what it should. tests/cuda/test_gpu_check.sh BUILD_FOLDER
set -euo pipefail
bin=$(cd "$1" && pwd)/bin
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "test_gpu_check.sh: $*" >&2
    cat "$folder/said" "$folder/out/gpu_check/summary.txt" >&2 2>/dev/null || true
    exit 1
}
# check STATUS ARGUMENT...: runs gpu_check.sh, which must end so.
check() {
    local wanted=$1 status=0
    shift
    scripts/gpu_check.sh "$@" >"$folder/said" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "status $status, expected $wanted: $*"
}
told() {
    grep -q -- "$1" "$folder/out/gpu_check/summary.txt" || fail "the summary lacks '$1'"
}
not_told() {
    ! grep -q -- "$1" "$folder/out/gpu_check/summary.txt" || fail "the summary has '$1'"
}

check 2
check 2 "$folder/out" nonsense
no_gpu=1
if nvidia-smi -L >/dev/null 2>&1; then no_gpu=0; fi
if [ "$no_gpu" = 1 ]; then # one line, and nothing left behind
    check 3 "$folder/out"
    [ "$(wc -l <"$folder/said")" -eq 1 ] || fail "more than one line"
    grep -Eq 'no nvcc|no working NVIDIA GPU' "$folder/said" || fail "the line does not say why"
    [ ! -e "$folder/out/gpu_check" ] || fail "something was left behind"
fi

# ---- made-up tools -----------------------------------------------------------------------------

tools=$folder/tools
mkdir -p "$tools" "$folder/build/bin"
tool() { # NAME: a shell script from standard input
    { echo '#!/bin/sh'; cat; } >"$tools/$1"
    chmod +x "$tools/$1"
}
tool nvidia-smi <<<'case $* in *compute_cap*) echo 9.0 ;; *query-gpu*) echo "made-up \"GPU\", 1" ;; *) echo made-up ;; esac'
tool nvcc <<'TOOL'
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
[ -z "$out" ] || { echo '#!/bin/sh' >"$out"; chmod +x "$out"; }
TOOL
tool cmake <<<'echo "$@"; exit "${FAKE_BUILD:-0}"'
tool python3 <<<'[ -n "$FAKE_WHEELS" ] && echo "$FAKE_WHEELS"'
# Sees every planted fault but those it is told to miss, and invents or finds none but when told to.
tool compute-sanitizer <<'TOOL'
tool=$2
shift 4
name=${1##*/}
case " ${FAKE_MISS:-} " in *" $tool "*) exit 0 ;; esac
case $name in
fault_*) exit 9 ;;
control) case " ${FAKE_INVENT:-} " in *" $tool "*) exit 9 ;; esac ;;
*) case " ${FAKE_FIND:-} " in *" $tool "*) exit 9 ;; esac ;;
esac
exit 0
TOOL
export PATH=$tools:$PATH MAXPOOL_GPU_BUILD=$folder/build
for name in maxpool_cuda matmul_cuda conv_cuda distances_cuda network_cuda maxpool_serial; do
    cp "$bin/fake_point" "$folder/build/bin/$name"
done
for name in gpu_grid gpu_network gpu_training gpu_peers; do
    printf '#!/bin/sh\nexit 0\n' >"$folder/build/bin/$name"
    chmod +x "$folder/build/bin/$name"
done

# ---- sanitize ----------------------------------------------------------------------------------

check 0 "$folder/out" sanitize
told 'sanitize synccheck matmul_tiled: clean'
told 'sanitize initcheck unpoisoned: clean'
told 'sanitize memcheck apart_roof: clean'
told 'sanitize memcheck matmul_registers: clean'
told 'sanitize racecheck conv_tiled: clean'
told 'sanitize synccheck distances_tiled: clean'
told 'sanitize initcheck network: clean'
FAKE_MISS=racecheck FAKE_INVENT=initcheck check 0 "$folder/again" sanitize
mv "$folder/again/gpu_check/summary.txt" "$folder/out/gpu_check/summary.txt"
told 'sanitize racecheck: NOT USABLE HERE: missed'
told 'sanitize initcheck: NOT USABLE HERE: reports a sound'
not_told 'racecheck .*clean'
not_told 'initcheck .*clean'
told 'memcheck image_naive: clean'
FAKE_FIND=memcheck check 1 "$folder/out" sanitize
told 'sanitize memcheck window_loop: FAULT FOUND'

# ---- test --------------------------------------------------------------------------------------

check 1 "$folder/out" test # the made-up programs refuse nothing
told 'test grid_image: passed'
told 'test grid_conv: passed'
told 'test grid_network: passed'
told 'test network_mlp: passed'
told 'test filter_too_large: FAILED with status 0, expected 2'
FAKE_BUILD=1 check 1 "$folder/out" test
told 'build: FAILED'
# What hangs is told, and is no failure.
printf '#!/bin/sh\nexec sleep 60\n' >"$folder/build/bin/gpu_grid"
MAXPOOL_GPU_SECONDS=2 scripts/gpu_check.sh "$folder/slow" test >/dev/null 2>&1 || true
grep -q 'test grid_image: not finished in time, nothing is known' "$folder/slow/gpu_check/summary.txt" ||
    fail "a test that hangs is not told"
! grep -q FAILED "$folder/slow/gpu_check/summary.txt" || fail "a test that hangs counts as failed"
printf '#!/bin/sh\nexit 0\n' >"$folder/build/bin/gpu_grid"

# ---- points, profile, packages -----------------------------------------------------------------

printf '#!/bin/sh\necho pool_"$FAKE_KERNEL" \n' >"$tools/ncu"
chmod +x "$tools/ncu"
mkdir -p "$folder/wheels/cudnn/include" "$folder/wheels/cu13/include" "$folder/wheels/cublas/include"
FAKE_KERNEL=roof FAKE_WHEELS=$folder/wheels check 0 "$folder/out" profile
told 'profile roof: logs/profile.roof.txt'
told 'profile naive: NOT USABLE HERE'
grep -q -- "-DMAXPOOL_CUDNN_ROOT=$folder/wheels/cudnn -DMAXPOOL_CUBLAS_ROOT=$folder/wheels/cu13" \
    "$folder/out/gpu_check/logs/configure.txt" || fail "the packages of CUDA 13 were not found"
rm -r "$folder/wheels/cu13"
FAKE_WHEELS=$folder/wheels check 0 "$folder/out" points
grep -q -- "-DMAXPOOL_CUBLAS_ROOT=$folder/wheels/cublas" "$folder/out/gpu_check/logs/configure.txt" ||
    fail "the packages of CUDA 12 were not found"
told 'points: every method at n = 16384'

# ---- measure -----------------------------------------------------------------------------------

cat >"$folder/plan" <<'PLAN'
# a comment
2 offload,transfers maxpool_cuda --method steady --rows 8 --cols 8 --samples 3
1 speedup maxpool_serial --method nogpu --rows 8 --cols 8 --samples 3
1 speedup maxpool_serial --method steady --rows 4 --cols 4 --samples 3
1 late maxpool_cuda --method hang --rows 4 --cols 4 --samples 3
PLAN
export MAXPOOL_GPU_PLAN=$folder/plan
MAXPOOL_GPU_SECONDS=7 check 0 "$folder/out" measure # the one that hangs is ended, the rest is kept
told 'measure: 4 launches now, 2 of 5 in all'
told 'measure: 1 not finished in time'
# Interrupted: what was done is in the tar, and the next call goes on.
scripts/gpu_check.sh "$folder/out" measure >/dev/null 2>&1 &
sleep 2
kill -TERM $!
status=0
wait $! || status=$?
[ "$status" -eq 143 ] || fail "status $status after SIGTERM"
sed -i /hang/d "$folder/plan"
check 0 "$folder/out" measure
told 'measure: 2 launches now, 3 of 4 in all'
[ "$(tar -tf "$folder/out/gpu_check.tar" | grep -c 'samples/.*\.csv$')" -eq 3 ] || fail "samples lack in the tar"
"$bin/study" import "$folder/out/gpu_check.tar" --results "$folder/results" >"$folder/said" ||
    fail "study import failed"
grep -q '^15 samples from 3 files; 0 were there already, 0 corrupt' "$folder/said" || fail "import"
grep -q '^transfers,maxpool_cuda,' "$folder/results/transfers.csv" || fail "transfers.csv"
grep -q 'made-up \\"GPU\\"' "$folder/results/environment.json" || fail "environment.json"
"$bin/study" analyze offload --results "$folder/results" >/dev/null || fail "study analyze failed"

# Without a plan it takes what the definitions say, where there is a study to say it.
unset MAXPOOL_GPU_PLAN
scripts/gpu_plan.sh "$(dirname "$bin")" >"$folder/fresh" || fail "no plan of the definitions"
for experiment in cuda_growth offload transfers filter_memory speedup peers conv_layers distances_growth devices cnn_batch mlp_training mri_training; do
    grep -q "^[0-9]* [a-z_,]*$experiment" "$folder/fresh" || fail "no command of $experiment in the plan"
done
scripts/gpu_plan.sh --first "$(dirname "$bin")" >"$folder/first" || fail "no first plan"
grep -q '^1 peers matmul_cuda --method registers .*--rows 8192' scripts/gpu/first.plan || fail "the first plan lacks products"
grep -q '^1 conv_layers conv_cuda --method tiled ' scripts/gpu/first.plan || fail "the first plan lacks convolutions"
grep -q '^1 distances_growth distances_cuda --method tiled ' scripts/gpu/first.plan || fail "the first plan lacks distances"
grep -q '^1 devices network_cuda --method own ' scripts/gpu/first.plan || fail "the first plan lacks networks"
for experiment in cnn_batch mlp_training mri_training; do
    grep -q "^1 $experiment network_cuda --method own .* --task train " scripts/gpu/first.plan || fail "the first plan lacks training: $experiment"
done
[ "$(grep -c '^1 ' "$folder/first")" -ge 100 ] || fail "the first plan is too short"
# It is what the definitions say now, but for peers that this build may lack; and it takes less than 8 minutes.
commands() { sed -n 's/^1 [^ ]* //p' "$1" | LC_ALL=C sort; }
commands "$folder/first" >"$folder/now"
commands scripts/gpu/first.plan >"$folder/kept"
[ -z "$(LC_ALL=C comm -23 "$folder/now" "$folder/kept")" ] || fail "first.plan lacks commands: scripts/gpu_plan.sh --first"
! LC_ALL=C comm -13 "$folder/now" "$folder/kept" | grep -Ev -- '--(method|engine) (cudnn|cublas) ' >"$folder/said" ||
    fail "first.plan has commands that no definition asks for: scripts/gpu_plan.sh --first"
guess=$(sed -n 's/^# By a guess.*, \([0-9]*\) s\.$/\1/p' scripts/gpu/first.plan)
[ "$guess" -gt 60 ] && [ "$guess" -lt 480 ] || fail "the first plan takes '$guess' s by its own guess"
ln -s "$bin/study" "$folder/build/bin/study"
MAXPOOL_GPU_SECONDS=8 check 0 "$folder/planned" measure
cmp -s "$folder/fresh" "$folder/planned/gpu_check/plan.txt" || fail "another plan than that of gpu_plan.sh"
# Every command of it is understood: the programs get as far as looking for a GPU.
if [ "$no_gpu" = 1 ]; then
    while read -r _ _ program options; do
        case $program in *_cuda) ;; *) continue ;; esac
        status=0
        # shellcheck disable=SC2086 # the options are words
        "$bin/$program" $options >/dev/null 2>"$folder/said" </dev/null || status=$?
        [ "$status" -eq 3 ] || fail "status $status, expected 3: $program $options"
    done < <(cat "$folder/fresh" scripts/gpu/first.plan)
fi

echo "gpu_check.sh does what it says"
