#!/usr/bin/env bash
# Prints the plan of scripts/gpu_check.sh: the points of the GPU experiments as `study plan` has them
# at the full scale, sampled less, each command once with the experiments that it serves.
#   scripts/gpu_plan.sh [BUILD_FOLDER] > PLAN
#   scripts/gpu_plan.sh --first [BUILD_FOLDER] > scripts/gpu/first.plan     those worth the first minutes
set -euo pipefail
cd "$(dirname "$0")/.."
first=0
if [ "${1:-}" = --first ]; then
    first=1
    shift
fi
study=${1:-build}/bin/study
[ -x "$study" ] || { echo "gpu_plan.sh: no $study: build first" >&2; exit 2; }

# Of the whole plan, once each: the image at three sizes, windows up to n = 512 (one execution of the
# largest takes seconds), every product, and of convolutions, distances, networks and their training a few.
first_of_all() {
    if [ "$first" = 0 ]; then
        cat
        return
    fi
    awk '{
        command = $0
        sub(/^[0-9]+ /, "", command)
        n = 0
        k = 0
        batch = 0
        for (i = 1; i <= NF; i++) {
            if ($i == "--rows") n = $(i + 1)
            if ($i == "--kernel-size") k = $(i + 1)
            if ($i == "--batch") batch = $(i + 1)
        }
        trains = $0 ~ /--task train/
        sub(/--epochs [0-9]+/, "--epochs 2", command)
        sub(/ --find-learning-rate/, "", command)
        windows = $0 ~ /--offload window/
        if (windows) sub(/--warmup .*/, "--warmup 0 --samples 3 --relative-ci 0.02 --max-seconds 1", command)
        class = 0
        if ($3 == "matmul_cuda") class = 3
        else if ($3 == "conv_cuda" && batch == 16 && (n == 224 || n == 56 || n == 14) && k == 3) class = 4
        else if ($3 == "distances_cuda" && n != 10000) class = 5
        else if ($3 == "network_cuda" && !trains && (batch <= 2 || batch == 32 || batch == 512)) class = 6
        else if (trains && $0 ~ /--network (alexnet_mri|mlp:800|mlp:1600-800|mlp:6400-3200-1664) / && batch != 500) class = 6
        else if (trains && $0 ~ /--network solar_cnn / && (batch == 16 || batch == 128)) class = 6
        else if (windows && (n == 32 || n == 128 || n == 512)) class = 2
        else if (!windows && $3 == "maxpool_cuda" && (n == 1024 || n == 4096 || n == 16384)) class = 1
        else if ($3 == "maxpool_serial" && n == 1024) class = 1
        if (class > 2 || n == 16384) sub(/--verify full/, "--verify sampled", command)
        if (class > 0) print class, k, 1, command
    }' | LC_ALL=C sort -s -k1,1n -k2,2n | cut -d" " -f3- | estimate
}

# The lines, and what they take by a guess: a second to start each and make the context, its samples at
# the most, 5 ns for each cell of the image and 5 more where all is verified, and two seconds where
# convolutions or networks are.
estimate() {
    awk '{
        print
        cells = 1
        seconds = 1
        for (i = 1; i <= NF; i++) {
            if ($i == "--max-seconds") seconds += $(i + 1)
            if ($i ~ /^--(rows|cols|planes|channels|batch)$/) cells *= $(i + 1)
        }
        seconds += cells * ($0 ~ /--verify full/ ? 1e-8 : 5e-9)
        if ($3 ~ /^(conv|network)_/) seconds += 2
        all += seconds
    }
    END { printf "# By a guess (a second to start, samples, images, verification): %d launches, %d s.\n", NR, all }'
}

cat <<'HEAD'
# What scripts/gpu_check.sh OUT measure runs, made by scripts/gpu_plan.sh from the experiments'
# definitions. A line: how many launches (one a round), the experiments that the samples are for, the
# command. Round after round from top to bottom, as far as the time goes.
HEAD

# The order in which time is best spent: the whole image and its rivals first, then windows from few
# to many, those of minutes last and once.
"$study" plan cuda_growth offload transfers filter_memory speedup peers conv_layers distances_growth devices \
    cnn_batch mlp_training mri_training --full --shell --cores 1 --bin /nowhere 2>/dev/null |
    sed -n 's|^/nowhere/||; /^[a-z]*_cuda \|^maxpool_serial /p' |
    awk '
    {
        experiment = command = ""
        for (i = 1; i <= NF; i++) {
            if ($i ~ /^--(experiment|record|record-training|round|warmup|samples|relative-ci|max-seconds)$/) {
                if ($i == "--experiment") experiment = $(i + 1)
                if ($i == "--round" && $(i + 1) != 0) next
                i++
            } else {
                command = command (command == "" ? "" : " ") $i
                if ($i == "--rows") n = $(i + 1)
            }
        }
        if ($1 ~ /_cuda$/ && command !~ /--(method|engine) (naive|loop|tiled|roof|registers|cudnn|cublas|own)( |$)/) next
        if ($1 !~ /_cuda$/ && experiment ~ /^(peers|conv_layers|distances_growth|devices|cnn_batch|mlp_training|mri_training)$/) next # those of the CPU are measured elsewhere
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
                                  : "--warmup 1 --samples 30 --relative-ci 0.02 --max-seconds 0.5"
            print class, windows ? size[c] : 0, class == 3 ? 1 : 3, serves[c], c, sampling
        }
    }' |
    LC_ALL=C sort -s -k1,1n -k2,2n | cut -d' ' -f3- | first_of_all
