#!/usr/bin/env bash
# On a machine with an NVIDIA GPU, nvcc, CMake and a C compiler: tests, checks and measures the GPU
# programs, and leaves OUT/gpu_check.tar with samples, environment and logs for `study import`.
#   scripts/gpu_check.sh OUT [PART]...     parts: test sanitize measure; all three by default
# test      builds for this GPU and runs the GPU's test suite
# sanitize  compute-sanitizer's four tools, each tried on a planted fault first
# measure   what scripts/gpu_plan.sh plans, as many commands as the time allows; again goes on
# A part ends within 8 minutes (MAXPOOL_GPU_SECONDS, default 450, is what it may use). What was done
# is in the tar even if a part fails or is interrupted. MAXPOOL_GPU_BUILD names the build folder,
# MAXPOOL_GPU_CMAKE holds further options for CMake (-DMAXPOOL_CUDNN_ROOT=..., say), MAXPOOL_GPU_PLAN
# a plan made elsewhere, where the program study cannot be built here, MAXPOOL_COMMIT the commit where
# this is no git checkout.
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
[ ${#parts[@]} -gt 0 ] || parts=(test sanitize measure)
for part in "${parts[@]}"; do
    case $part in test | sanitize | measure) ;; *) usage ;; esac
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
folder=$out/gpu_check
plan=${MAXPOOL_GPU_PLAN:-}
failed=0

missing() {
    echo "gpu_check.sh: $*" >&2
    exit 3
}

# ---- what is here ----------------------------------------------------------------------------------

# The GPU's compute capability as 90, by nvidia-smi or by a program of one line; "" without a GPU.
capability() {
    local told
    told=$(timeout 60 nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        head -n 1 | tr -d '. ') || told=
    if [[ ! $told =~ ^[0-9]+$ ]]; then
        nvcc -o "$work/query" scripts/gpu/query.cu 2>/dev/null || return 0
        told=$(timeout 60 "$work/query" 2>/dev/null) || told=
    fi
    echo "$told"
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

mkdir -p "$folder/samples" "$folder/logs"
child= # the command under way
pack() {
    tar -C "$out" -cf "$out/gpu_check.tar.new" gpu_check && mv "$out/gpu_check.tar.new" "$out/gpu_check.tar"
}
# Whatever ends this script, what was done is packed. An interrupted part has its status.
finish() {
    local status=$?
    trap '' INT TERM
    [ -z "$child" ] || kill "$child" 2>/dev/null || true
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

# ---- where the time goes ---------------------------------------------------------------------------

began=$SECONDS
left() {
    echo $((seconds - (SECONDS - began)))
}

# limited SECONDS COMMAND...: not longer than that, nor than the part has left. In the background, so
# that an interruption need not wait for it.
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

# What `study env` writes, as far as a shell sees it.
write_environment() {
    local cpu memory release
    cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
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

configure() {
    local -a options=(-DCMAKE_BUILD_TYPE=Release "-DMAXPOOL_CUDA_ARCHITECTURES=${architecture}-real"
        "-DMAXPOOL_COMMIT=${MAXPOOL_COMMIT:-}")
    local -a more
    read -r -a more <<<"${MAXPOOL_GPU_CMAKE:-}"
    limited 120 cmake -S . -B "$build" "${options[@]}" "${more[@]}" >"$folder/logs/configure.txt" 2>&1
}

compile() {
    limited 400 cmake --build "$build" -j "$(nproc)" --target \
        maxpool_cuda matmul_cuda maxpool_serial gpu_tests >"$folder/logs/build.txt" 2>&1
}

build_programs() {
    if ! configure || ! compile; then
        say "build: FAILED (logs/configure.txt, logs/build.txt)"
        tail -n 30 "$folder/logs/build.txt" "$folder/logs/configure.txt" 2>/dev/null >&2 || true
        exit 1
    fi
    say "build: for sm_$architecture, $("$bin/maxpool_cuda" --version | head -n 1)"
    sed -n '/What this build can do/,/^-- $/p' "$folder/logs/configure.txt" >"$folder/logs/features.txt"
}

# ---- part: test ------------------------------------------------------------------------------------

# expect STATUS NAME COMMAND...: one line of the summary.
expect() {
    local wanted=$1 name=$2 status=0
    shift 2
    limited 300 "$@" >"$folder/logs/test.$name.txt" 2>&1 || status=$?
    if [ "$status" -eq "$wanted" ]; then
        say "test $name: passed"
    else
        say "test $name: FAILED with status $status, expected $wanted: $*"
        failed=1
    fi
}

run_tests() {
    local method part
    for part in image window chunks product; do
        expect 0 "grid_$part" "$bin/gpu_grid" "$part"
    done
    for method in naive loop tiled; do
        expect 0 "large_$method" "$bin/maxpool_cuda" -n 8192 --method "$method" --samples 10
        expect 0 "chunks_$method" "$bin/maxpool_cuda" -n 4096 -k 3 -s 1 -p 1 --method "$method" \
            --device-memory 16777216 --streams 3 --host-memory pinned --samples 10
        expect 0 "matmul_$method" "$bin/matmul_cuda" -n 1000 --filter random --method "$method" --samples 10
    done
    expect 0 peers "$bin/gpu_peers"
    expect 0 kernel_facts "$bin/maxpool_cuda" -n 1024 --kernel-facts --samples 1
    expect 0 show_indices "$bin/maxpool_cuda" -n 8 --show-indices --samples 1
    expect 2 no_such_device "$bin/maxpool_cuda" -n 64 --device 1000
    expect 2 filter_too_large "$bin/maxpool_cuda" -n 300 -k 129 --filter-memory constant
    expect 0 list_methods "$bin/maxpool_cuda" --list-methods
}

# ---- part: sanitize --------------------------------------------------------------------------------

# Which tools are to be believed here: each must report its planted fault and be silent on the sound
# program. A tool that is not is recorded so, and never counts as a pass.
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
    124) say "sanitize $tool $name: not finished in time, nothing is known" ;;
    *)
        say "sanitize $tool $name: FAILED with status $status"
        failed=1
        ;;
    esac
}

