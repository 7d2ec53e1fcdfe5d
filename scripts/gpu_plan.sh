#!/usr/bin/env bash
# Prints the plans of scripts/gpu_check.sh: the points of the GPU experiments from `study plan` at the full scale, with
# fewer samples, each command once with the experiments that it serves.
#   scripts/gpu_plan.sh [BUILD_FOLDER] > PLAN                                     all points
#   scripts/gpu_plan.sh --depth [BUILD_FOLDER] > scripts/gpu/depth.plan           the points after first.plan
#   scripts/gpu_plan.sh --windows [BUILD_FOLDER] > scripts/gpu/windows.plan       window by window
#   scripts/gpu_plan.sh --estimate < scripts/gpu/first.plan                       the seconds of each line
# scripts/gpu/first.plan is written by hand: one line for every kind of work.
set -euo pipefail
cd "$(dirname "$0")/.."
part=all
case ${1:-} in
--depth | --windows | --estimate)
    part=${1#--}
    shift
    ;;
esac

# Prints the estimated seconds of each line, and the line; after them the number of lines and the sum. An estimate, not
# a measurement: 3 s to start a process, create the context and load the kernels; 0.1 ms per window, which is seven
# driver calls; 4 ns per element of a pooled image for copies, poison and hash; 10^12 operations of a product per
# second; 5 ns per element that is generated, 5 more if all is verified; 2 s for a network's parameters and oracle, or
# for those of a convolution. Samples take as long as --max-seconds allows, plus one execution.
seconds_of_lines() {
    awk '/^[0-9]/ {
        split("", given)
        for (i = 4; i < NF; i++) if ($i ~ /^--/) given[$i] = $(i + 1)
        n = given["--rows"]
        k = "--kernel-size" in given ? given["--kernel-size"] : 2
        s = "--stride" in given ? given["--stride"] : k
        elements = 1
        for (name in given) if (name ~ /^--(rows|cols|planes|channels|batch)$/) elements *= given[name]
        most = given["--max-seconds"]
        one = 0
        if (given["--offload"] ~ /^window/) one = 1e-4 * int((n - k) / s + 1) ^ 2
        else if ($3 == "maxpool_cuda") one = 4e-9 * elements
        if ($3 == "matmul_cuda") one = 2 * elements * given["--cols"] / 1e12
        count = one > 0 ? int(most / one) + 1 : 1
        if (count > given["--samples"]) count = given["--samples"]
        sampling = one > 0 && one * count < most ? one * count : most + one
        guess = 3 + sampling + given["--warmup"] * one
        guess += elements * ($0 ~ /--verify full/ ? 1e-8 : 5e-9) * ($3 == "matmul_cuda" ? 2 : 1)
        if ($3 ~ /^(conv|network)_/) guess += 2
        all += guess
        lines++
        printf "%.1f\t%s\n", guess, $0
    }
    END { printf "# By a guess: %d launches, %d s\n", lines, all }'
}

# Prints a plan and its estimate, which is a comment, no line of the plan.
with_guess() {
    local lines
    lines=$(cat)
    printf '%s\n' "$lines"
    printf '%s\n' "$lines" | seconds_of_lines | tail -n 1
}

if [ "$part" = estimate ]; then
    seconds_of_lines
    exit 0
fi
study=${1:-build}/bin/study
[ -x "$study" ] || { echo "gpu_plan.sh: no $study: build first" >&2; exit 2; }

