#!/usr/bin/env bash
# Thirty machines of a class, derived from committed samples: other hosts, other run_ids, times scaled by 1 to 4.
# m01 and m02 are both hosts named vm with one processor; m03 has a wrong result; m30 is a copy of m29.
# Usage: tests/experiments/support/make_machines.sh FOLDER [COUNT]
set -euo pipefail
folder=${1:?usage: tests/experiments/support/make_machines.sh FOLDER [COUNT]}
count=${2:-30}
reference=$(dirname "$0")/../../../results/reference/amd-epyc-zen4-2-cores
for number in $(seq -w 1 "$count"); do
    place=$folder/m$number
    host=pc$number
    cpu="Processor $number"
    if [ "$number" -le 2 ]; then host=vm cpu="AMD EPYC"; fi
    mkdir -p "$place"
    gzip -dc "$reference/methods.csv.gz" | awk -F, -v OFS=, -v n="$((10#$number))" -v host="$host" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
        $at["rows"] != 2048 || $at["method"] !~ /^(literal|staged|fused|simd)$/ || $at["round"] > 4 { next }
        {
            $at["host"] = host
            $at["run_id"] = "m" n "-" $at["run_id"]
            factor = 1 + (n * 7 % 30) / 10
            split("distribute_s compute_s product_s collect_s total_s imbalance_s setup_s", names, " ")
            for (i in names) if ($at[names[i]] != "") $at[names[i]] = $at[names[i]] * factor
            if (n == 3 && $at["method"] == "simd") $at["verified"] = "wrong"
            print
        }' >"$place/methods.csv"
    sed -e "s/\"AMD EPYC\"/\"$cpu\"/" -e "s/\"host\":[^,]*,/\"host\": \"$host\",/" "$reference/environment.json" >"$place/environment.json"
done
if [ "$count" -ge 30 ]; then cp "$folder/m29/methods.csv" "$folder/m30/methods.csv"; fi