run_sanitizer() {
    local tool method program
    if ! command -v compute-sanitizer >/dev/null; then
        say "sanitize: NOT USABLE HERE: compute-sanitizer is missing"
        return
    fi
    for program in control fault_memcheck fault_racecheck fault_initcheck fault_synccheck; do
        limited 100 nvcc "-arch=sm_$architecture" -lineinfo -o "$work/$program" "scripts/gpu/$program.cu" \
            >>"$folder/logs/build.txt" 2>&1 || { say "sanitize: $program does not build"; failed=1; return; }
    done
    for tool in memcheck racecheck initcheck synccheck; do
        try_tool "$tool" || continue
        for method in naive loop tiled; do
            sanitize_one "$tool" "image_$method" "$bin/maxpool_cuda" -R 37 -C 41 -k 3 -s 1 -p 1 \
                --filter random --method "$method" --samples 1 --warmup 0
            sanitize_one "$tool" "chunks_$method" "$bin/maxpool_cuda" -R 70 -C 33 -k 5 -s 2 --block 32 \
                --method "$method" --streams 2 --host-memory pinned --device-memory 4096 --samples 1 --warmup 0
            sanitize_one "$tool" "window_$method" "$bin/maxpool_cuda" -n 40 -k 20 --method "$method" \
                --offload window --filter-memory constant --samples 1 --warmup 0
            sanitize_one "$tool" "matmul_$method" "$bin/matmul_cuda" -R 35 -C 50 --filter random \
                --method "$method" --samples 1 --warmup 0
        done
    done
}

# ---- part: measure ---------------------------------------------------------------------------------

# Adds the rows of one launch to each experiment that they serve.
keep_samples() { # ROWS EXPERIMENT,...
    local rows=$1 name target
    for name in ${2//,/ }; do
        target=$folder/samples/$name.csv
        [ -s "$target" ] || head -n 1 "$rows" >"$target"
        tail -n +2 "$rows" | sed "s/^[^,]*,/$name,/" >>"$target"
    done
}

measure_one() { # ROUND EXPERIMENTS COMMAND
    local rows=$work/rows.csv status=0
    local -a words
    read -r -a words <<<"$3"
    rm -f "$rows"
    limited 150 "$bin/${words[0]}" "${words[@]:1}" --round "$1" --experiment "${2%%,*}" --record "$rows" \
        --format csv >/dev/null 2>"$work/said" || status=$?
    if [ "$status" -eq 0 ]; then
        keep_samples "$rows" "$2"
        printf '%s\t%s\n' "$1" "$3" >>"$folder/measure.done"
    else
        printf '%s\t%s\t%s\t%s\n' "$1" "$status" "$3" "$(tr '\n' ' ' <"$work/said")" >>"$folder/measure.failed"
        [ "$status" -ne 1 ] || failed=1
    fi
}

# The plan that is given, or one made from the definitions by a study that is built, here or at last.
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
    return 1
}

run_measurements() {
    local round launches experiments command done=0
    if ! make_plan; then
        say "measure: NO PLAN: study cannot be built here; make one elsewhere by scripts/gpu_plan.sh > PLAN," \
            "and give MAXPOOL_GPU_PLAN=PLAN"
        failed=1
        return
    fi
    if ! limited 100 nvcc "-arch=sm_$architecture" -O2 -o "$work/bandwidth" scripts/gpu/bandwidth.cu \
        >>"$folder/logs/build.txt" 2>&1 || ! limited 60 "$work/bandwidth" >"$folder/bandwidth.txt" 2>&1; then
        say "measure: no copy bandwidth"
    fi
    touch "$folder/measure.done"
    for round in 0 1 2; do
        while read -r launches experiments command; do
            case $launches in "" | *[!0-9]*) continue ;; esac # a comment
            [ "$round" -lt "$launches" ] || continue
            grep -qxF -- "$round"$'\t'"$command" "$folder/measure.done" && continue
            [ "$(left)" -gt 5 ] || break 2
            measure_one "$round" "$experiments" "$command"
            done=$((done + 1))
        done <"$plan"
    done
    say "measure: $done launches now, $(wc -l <"$folder/measure.done") of $(awk '/^[0-9]/ { n += $1 } END { print n }' \
        "$plan") in all"
    [ ! -f "$folder/measure.failed" ] || say "measure: $(wc -l <"$folder/measure.failed") failed (measure.failed)"
}

# ---- the parts -------------------------------------------------------------------------------------

write_environment
for part in "${parts[@]}"; do
    began=$SECONDS
    say "== $part, $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    build_programs
    case $part in
    test) run_tests ;;
    sanitize) run_sanitizer ;;
    measure) run_measurements ;;
    esac
    say "== $part: $((SECONDS - began)) s"
done
exit "$failed"
