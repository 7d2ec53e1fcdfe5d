#!/usr/bin/env bash
# Tests scripts/gpu_check.sh without a GPU: what it says on this machine and, with made-up tools in PATH, that
# every part does what it should. tests/cuda/test_gpu_check.sh BUILD_FOLDER
set -euo pipefail
bin=$(cd "$1" && pwd)/bin
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "test_gpu_check.sh: $*" >&2
    cat "$folder/said" "$folder/out/summary.txt" >&2 2>/dev/null || true
    exit 1
}
# check STATUS ARGUMENT...: runs gpu_check.sh, which must end with that status.
check() {
    local wanted=$1 status=0
    shift
    scripts/gpu_check.sh "$@" >"$folder/said" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "status $status, expected $wanted: $*"
}
reports() {
    grep -q -- "$1" "$folder/out/summary.txt" || fail "the summary lacks '$1'"
}
lacks() {
    ! grep -q -- "$1" "$folder/out/summary.txt" || fail "the summary has '$1'"
}

# Prints a file from the tar of an earlier call.
packed() { # OUT FILE
    tar -xOf "$folder/$1/gpu_check.tar" "gpu_check/$2"
}
# True if a packed file has a line like PATTERN. Not through a pipe: tar fails if grep ends before it.
packs() { # OUT FILE PATTERN
    packed "$1" "$2" >"$folder/unpacked" && grep -q -- "$3" "$folder/unpacked"
}

check 2
check 2 "$folder/out" nonsense
no_gpu=1
if nvidia-smi -L >/dev/null 2>&1; then no_gpu=0; fi
if [ "$no_gpu" = 1 ]; then # one line, and nothing left behind
    check 3 "$folder/out"
    [ "$(wc -l <"$folder/said")" -eq 1 ] || fail "more than one line"
    grep -Eq 'no nvcc|no working NVIDIA GPU' "$folder/said" || fail "the line does not say why"
    [ -z "$(ls "$folder/out")" ] || fail "something was left behind"
fi

# ---- made-up tools -----------------------------------------------------------------------------

tools=$folder/tools
mkdir -p "$tools" "$folder/build/bin"
tool() { # NAME: a shell script from standard input
    { echo '#!/bin/sh'; cat; } >"$tools/$1"
    chmod +x "$tools/$1"
}
tool nvidia-smi <<<'case $* in *compute_cap*) echo 9.0 ;; *query-gpu*) echo "made-up \"GPU\", 1" ;; *compute-apps*) [ -z "$FAKE_OTHERS" ] || echo "$FAKE_OTHERS, other" ;; *) echo made-up ;; esac'
tool nvcc <<'TOOL'
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
[ -z "$out" ] || { echo '#!/bin/sh' >"$out"; chmod +x "$out"; }
TOOL
tool cmake <<<'echo "$@"; exit "${FAKE_BUILD:-0}"'
tool python3 <<<'[ -n "$FAKE_WHEELS" ] && echo "$FAKE_WHEELS"'
# Sees every planted fault except those in FAKE_MISS, and invents or finds faults only if asked to.
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
reports 'sanitize synccheck matmul_tiled: clean'
reports 'sanitize initcheck unpoisoned: clean'
reports 'sanitize memcheck apart_roof: clean'
reports 'sanitize memcheck matmul_registers: clean'
reports 'sanitize racecheck conv_tiled: clean'
reports 'sanitize synccheck distances_tiled: clean'
reports 'sanitize initcheck network: clean'
reports 'sanitize racecheck training: clean'
# Before anything else, the kernels that use shared memory most run under racecheck.
[ "$(sed -n 's/^sanitize \([a-z]* [a-z_]*\): clean.*/\1/p' "$folder/out/summary.txt" | head -n 3 | tr '\n' ,)" = \
    "racecheck conv_naive,racecheck conv_tiled,racecheck matmul_registers," ] || fail "the order of the sanitizers"
[ "$(grep -n 'racecheck training' "$folder/out/summary.txt" | cut -d: -f1)" -lt \
    "$(grep -n 'racecheck image_naive' "$folder/out/summary.txt" | cut -d: -f1)" ] || fail "training is not before pooling"
