#!/usr/bin/env bash
# The pandas example of docs/export.md runs unchanged on what `study export` writes of committed samples, and prints the
# speedups that the table has. Usage: test_export_example.sh STUDY
set -euo pipefail
study=${1:?usage: test_export_example.sh STUDY}
root=$(cd "$(dirname "$0")/../.." && pwd)
/usr/bin/python3 -c 'import pandas' 2>/dev/null || {
    echo "skipped: no pandas (Debian: python3-pandas)"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$study" export threads --tidy --results "$root/results/reference/amd-epyc-zen4-2-cores" -o threads.csv
awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/export.md" >example.py
grep -q 'import pandas' example.py || { echo "docs/export.md has no example in Python"; exit 1; }
/usr/bin/python3 example.py >printed
cat printed
# Recomputes each speedup of the table without pandas: a printed line has the threads and a column per method.
/usr/bin/python3 - <<'PYTHON'
import csv

lines = [line.split() for line in open("printed")]
methods = [word for word in lines[0] if word != "method"]
printed = {(method, int(line[0])): line[i + 1] for line in lines[2:] for i, method in enumerate(methods)}
groups = {}
for row in csv.DictReader(open("threads.csv")):
    if row["quantity"] == "one_total" and row["status"] in ("PRECISE", "ROUGH"):
        groups.setdefault((row["method"], int(row["threads"])), []).append(float(row["value"]))
assert len(groups) >= 4, f"only {len(groups)} speedups"
for at, values in groups.items():
    mean = sum(values) / len(values)
    assert abs(float(printed[at]) - mean) <= 0.0051, f"{at}: {printed[at]} is printed, {mean} measured"
print(f"{len(groups)} speedups agree")
PYTHON

# With no trusted speedup it says why, in words and with the counts.
cp threads.csv all.csv
sed 's/PRECISE\|ROUGH/SUSPECT/g' all.csv >threads.csv
/usr/bin/python3 example.py >printed
grep -q "^no speedup can be trusted: {'SUSPECT': [1-9][0-9]*}$" printed || { echo "a SUSPECT folder: $(cat printed)"; exit 1; }
grep -v ',one_total,' all.csv >threads.csv
/usr/bin/python3 example.py >printed
grep -qx "no speedup can be trusted: {}" printed || { echo "a folder without speedups: $(cat printed)"; exit 1; }
