#!/usr/bin/env bash
# On a machine with an NVIDIA GPU, nvcc, CMake and a C compiler: tests, checks and measures the GPU
# programs, and leaves OUT/gpu_check.tar with samples, environment and logs for `study import`, and
# OUT/summary.txt; no other file.
#   scripts/gpu_check.sh OUT [PART]...     all parts by default, in this order, which is that of worth:
# first     the GPU's bandwidths, and one line of everything: scripts/gpu/first.plan
# test      the GPU's test suite, and kernel facts
# sanitize  compute-sanitizer's four tools, each tried on a planted fault first; racecheck on convolution,
#           products in registers and training before the rest
# depth     scripts/gpu/depth.plan: convolutions of all shapes, products, networks, training, pooling
# profile   ncu on kernels of pooling, products, convolution and training: what do they wait for?
# measure   what scripts/gpu_plan.sh plans, as many commands as the time allows; again goes on
# windows   scripts/gpu/windows.plan: window by window
# What a part has no time for is named and is no failure; the next call goes on with the tar that OUT has.
# A part ends within ten minutes: MAXPOOL_GPU_SECONDS, default 450, is what it may use, and
# MAXPOOL_GPU_CALL_SECONDS what all parts of a call may use together. The tar is written anew every few
# launches, so that a run that is killed keeps what it had.
# MAXPOOL_GPU_BUILD names the build folder, MAXPOOL_GPU_CMAKE holds further options for CMake ("-G Ninja",
# -DMAXPOOL_CUDNN_ROOT=...), MAXPOOL_GPU_PLAN a plan for `measure` (without one, and where the program study
# cannot be built, it takes the three plans of scripts/gpu), MAXPOOL_COMMIT the commit where this is no git
# checkout.
# Exit status: 0 all well, 1 a test failed or a fault was found, 2 bad usage, 3 no GPU or no nvcc here,
# 5 the tar could not be written.
set -euo pipefail

usage() {
    sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

if [ $# -eq 0 ] || [ -z "$1" ] || [[ $1 == -* ]]; then usage; fi
out=$1
shift
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(first test sanitize depth profile measure windows)
for part in "${parts[@]}"; do
    case $part in first | test | sanitize | depth | profile | measure | windows) ;; *) usage ;; esac
done
if ! mkdir -p "$out" 2>/dev/null || [ ! -w "$out" ]; then
    echo "gpu_check.sh: $out cannot be written" >&2
    exit 5