FAKE_MISS=racecheck FAKE_INVENT=initcheck check 0 "$folder/again" sanitize
mv "$folder/again/summary.txt" "$folder/out/summary.txt"
reports 'sanitize racecheck: NOT USABLE HERE: missed'
reports 'sanitize initcheck: NOT USABLE HERE: reports a sound'
lacks 'racecheck .*clean'
lacks 'initcheck .*clean'
reports 'memcheck image_naive: clean'
lacks 'OTHER PROCESSES'
FAKE_OTHERS=4711 FAKE_FIND=memcheck check 1 "$folder/out" sanitize
reports 'before: OTHER PROCESSES ON THIS GPU: 4711, other'
reports 'during sanitize: OTHER PROCESSES ON THIS GPU: 4711, other'
reports 'sanitize memcheck window_loop: FAULT FOUND'

# ---- test --------------------------------------------------------------------------------------

check 1 "$folder/out" test # the made-up programs refuse nothing
reports 'test grid_image: passed'
reports 'test grid_conv: passed'
reports 'test grid_network: passed'
reports 'test network_mlp: passed'
reports 'test filter_too_large: FAILED with status 0, expected 2'
FAKE_BUILD=1 check 1 "$folder/out" test
reports 'build: FAILED'
# A test that hangs is reported, but is no failure.
printf '#!/bin/sh\nexec sleep 60\n' >"$folder/build/bin/gpu_grid"
MAXPOOL_GPU_SECONDS=2 scripts/gpu_check.sh "$folder/slow" test >/dev/null 2>&1 || true
grep -q 'test grid_image: not finished in time, nothing is known' "$folder/slow/summary.txt" ||
    fail "a test that hangs is not reported"
! grep -q FAILED "$folder/slow/summary.txt" || fail "a test that hangs counts as failed"
printf '#!/bin/sh\nexit 0\n' >"$folder/build/bin/gpu_grid"

# ---- profile, packages -----------------------------------------------------------------

printf '#!/bin/sh\necho pool_"$FAKE_KERNEL" \n' >"$tools/ncu"
chmod +x "$tools/ncu"
mkdir -p "$folder/wheels/cudnn/include" "$folder/wheels/cu13/include" "$folder/wheels/cublas/include"
FAKE_KERNEL=roof FAKE_WHEELS=$folder/wheels check 0 "$folder/out" profile
reports 'profile roof: logs/profile.roof.txt'
reports 'profile matmul_registers: NOT USABLE HERE'
printf '#!/bin/sh\nfor i in "$@"; do case $i in regex:*) echo "${i#regex:}" | cut -d"|" -f1 ;; esac; done\n' >"$tools/ncu"
check 0 "$folder/kernels" profile
for name in conv_tiled matmul_registers training roof; do
    grep -q "^profile $name: logs" "$folder/kernels/summary.txt" || fail "no profile of $name"
done
reports 'profile naive: NOT USABLE HERE'
packs out logs/configure.txt "-DMAXPOOL_CUDNN_ROOT=$folder/wheels/cudnn -DMAXPOOL_CUBLAS_ROOT=$folder/wheels/cu13" ||
    fail "the packages of CUDA 13 were not found"
rm -r "$folder/wheels/cu13"
FAKE_WHEELS=$folder/wheels MAXPOOL_GPU_CMAKE="-G Fake" MAXPOOL_COMMIT=0123456789ab check 0 "$folder/cublas" profile
packs cublas logs/configure.txt "-DMAXPOOL_CUBLAS_ROOT=$folder/wheels/cublas" ||
    fail "the packages of CUDA 12 were not found"
