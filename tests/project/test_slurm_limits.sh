#!/usr/bin/env bash
# scripts/slurm_test.sh with a fake Slurm: time limits of jobs grow when requested, and a job that reaches its limit is
# reported as such. The real Slurm is for ./test.sh --long.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
printf '#!/bin/sh\nexit 1\n' >"$folder/bin/nvidia-smi" # no GPU, so that its job is submitted first
cat >"$folder/bin/sbatch" <<END
#!/bin/sh
for word; do case \$word in
--output=*) echo "\$END_OF_JOB" >"\$(echo "\${word#*=}" | sed s/%a/0/)" ;;
--time=*) echo "\${word#*=}" >"$folder/limit" ;;
esac; done
exit 1
END
chmod +x "$folder"/bin/*

fail() {
    echo "test_slurm_limits.sh: $*" >&2
    cat "$folder/said" >&2
    exit 1
}

# reported END SLOWNESS: prints what slurm_test.sh reports about a job that ends in this way; slurm_test.sh must fail.
reported() {
    if END_OF_JOB=$1 SLOWNESS=$2 SLURM_CONF=/dev/null PATH=$folder/bin:$PATH \
        scripts/slurm_test.sh build gpu >"$folder/said" 2>&1; then
        fail "a job that failed is taken for one that did not"
    fi
}
reported "slurmstepd: error: *** JOB 1 ON node CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***" 1000
[ "$(cat "$folder/limit")" -ge 5000 ] || fail "a limit of $(cat "$folder/limit") minutes, where 5000 were asked for"
grep -q "cuda.sh was not done within its limit of $(cat "$folder/limit") minutes" "$folder/said" ||
    fail "a job that met its limit is not reported as such"
reported "a job's own words" 1
[ "$(cat "$folder/limit")" -lt 5000 ] || fail "the limit does not depend on SLOWNESS"
grep -q "cuda.sh ended with status 1, expected 3" "$folder/said" || fail "another failure is not reported"
if grep -q "within its limit" "$folder/said"; then fail "another failure is reported as a limit"; fi
echo "Limits of jobs grow, and are reported."