fi
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/.."
build=${MAXPOOL_GPU_BUILD:-build-gpu}
case $build in /*) bin=$build/bin ;; *) bin=$PWD/$build/bin ;; esac
seconds=${MAXPOOL_GPU_SECONDS:-450}
call_seconds=${MAXPOOL_GPU_CALL_SECONDS:-86400}
plan=${MAXPOOL_GPU_PLAN:-}
failed=0

missing() {
    echo "gpu_check.sh: $*" >&2
    exit 3
}

# ---- the machine -----------------------------------------------------------------------------------

# The GPU's compute capability, such as 90, from nvidia-smi or from scripts/gpu/query.cu; "" without a GPU.
capability() {
    local reported
    reported=$(timeout 60 nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        head -n 1 | tr -d '. ') || reported=
    if [[ ! $reported =~ ^[0-9]+$ ]]; then
        nvcc -o "$work/query" scripts/gpu/query.cu 2>/dev/null || return 0
        reported=$(timeout 60 "$work/query" 2>/dev/null) || reported=
    fi
    echo "$reported"
}

find_nvcc() {
    local place
    for place in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /opt/cuda; do
        command -v nvcc >/dev/null && return
        [ -n "$place" ] && [ -x "$place/bin/nvcc" ] && PATH=$PATH:$place/bin
    done
    command -v nvcc >/dev/null
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find_nvcc || missing "no nvcc here: the CUDA Toolkit is missing, or not in PATH"
command -v cmake >/dev/null || missing "no cmake here"
architecture=$(capability)
[ -n "$architecture" ] || missing "no working NVIDIA GPU here (nvidia-smi and the CUDA runtime see none)"

# ---- the tar ---------------------------------------------------------------------------------------

# The tar is packed from a temporary folder, so that OUT holds two files however many logs there are.
folder=$work/gpu_check
if [ -s "$out/gpu_check.tar" ] && ! tar -C "$work" -xf "$out/gpu_check.tar" gpu_check 2>/dev/null; then
    echo "gpu_check.sh: $out/gpu_check.tar is no tar of an earlier call: move it away" >&2
    rm -rf "$work"
    exit 2
fi
mkdir -p "$folder/samples" "$folder/logs"
child=  # the running command
holder= # the process that holds a context
pack() {
    tar -C "$work" -cf "$out/gpu_check.tar.new" gpu_check && mv "$out/gpu_check.tar.new" "$out/gpu_check.tar" &&
        { [ ! -f "$folder/summary.txt" ] || cp "$folder/summary.txt" "$out/summary.txt"; }
}
# Called after each launch; every fourth call packs the tar.
launches_ended=0
keep() {
    launches_ended=$((launches_ended + 1))
    [ $((launches_ended % 4)) -ne 0 ] || pack || true # finish reports a failure if it persists
}
# Packs what was done, however this script ends. An interrupted part keeps its status.
finish() {
    local status=$?
    trap '' INT TERM
    [ -z "$child" ] || kill "$child" 2>/dev/null || true
    [ -z "$holder" ] || kill "$holder" 2>/dev/null || true
    [ ! -d "$folder/logs" ] || nvidia-smi -q >"$folder/logs/nvidia-smi.after.txt" 2>/dev/null || true
    pack || { echo "gpu_check.sh: $out/gpu_check.tar cannot be written" >&2; status=5; }
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() {
    printf '%s\n' "$*" | tee -a "$folder/summary.txt"
}

# ---- time limits -----------------------------------------------------------------------------------

began=$SECONDS
left() {
    local of_part=$((seconds - (SECONDS - began))) of_call=$((call_seconds - SECONDS))
    echo $((of_part < of_call ? of_part : of_call))
}

# limited SECONDS COMMAND...: runs it for at most that long, and at most as long as the part has left. It runs in the
# background, so that an interruption need not wait for it.
limited() {
    local most=$1 rest status=0
    shift
    rest=$(left)
    [ "$rest" -gt 0 ] || return 124
    timeout --kill-after=10 "$((most < rest ? most : rest))" "$@" </dev/null &
    child=$!
    wait "$child" || status=$?
    child=
    return "$status"
}

# ---- environment -----------------------------------------------------------------------------------

json_text() {
    printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"
}

commit_name() {
    if [ -n "${MAXPOOL_COMMIT:-}" ]; then
        echo "$MAXPOOL_COMMIT"
    else
        git describe --always --dirty=+dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown
    fi
}

# Writes what `study env` writes, as far as a shell can find it out.
write_environment() {
    local cpu memory release
    cpu=$(sed -n '/^model name/ { s/^[^:]*: *//p; q }' /proc/cpuinfo)
    memory=$(awk '/^MemTotal/ { print $2 * 1024 }' /proc/meminfo)
    release=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}")
    cat >"$folder/environment.json" <<JSON
{
  "time_utc": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "machine": {"host": $(json_text "$(uname -n)"), "cpu": $(json_text "${cpu:-unknown}"),
    "allowed_cores": $(nproc), "memory_bytes": ${memory:-0}},
  "system": {"name": $(json_text "$release"), "release": $(json_text "$(uname -r)")},
  "build": {"commit": $(json_text "$(commit_name)"), "type": "Release",
    "compiler": $(json_text "$(${CC:-cc} --version | head -n 1); $(nvcc --version | sed -n 's/^Cuda.*release/nvcc/p')"),
    "flags": $(json_text "-O3, nvcc for sm_$architecture")},
  "gpus": [$(json_text "$(nvidia-smi --query-gpu=name,driver_version,memory.total,pci.bus_id \
        --format=csv,noheader 2>/dev/null | head -n 1)")]
}
JSON
    {
        uname -a
        cmake --version | head -n 1
        nvcc --version
        nvidia-smi
        nvidia-smi -q -d CLOCK,PERFORMANCE,POWER,TEMPERATURE,ECC
    } >"$folder/environment.txt" 2>&1 || true
}