# Selects each command once, the most informative first: convolutions of all shapes, products, networks and their
# training, distances, pooling; or windows from few to many, up to n = 512. An image of 1 GiB is included in pinned
# memory only: with pageable memory most of the time is spent waiting for it, and the plan of `measure` has it.
chosen() {
    awk -v part="$part" '{
        split("", given)
        for (i = 4; i < NF; i++) if ($i ~ /^--/) given[$i] = $(i + 1)
        command = $0
        sub(/^[0-9]+ /, "", command)
        n = given["--rows"]
        batch = given["--batch"]
        network = given["--network"]
        trains = given["--task"] == "train"
        windows = given["--offload"] ~ /^window/
        sub(/--epochs [0-9]+/, "--epochs 2", command)
        sub(/ --find-learning-rate/, "", command)
        class = 0
        if (windows) {
            sub(/--warmup .*/, "--warmup 0 --samples 3 --relative-ci 0.02 --max-seconds 1", command)
            if (part == "windows" && (n == 32 || n == 128 || n == 512)) class = n
        } else if (part == "windows") class = 0
        else if ($3 == "conv_cuda" && batch == 16) class = 1
        else if ($3 == "matmul_cuda" && given["--planes"] > 1) class = n == 8 || n == 32 ? 4 : 0
        else if ($3 == "matmul_cuda") class = n >= 1024 ? 2 : n == 64 || n == 512 ? 4 : 0
        else if ($3 == "network_cuda" && trains) {
            if (network ~ /^(alexnet_mri|mlp:800|mlp:1600-800|mlp:6400-3200-1664)$/ && batch != 500) class = 3
            if (network == "solar_cnn" && (batch == 16 || batch == 128)) class = 3
        } else if ($3 == "network_cuda") {
            if (network == "solar_cnn" && (batch == 2 || batch == 32 || batch == 512)) class = 3
            if (network ~ /^(mlp:50|mlp:800-400|mlp:25600-12800-6656)$/) class = 3
            if (network == "resnet18" && given["--image-size"] > 224) class = 3
        } else if ($3 == "distances_cuda" && n != 10000) class = 4
        else if ($3 == "maxpool_cuda" && (n == 1024 || n == 4096)) class = 5
        else if ($3 == "maxpool_cuda" && n == 16384 && given["--host-memory"] == "pinned") class = 5
        else if ($3 == "maxpool_serial" && n == 1024) class = 5
        if ($3 != "maxpool_cuda" && $3 != "maxpool_serial" || n == 16384) sub(/--verify full/, "--verify sampled", command)
        if (class > 0) print class, given["--kernel-size"] + 0, 1, command
    }' | LC_ALL=C sort -s -k1,1n -k2,2n | cut -d" " -f3- | with_guess
}

cat <<'HEAD'
# A plan for scripts/gpu_check.sh, made by scripts/gpu_plan.sh from the experiments' definitions. A line:
# how many launches (one a round), the experiments that the samples are for, the command. Round after
# round from top to bottom, as far as the time goes.
HEAD

# The order of most use: the whole image and its alternatives first, then windows from few to many, those of minutes
# last and once. An image of n = 16384 has ten samples, however long one takes.
"$study" plan cuda_growth offload transfers filter_memory speedup peers matmul_growth matmul_batches conv_layers distances_growth devices lighter \
    mlp_inference cnn_batch mlp_training mri_training training_layers ladder --full --shell --cores 1 --bin /nowhere 2>/dev/null |
    sed -n 's|^/nowhere/||; /^[a-z]*_cuda \|^maxpool_serial /p' |
    awk '
    {
        experiment = command = ""
        for (i = 1; i <= NF; i++) {
            if ($i ~ /^--(experiment|record|record-training|round|warmup|samples|relative-ci|max-seconds)$/) {
                if ($i == "--experiment") experiment = $(i + 1)
                if ($i == "--round" && $(i + 1) != 0) next
                i++
            } else if ($i == "--record-layers") { # gpu_check.sh names the file
                command = command " --layers"
                i++
            } else {
                command = command (command == "" ? "" : " ") $i
                if ($i == "--rows") n = $(i + 1)
            }
        }
        if ($1 ~ /_cuda$/ && command !~ /--(method|engine) (naive|loop|tiled|roof|registers|cudnn|cudnn-nchw|cudnn-nhwc|cublas|own)( |$)/) next
        if ($1 !~ /_cuda$/ && experiment !~ /^(cuda_growth|offload|transfers|filter_memory|speedup)$/) next # those of the CPU are measured elsewhere
        if (!(command in serves)) order[++count] = command
        if (index("," serves[command] ",", "," experiment ",") == 0)
            serves[command] = serves[command] (serves[command] == "" ? "" : ",") experiment
        size[command] = n
    }
    END {
        for (i = 1; i <= count; i++) {
            c = order[i]
            windows = c ~ /--offload window/
            class = !windows ? 1 : size[c] <= 256 ? 2 : 3
            sampling = class == 3 ? "--warmup 0 --samples 10 --relative-ci 0.02 --max-seconds 5" \
                     : c ~ /^maxpool_cuda .*--rows 16384 / ? "--warmup 1 --samples 10 --relative-ci 0.02 --max-seconds 60" \
                                                         : "--warmup 1 --samples 30 --relative-ci 0.02 --max-seconds 0.5"
            print class, windows ? size[c] : 0, class == 3 ? 1 : 3, serves[c], c, sampling
        }
    }' |
    LC_ALL=C sort -s -k1,1n -k2,2n | cut -d' ' -f3- | if [ "$part" = all ]; then cat; else chosen; fi