packs cublas logs/configure.txt "-DMAXPOOL_COMMIT=0123456789ab .*-G Fake" || fail "no options for CMake, or no commit"
packs cublas environment.json '"commit": "0123456789ab"' || fail "no commit in environment.json"
[ "$(ls "$folder/cublas" | tr '\n' ' ')" = "gpu_check.tar summary.txt " ] || fail "other files than the tar and the summary"
# Without make, Ninja is used.
mkdir "$folder/few"
cp -rs /usr/bin/. "$folder/few/" 2>/dev/null || true
rm -f "$folder/few/make" "$folder/few/gmake"
ln -sf /bin/true "$folder/few/ninja"
PATH=$tools:$folder/few MAXPOOL_GPU_BUILD=$folder/build check 0 "$folder/ninja" profile
packs ninja logs/configure.txt "-G Ninja" || fail "no Ninja where there is no make"
! packs out logs/configure.txt "-G Ninja" || fail "Ninja where there is make"
# A tar that the script did not write is not overwritten.
mkdir "$folder/strange"
echo precious >"$folder/strange/gpu_check.tar"
check 2 "$folder/strange" profile
grep -q precious "$folder/strange/gpu_check.tar" || fail "a strange file is gone"

# ---- measure -----------------------------------------------------------------------------------

cat >"$folder/plan" <<'PLAN'
# a comment
2 offload,transfers maxpool_cuda --method steady --rows 8 --cols 8 --samples 3
1 speedup maxpool_serial --method nogpu --rows 8 --cols 8 --samples 3
1 speedup maxpool_serial --method steady --rows 4 --cols 4 --samples 3
1 late late_cuda --method steady --rows 4 --cols 4 --samples 3
PLAN
export MAXPOOL_GPU_PLAN=$folder/plan
# Hangs while there is a file `hold`; otherwise ends with the status of a program that `timeout` ended.
cat >"$folder/build/bin/late_cuda" <<PROGRAM
#!/bin/sh
[ -e "$folder/hold" ] || exit 124
: >"$folder/holds"
exec sleep 3600
PROGRAM
chmod +x "$folder/build/bin/late_cuda"
# After an interruption the finished launches are in the tar, and the next call continues.
: >"$folder/hold"
scripts/gpu_check.sh "$folder/out" measure >/dev/null 2>&1 &
until [ -e "$folder/holds" ] || ! kill -0 $!; do sleep 0.1; done
kill -TERM $!
status=0
wait $! || status=$?
[ "$status" -eq 143 ] || fail "status $status after SIGTERM"
packs out samples/speedup.csv maxpool_serial || fail "an interrupted run lost its launches"
rm "$folder/hold"
check 0 "$folder/out" measure # the launch that was ended is reported, the others are kept
reports 'measure: 3 launches now, 3 of 5 in all'
reports 'measure: 1 not finished in time'
sed -i /late/d "$folder/plan"
check 0 "$folder/out" measure
reports 'measure: 1 launches now, 3 of 4 in all'
# If it is killed, finished launches are kept: every fourth launch packs the tar.
{
    for n in 1 2 3 4; do echo "1 killed maxpool_cuda --method steady --rows $n --cols 8 --samples 3"; done
    echo "1 late maxpool_cuda --method hang --rows 4 --cols 4 --samples 3"
} >"$folder/deadly"
MAXPOOL_GPU_PLAN=$folder/deadly MAXPOOL_GPU_SECONDS=60 scripts/gpu_check.sh "$folder/killed" measure >/dev/null 2>&1 &
killed=$!
for _ in $(seq 300); do
    [ ! -s "$folder/killed/gpu_check.tar" ] || break
    sleep 0.1
done
kill -KILL "$killed"
wait "$killed" 2>/dev/null || true
[ "$(packed killed samples/killed.csv | wc -l)" -eq 13 ] || fail "a killed run lost its launches"
# No layer without --layers, no sample of experiment -, and layers in their own file.
cat >"$folder/rows" <<'PLAN'
1 - network_cuda --method steady --rows 2 --cols 8 --samples 3 --layers
PLAN
mv "$folder/build/bin/network_cuda" "$folder/build/bin/fake_network"
cat >"$folder/build/bin/network_cuda" <<'PROGRAM'
#!/bin/sh
for word in "$@"; do
    [ "$before" != --record-layers ] || printf 'experiment,layer\n,conv1\n' >"$word"
    before=$word