# ---- build -----------------------------------------------------------------------------------------

# CMake options for folders with include/ and lib/ in Python packages: cuDNN has its own; cuBLAS has one up to CUDA 12,
# and from 13 on is in the common folder of CUDA.
wheel_options() {
    local packages
    command -v python3 >/dev/null || return 0
    packages=$(python3 -c 'import nvidia; print(list(nvidia.__path__)[0])' 2>/dev/null) || return 0
    if [ -d "$packages/cudnn/include" ]; then echo "-DMAXPOOL_CUDNN_ROOT=$packages/cudnn"; fi
    if [ -d "$packages/cu13/include" ]; then
        echo "-DMAXPOOL_CUBLAS_ROOT=$packages/cu13"
    elif [ -d "$packages/cublas/include" ]; then
        echo "-DMAXPOOL_CUBLAS_ROOT=$packages/cublas"
    fi
}

configure() {
    local -a wheels
    local -a options=(-DCMAKE_BUILD_TYPE=Release "-DMAXPOOL_CUDA_ARCHITECTURES=${architecture}-real"
        "-DMAXPOOL_COMMIT=${MAXPOOL_COMMIT:-}")
    local -a more
    read -r -a more <<<"${MAXPOOL_GPU_CMAKE:-}"
    mapfile -t wheels < <(wheel_options)
    if [ ! -f "$build/CMakeCache.txt" ] && [[ " ${more[*]}" != *" -G"* ]] && ! command -v make >/dev/null &&
        command -v ninja >/dev/null; then
        more+=(-G Ninja)
    fi
    limited 120 cmake -S . -B "$build" "${options[@]}" "${wheels[@]}" "${more[@]}" >"$folder/logs/configure.txt" 2>&1
}

compile() {
    limited 400 cmake --build "$build" -j "$(nproc)" --target \
        maxpool_cuda matmul_cuda conv_cuda distances_cuda network_cuda maxpool_serial gpu_tests >"$folder/logs/build.txt" 2>&1
}

built=0
build_programs() {
    [ "$built" -eq 0 ] || return 0
    if ! configure || ! compile; then
        say "build: FAILED (logs/configure.txt, logs/build.txt)"
        tail -n 30 "$folder/logs/build.txt" "$folder/logs/configure.txt" 2>/dev/null >&2 || true
        exit 1
    fi
    built=1
    say "build: for sm_$architecture, $("$bin/maxpool_cuda" --version | head -n 1)"
    sed -n '/What this build can do/,/^-- $/p' "$folder/logs/configure.txt" >"$folder/logs/features.txt"
}

# ---- part: test ------------------------------------------------------------------------------------

