#!/usr/bin/env bash
# A real Slurm on this one machine, for tests: munged, slurmctld and slurmd of Debian's packages on
# loopback, everything they write in one temporary folder that goes with them.
#   scripts/slurm.sh COMMAND...   runs COMMAND with SLURM_CONF set; its exit status is this one's
# Needs root (slurmd starts jobs as the user who submits them). Packages: slurmctld slurmd
# slurm-client munge.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "slurm.sh: needs root" >&2; exit 3; }
for program in munged slurmctld slurmd sbatch; do
    command -v "$program" >/dev/null || { echo "slurm.sh: no $program (Debian: slurmctld slurmd slurm-client munge)" >&2; exit 3; }
done

folder=$(mktemp -d /tmp/maxpool-slurm-XXXXXX)
chmod 755 "$folder" # munged insists on folders that others cannot write
pids=()
clean_up() {
    local pid
    [ ! -f "$folder/slurm.conf" ] || scancel --user root >/dev/null 2>&1 || true
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
        pid=${pids[i]}
        kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true
    done
    rm -rf "$folder"
}
trap clean_up EXIT

host=$(hostname -s)
port=$((20000 + RANDOM % 20000))
cores=$(nproc)
mkdir -m 700 "$folder/munge" "$folder/state" "$folder/spool"
mkdir -m 755 "$folder/socket"
dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$folder/munge/key"
munged --foreground --force --socket="$folder/socket/munge" --key-file="$folder/munge/key" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
    >"$folder/munged.out" 2>&1 &
pids+=($!)

cat >"$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/socket/munge
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=pmix
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=test Nodes=$host Default=YES OverSubscribe=FORCE:16 MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$folder/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" >"$folder/slurmd.out" 2>&1 &
pids+=($!)

for ((i = 0; i < 100; i++)); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && break
    sleep 0.2
done
if ! sinfo -h -o %T 2>/dev/null | grep -q idle; then
    echo "slurm.sh: Slurm did not come up:" >&2
    tail -n 20 "$folder"/*.out "$folder"/*.log >&2 || true
    exit 4
fi
status=0
"$@" || status=$?
exit "$status"