done
exec "${0%/*}/fake_network" "$@"
PROGRAM
chmod +x "$folder/build/bin/network_cuda"
MAXPOOL_GPU_PLAN=$folder/rows check 0 "$folder/layers" measure
[ -z "$(tar -tf "$folder/layers/gpu_check.tar" | grep 'samples/.')" ] || fail "samples of no experiment"
[ "$(packed layers layers.rows.txt)" = "$(printf 'experiment,layer\n,conv1')" ] || fail "the rows of the layers are lost"
# The parts of one call share its time.
MAXPOOL_GPU_CALL_SECONDS=0 check 0 "$folder/short" first test
[ "$(grep -c 'no time was left' "$folder/short/summary.txt")" -eq 2 ] || fail "parts took more than the call's seconds"
[ "$(tar -tf "$folder/out/gpu_check.tar" | grep -c 'samples/.*\.csv$')" -eq 3 ] || fail "samples lack in the tar"
"$bin/study" import "$folder/out/gpu_check.tar" --results "$folder/results" >"$folder/said" ||
    fail "study import failed"
# Two of the three experiments have the same launches.
grep -q '^9 samples from 3 files; 6 were there already, 0 corrupt' "$folder/said" || fail "import"
"$bin/study" export transfers --samples --results "$folder/results" | grep -q '^transfers,maxpool_cuda,' ||
    fail "samples of transfers"
grep -q 'made-up \\"GPU\\"' "$folder/results/environment.json" || fail "environment.json"
"$bin/study" analyze offload --results "$folder/results" >/dev/null || fail "study analyze failed"

# Without a plan it uses the definitions, if there is a study to read them.
unset MAXPOOL_GPU_PLAN
scripts/gpu_plan.sh "$(dirname "$bin")" >"$folder/fresh" || fail "no plan of the definitions"
# Every experiment with points of a GPU is in the plan and in the page's table.
grep -lE '^programs = (.* )?[a-z]+_cuda( |$)' experiments/definition/definitions/*/*.ini |
    sed 's|.*/||; s|\.ini$||' | LC_ALL=C sort >"$folder/experiments"
sed -n '/^## Experiments/,/^## /s/^| \(`[a-z_`, ]*`\) |.*/\1/p' docs/gpu.md | tr -d '`,' | tr ' ' '\n' | LC_ALL=C sort >"$folder/reports"
diff "$folder/experiments" "$folder/reports" >"$folder/said" || fail "the table of docs/gpu.md has other experiments"
for experiment in $(cat "$folder/experiments"); do
    grep -q "^[0-9]* [a-z_,]*$experiment" "$folder/fresh" || fail "no command of $experiment in the plan"
done
# An image of 1 GiB has ten samples at least, however long they take.
! grep -E '^[0-9]+ [a-z_,]+ maxpool_cuda .*--rows 16384 ' "$folder/fresh" | grep -v 'offload window' |
    grep -v -- '--samples 10 .*--max-seconds 60' || fail "n = 16384 has fewer samples"
# The first plan has one line of everything, written by hand.
lines() { grep -Eq -- "$1" scripts/gpu/first.plan || fail "the first plan lacks: $1"; }
lines '^1 peers maxpool_cuda --method all --rows 16384 .*--host-memory pinned .*--samples 10 '
lines '^1 peers matmul_cuda --method all --rows 4096 .*--filter random '
for method in naive,tiled cudnn cudnn-nchw cudnn-nhwc cublas; do
    lines "^1 conv_layers conv_cuda --method $method --rows 56 --cols 56 --channels 64 .*--batch 16 "
    lines "^1 conv_layers conv_cuda --method $method --rows 7 --cols 7 --channels 512 .*--batch 16 "
done
lines '^1 distances_growth distances_cuda --method naive,tiled --rows 20000 --cols 128 '
for network in resnet18 mobilenet_v2; do
    for method in own cudnn; do
        for batch in 1 16 64; do
            lines "^1 lighter network_cuda --method $method --network $network --image-size 224 --batch $batch "
            lines "^1 - network_cuda --method $method --network $network .*--batch $batch --layers "
        done
    done