# expect STATUS NAME COMMAND...: runs the command and writes one line of the summary.
expect() {
    local wanted=$1 name=$2 status=0
    shift 2
    limited 300 "$@" >"$folder/logs/test.$name.txt" 2>&1 || status=$?
    if [ "$status" -eq "$wanted" ]; then
        say "test $name: passed"
    elif [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        say "test $name: not finished in time, nothing is known"
    else
        say "test $name: FAILED with status $status, expected $wanted: $*"
        failed=1
    fi
    keep
}

run_tests() {
    local method part network math
    for part in image window chunks product conv distances; do
        expect 0 "grid_$part" "$bin/gpu_grid" "$part"
    done
    expect 0 grid_network "$bin/gpu_network"
    expect 0 grid_training "$bin/gpu_training"
    for method in naive loop tiled roof; do
        expect 0 "large_$method" "$bin/maxpool_cuda" -n 8192 --method "$method" --samples 10
        expect 0 "chunks_$method" "$bin/maxpool_cuda" -n 4096 -k 3 -s 1 -p 1 --method "$method" \
            --device-memory 16777216 --streams 3 --host-memory pinned --samples 10
    done
    for method in naive loop tiled registers; do
        expect 0 "matmul_$method" "$bin/matmul_cuda" -n 1000 --filter random --method "$method" --samples 10
    done
    local tensor=0 # the status of tensor cores
    [ "$architecture" -ge 80 ] || tensor=3
    for math in tf32 bf16; do
        expect $tensor "matmul_$math" "$bin/matmul_cuda" -n 1000 --filter random --math "$math" --samples 10
        expect $tensor "conv_$math" "$bin/conv_cuda" -n 56 --batch 16 --channels 64 --filters 64 -p 1 --math "$math" \
            --samples 10
    done
    for method in naive tiled; do
        expect 0 "conv_$method" "$bin/conv_cuda" -n 56 --batch 16 --channels 64 --filters 64 -p 1 \
            --method "$method" --samples 10
        expect 0 "distances_$method" "$bin/distances_cuda" -n 3000 --dimensions 128 --method "$method" \
            --samples 10
    done
    for network in resnet18 mobilenet_v2 alexnet_mri solar_cnn mlp:400-200; do
        expect 0 "network_${network%%:*}" "$bin/network_cuda" --network "$network" --batch 2 \
            --verify sampled --samples 5
    done
    expect 0 peers "$bin/gpu_peers"
    expect 0 kernel_facts "$bin/maxpool_cuda" -n 1024 --method all --kernel-facts --samples 1
    expect 0 kernel_facts_matmul "$bin/matmul_cuda" -n 1024 --method all --kernel-facts --samples 1
    expect 0 kernel_facts_conv "$bin/conv_cuda" -n 56 --batch 16 --channels 64 --filters 64 -p 1 --method all \
        --kernel-facts --samples 1
    expect 0 show_indices "$bin/maxpool_cuda" -n 8 --show-indices --samples 1
    expect 2 no_such_device "$bin/maxpool_cuda" -n 64 --device 1000
    expect 2 filter_too_large "$bin/maxpool_cuda" -n 300 -k 129 --filter-memory constant
    expect 0 list_methods "$bin/maxpool_cuda" --list-methods
}

# ---- part: sanitize --------------------------------------------------------------------------------

# Checks whether a tool is usable here: it must report its planted fault and must not report the correct program. An
# unusable tool is recorded as such, and never counts as a pass.
try_tool() {
    local tool=$1 log=$folder/logs/sanitize.$1.planted.txt status=0
    limited 60 compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/fault_$tool" >"$log" 2>&1 ||
        status=$?
    if [ "$status" -ne 9 ]; then
        say "sanitize $tool: NOT USABLE HERE: missed a planted fault (status $status)"
        return 1
    fi
    status=0
    limited 60 compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/control" \
        >"$folder/logs/sanitize.$tool.control.txt" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        say "sanitize $tool: NOT USABLE HERE: reports a sound program (status $status)"
        return 1
    fi
}

sanitize_one() { # TOOL NAME COMMAND...
    local tool=$1 name=$2 status=0
    shift 2
    limited 90 compute-sanitizer --tool "$tool" --error-exitcode 9 "$@" \
        >"$folder/logs/sanitize.$tool.$name.txt" 2>&1 || status=$?
    case $status in
    0) say "sanitize $tool $name: clean" ;;
    9)
        say "sanitize $tool $name: FAULT FOUND (logs/sanitize.$tool.$name.txt)"
        failed=1
        ;;
    124 | 137) say "sanitize $tool $name: not finished in time, nothing is known" ;;
    *)
        say "sanitize $tool $name: FAILED with status $status"
        failed=1
        ;;
    esac
    keep
}

# The kernels with the most shared memory, asynchronous copies and sums over several blocks.
sanitize_first() { # TOOL
    local method
    for method in naive tiled; do
        sanitize_one "$1" "conv_$method" "$bin/conv_cuda" -n 13 --batch 2 --channels 5 --filters 9 -p 1 \
            --bias random --method "$method" --samples 1 --warmup 0
    done
    for method in registers tiled naive loop; do
        sanitize_one "$1" "matmul_$method" "$bin/matmul_cuda" -R 35 -C 50 --filter random \
            --method "$method" --samples 1 --warmup 0
    done
    sanitize_one "$1" training "$bin/gpu_training" --first
}

sanitize_rest() { # TOOL
    local method
    # Poison initializes every array, so that initcheck finds reads of uninitialized memory only without it.
    [ "$1" != initcheck ] || sanitize_one initcheck unpoisoned "$bin/gpu_grid" --without-poison brief
    sanitize_one "$1" network "$bin/gpu_network" --first
    for method in naive tiled; do
        sanitize_one "$1" "distances_$method" "$bin/distances_cuda" -n 67 --dimensions 19 \
            --method "$method" --samples 1 --warmup 0
    done
    for method in naive loop tiled roof; do
        sanitize_one "$1" "image_$method" "$bin/maxpool_cuda" -R 37 -C 41 -k 3 -s 1 -p 1 \
            --filter random --method "$method" --samples 1 --warmup 0
        sanitize_one "$1" "chunks_$method" "$bin/maxpool_cuda" -R 70 -C 33 -k 5 -s 2 --block 32 \
            --method "$method" --streams 2 --host-memory pinned --device-memory 4096 --samples 1 --warmup 0
        sanitize_one "$1" "window_$method" "$bin/maxpool_cuda" -n 40 -k 20 --method "$method" \
            --offload window --filter-memory constant --samples 1 --warmup 0
        sanitize_one "$1" "apart_$method" "$bin/maxpool_cuda" -R 36 -C 44 --filter random \
            --method "$method" --samples 1 --warmup 0
    done
}

run_sanitizer() {
    local tool program
    local -a usable=()
    if ! command -v compute-sanitizer >/dev/null; then
        say "sanitize: NOT USABLE HERE: compute-sanitizer is missing"
        return
    fi
    for program in control fault_memcheck fault_racecheck fault_initcheck fault_synccheck; do
        limited 100 nvcc "-arch=sm_$architecture" -lineinfo -o "$work/$program" "scripts/gpu/$program.cu" \
            >>"$folder/logs/build.txt" 2>&1 || { say "sanitize: $program does not build"; failed=1; return; }
    done
    for tool in racecheck memcheck initcheck synccheck; do
        try_tool "$tool" || continue
        usable+=("$tool")
        sanitize_first "$tool"
    done
    for tool in "${usable[@]}"; do
        sanitize_rest "$tool"
    done
}

# ---- part: measure ---------------------------------------------------------------------------------