done
lines '^1 cnn_batch network_cuda --method own --network solar_cnn .*--batch 128 --task train '
lines '^1 - network_cuda --method own --network resnet18 .*--batch 1 --submit graph '
lines '^1 - network_cuda --method own --network mlp:50 .*--task train .*--submit graph '
guess=$(sed -n 's/^# By a guess: .*, \([0-9]*\) s$/\1/p' scripts/gpu/first.plan)
[ "$guess" -gt 60 ] && [ "$guess" -lt 300 ] || fail "the first plan takes '$guess' s by its own guess"
# The other plans are what the definitions say now, except peers that this build may lack.
commands() { sed -n 's/^1 [^ ]* //p' "$1" | LC_ALL=C sort; }
for plan in depth windows; do
    scripts/gpu_plan.sh --$plan "$(dirname "$bin")" >"$folder/$plan" || fail "no plan $plan"
    commands "$folder/$plan" >"$folder/now"
    commands scripts/gpu/$plan.plan >"$folder/kept"
    [ -z "$(LC_ALL=C comm -23 "$folder/now" "$folder/kept")" ] || fail "$plan.plan lacks commands: scripts/gpu_plan.sh --$plan"
    ! LC_ALL=C comm -13 "$folder/now" "$folder/kept" | grep -Ev -- '--(method|engine) (cudnn|cudnn-nchw|cudnn-nhwc|cublas) ' >"$folder/said" ||
        fail "$plan.plan has commands that no definition asks for: scripts/gpu_plan.sh --$plan"
done
for plan in first depth windows; do
    [ "$(scripts/gpu_plan.sh --estimate <scripts/gpu/$plan.plan | tail -n 1)" = "$(tail -n 1 scripts/gpu/$plan.plan)" ] ||
        fail "the guess of $plan.plan is not that of its lines"
done
! grep -q -- '--rows 16384 .*--host-memory pageable' scripts/gpu/depth.plan || fail "1 GiB waits for pageable memory in the plan in depth"
for shape in '--kernel-size 1 ' '--rows 7 ' '--kernel-size 7 ' '--groups 960 '; do
    grep -q -- "conv_cuda --method cudnn .*$shape" scripts/gpu/depth.plan || fail "the plan in depth lacks convolutions of $shape"
done
# A window costs seven calls of the driver, so 65,536 windows take seconds.
[ "$(scripts/gpu_plan.sh --estimate <scripts/gpu/windows.plan | awk '/--rows 512 .*--kernel-size 2 / && $1 < 6' | wc -l)" -eq 0 ] ||
    fail "windows are guessed to cost nothing"
# Without a study the three plans are used, for three rounds.
mkdir "$folder/copy"
cp -r scripts "$folder/copy"
(cd "$folder/copy" && env -u MAXPOOL_COMMIT GIT_CEILING_DIRECTORIES="$folder" MAXPOOL_GPU_SECONDS=4 \
    scripts/gpu_check.sh "$folder/brought" measure) >"$folder/said" 2>&1 || fail "no measuring without a study"
packs brought plan.txt '^3 lighter network_cuda' || fail "no plan is brought along"
grep -q '^commit: unknown here; give MAXPOOL_COMMIT' "$folder/brought/summary.txt" || fail "an unknown commit is not reported"
ln -s "$bin/study" "$folder/build/bin/study"
MAXPOOL_GPU_SECONDS=8 check 0 "$folder/planned" measure
packed planned plan.txt | cmp -s "$folder/fresh" - || fail "another plan than that of gpu_plan.sh"
# Every command of the plans is understood: the programs get as far as looking for a GPU. Each option for samples and
# verification is tried once, with one command.
samples=' --(verify|warmup|samples|relative-ci|max-seconds) [^ ]*'
gpu_commands() { sed -n 's/^[0-9]* [^ ]* \([a-z]*_cuda .*\)/\1/p' "$folder/fresh" scripts/gpu/*.plan; }
if [ "$no_gpu" = 1 ]; then
    while read -r program options; do
        status=0
        # shellcheck disable=SC2086 # the options are words
        "$bin/$program" $options >/dev/null 2>"$folder/said" </dev/null || status=$?
        [ "$status" -eq 3 ] || fail "status $status, expected 3: $program $options"
    done < <({
        gpu_commands | sed -E "s/$samples//g"
        gpu_commands | grep -oE -- "$samples" | sed 's/^/maxpool_cuda --rows 8 --cols 8/'
    } | LC_ALL=C sort -u)
fi

echo "gpu_check.sh does what it says"