# Adds the rows of one launch to each experiment that they serve; "-" means none.
keep_samples() { # ROWS EXPERIMENT,...
    local rows=$1 name target
    [ "$2" != - ] || return 0
    for name in ${2//,/ }; do
        target=$folder/samples/$name.csv
        [ -s "$target" ] || head -n 1 "$rows" >"$target"
        tail -n +2 "$rows" | sed "s/^[^,]*,/$name,/" >>"$target"
    done
}

# Rows of layers are not samples: they belong to no experiment, so `study import` leaves them in this file.
keep_layers() { # ROWS
    [ -s "$1" ] || return 0
    [ -s "$folder/layers.rows.txt" ] || head -n 1 "$1" >"$folder/layers.rows.txt"
    tail -n +2 "$1" >>"$folder/layers.rows.txt"
}

measure_one() { # ROUND EXPERIMENTS COMMAND
    local rows=$work/rows.csv layers=$work/layers.csv status=0
    local -a words
    read -r -a words <<<"$3"
    [[ " $3 " != *" --layers "* ]] || words+=(--record-layers "$layers")
    rm -f "$rows" "$layers"
    limited 150 "$bin/${words[0]}" "${words[@]:1}" --round "$1" --experiment "${2%%,*}" --record "$rows" \
        --format csv >/dev/null 2>"$work/said" || status=$?
    if [ "$status" -eq 0 ]; then
        keep_samples "$rows" "$2"
        keep_layers "$layers"
        printf '%s\t%s\n' "$1" "$3" >>"$folder/measure.done"
    elif [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        printf '%s\t%s\n' "$1" "$3" >>"$folder/measure.unfinished"
    else
        printf '%s\t%s\t%s\t%s\n' "$1" "$status" "$3" "$(tr '\n' ' ' <"$work/said")" >>"$folder/measure.failed"
        [ "$status" -ne 1 ] || failed=1
    fi
    keep
}

# Takes the given plan, or makes one from the definitions with a program study that exists or can be built here.
# Otherwise takes the three plans of scripts/gpu.
make_plan() {
    local folder_of
    [ -z "$plan" ] || return 0
    [ -x "$bin/study" ] || limited 200 cmake --build "$build" -j "$(nproc)" --target study \
        >>"$folder/logs/build.txt" 2>&1 || true
    for folder_of in "${bin%/bin}" build build-debug; do
        [ -x "$folder_of/bin/study" ] || continue
        scripts/gpu_plan.sh "$folder_of" >"$folder/plan.txt" || continue
        plan=$folder/plan.txt
        return 0
    done
    say "measure: study cannot be built here: three rounds of the plans in scripts/gpu"
    plan=$folder/plan.txt
    cat scripts/gpu/first.plan scripts/gpu/depth.plan scripts/gpu/windows.plan | sed 's/^1 /3 /' >"$plan"
}

# Runs a plan round by round; sets `launched`.
follow_plan() { # PLAN
    local round launches experiments command
    touch "$folder/measure.done"
    launched=0
    for round in 0 1 2; do
        while read -r launches experiments command; do
            case $launches in "" | *[!0-9]*) continue ;; esac # a comment
            [ "$round" -lt "$launches" ] || continue
            grep -qxF -- "$round"$'\t'"$command" "$folder/measure.done" && continue
            [ "$(left)" -gt 5 ] || return 0
            measure_one "$round" "$experiments" "$command"
            launched=$((launched + 1))
        done <"$1"
    done
}

# PART PLAN: reports how much of the plan is done, including earlier calls and other parts.
report_progress() {
    local done
    done=$(awk -F '\t' 'NR == FNR { seen[$0] = 1; next }
        /^[0-9]/ { line = $0; split($0, word, " "); sub(/^[0-9]+ +[^ ]+ +/, "", line)
            for (r = 0; r < word[1]; r++) n += (r "\t" line) in seen }
        END { print n + 0 }' "$folder/measure.done" "$2")
    say "$1: $launched launches now, $done of $(awk '/^[0-9]/ { n += $1 } END { print n }' "$2") in all"
    [ ! -f "$folder/measure.failed" ] || say "$1: $(wc -l <"$folder/measure.failed") failed (measure.failed)"
    [ ! -f "$folder/measure.unfinished" ] ||
        say "$1: $(wc -l <"$folder/measure.unfinished") not finished in time (measure.unfinished)"
}

run_plan() { # PART
    follow_plan "scripts/gpu/$1.plan"
    report_progress "$1" "scripts/gpu/$1.plan"
}

# Runs small programs of scripts/gpu that measure this GPU; each writes a file with its own name.
report_on_gpu() {
    local program
    for program in bandwidth allocation; do
        [ ! -s "$folder/$program.txt" ] || continue
        if ! limited 100 nvcc "-arch=sm_$architecture" -O2 -o "$work/$program" "scripts/gpu/$program.cu" \
            >>"$folder/logs/build.txt" 2>&1 || ! limited 60 "$work/$program" >"$folder/$program.txt" 2>&1; then
            say "first: no $program"
        fi
    done
}

run_measurements() {
    make_plan
    follow_plan "$plan"
    report_progress measure "$plan"
}

# ---- part: profile ---------------------------------------------------------------------------------

# Reading counters needs a permission that few machines give; without it there are no results, which is no fault. The
# clock is not fixed: at its base frequency the profile would not match the measured kernel.
profile_one() { # NAME KERNEL LAUNCHES_BEFORE COUNT COMMAND...
    local name=$1 kernel=$2 before=$3 count=$4 status=0 log=$folder/logs/profile.$1.txt
    shift 4
    limited 100 ncu --clock-control none --set full --kernel-name-base demangled --kernel-name "regex:$kernel" \
        --launch-skip "$before" --launch-count "$count" "$@" --samples 1 --warmup 0 --verify none >"$log" 2>&1 || status=$?
    if [ "$status" -eq 0 ] && grep -Eq "$kernel" "$log"; then
        say "profile $name: logs/profile.$name.txt"
    else
        say "profile $name: NOT USABLE HERE (status $status, logs/profile.$name.txt)"
    fi
    keep
}

run_profiler() {
    local method
    if ! command -v ncu >/dev/null; then
        say "profile: NOT USABLE HERE: ncu is missing"
        return
    fi
    for method in tiled naive; do
        profile_one "conv_$method" "conv_$method" 1 1 "$bin/conv_cuda" -n 56 --batch 16 --channels 64 --filters 64 -p 1 \
            --method "$method"
    done
    for method in registers tiled; do
        profile_one "matmul_$method" "product_$method" 1 1 "$bin/matmul_cuda" -n 4096 --filter random --method "$method"
    done
    profile_one training "weight_tiles|weight_registers|bias|add_pieces|conv_tiled|pool_elements|adam" 0 40 \
        "$bin/network_cuda" --network solar_cnn --batch 128 --task train --data random
    for method in roof naive tiled loop; do
        profile_one "$method" "pool_$method" 1 1 "$bin/maxpool_cuda" -n 8192 --method "$method"
    done
}

# ---- the parts -------------------------------------------------------------------------------------

# While one process has a context, other processes create theirs sooner. The holder ends when its input closes, however
# this script ends.
hold_context() {
    limited 100 nvcc "-arch=sm_$architecture" -o "$work/hold" scripts/gpu/hold.cu >>"$folder/logs/build.txt" 2>&1 ||
        { say "no process holds a context: hold.cu does not build"; return 0; }
    mkfifo "$work/held"
    "$work/hold" <"$work/held" >>"$folder/logs/hold.txt" 2>&1 &
    holder=$!
    exec {held}<>"$work/held" # opened for reading and writing, so that opening does not block
    export MAXPOOL_GPU_HOLDER=$holder # which is no other process to the programs
}

# Processes of others on this GPU disturb what is measured.
say_who_computes() {
    local others
    others=$(timeout 60 nvidia-smi --query-compute-apps=pid,process_name --format=csv,noheader 2>/dev/null |
        awk -v own="${holder:-none}," '$1 ~ /^[0-9]+,$/ && $1 != own') || others=
    [ -z "$others" ] || say "$1 OTHER PROCESSES ON THIS GPU: $(echo "$others" | tr '\n' ';')"
}

write_environment
say_who_computes "before:"
[ "$(commit_name)" != unknown ] || say "commit: unknown here; give MAXPOOL_COMMIT"
for part in "${parts[@]}"; do
    began=$SECONDS
    [ "$(left)" -gt 0 ] || { say "== $part: no time was left"; continue; }
    say "== $part, $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    build_programs
    [ -n "$holder" ] || hold_context
    case $part in
    first)
        report_on_gpu
        run_plan first
        ;;
    test) run_tests ;;
    profile) run_profiler ;;
    sanitize) run_sanitizer ;;
    depth | windows) run_plan "$part" ;;
    measure) run_measurements ;;
    esac
    say_who_computes "during $part:"
    say "== $part: $((SECONDS - began)) s"
done
exit "$failed"
