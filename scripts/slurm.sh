#!/usr/bin/env bash
# A real Slurm on this one machine, for tests: munged, slurmctld and slurmd of Debian's packages, all
# they write in one temporary folder that goes with them.
#   scripts/slurm.sh [--nodes N] COMMAND...   runs COMMAND with SLURM_CONF set; its exit status is this one's
# One node lives on loopback. Of several, each has a network namespace, an address and a host name of its
# own, on a bridge that goes with them; their cores are this machine's, which each of them takes for its.
# Needs root (slurmd starts jobs as the user who submits them). Packages: slurmctld slurmd slurm-client
# munge, and iproute2 for several nodes. Status 3: no root or no package; 77: no network namespaces here.
set -euo pipefail
usage() {
    sed -n '2,8s/^# //p' "$0" >&2
    exit 2
}
nodes=1
if [ "${1:-}" = --nodes ]; then
    nodes=${2:-}
    shift 2 || usage
fi
[[ $# -gt 0 && $nodes =~ ^[1-9][0-9]?$ ]] || usage
[ "$(id -u)" -eq 0 ] || { echo "slurm.sh: needs root" >&2; exit 3; }
for program in munged slurmctld slurmd sbatch $([ "$nodes" = 1 ] || echo ip nsenter unshare); do
    command -v "$program" >/dev/null || { echo "slurm.sh: no $program (Debian: slurmctld slurmd slurm-client munge iproute2)" >&2; exit 3; }
done

folder=$(mktemp -d /tmp/maxpool-slurm-XXXXXX)
chmod 755 "$folder" # munged insists on folders that others cannot write
tag=$(printf %05d $(($$ % 100000)))
bridge=mpbr$tag
pids=()
clean_up() {
    local i
    [ ! -f "$folder/slurm.conf" ] || scancel --user root >/dev/null 2>&1 || true
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
        kill "${pids[i]}" 2>/dev/null && wait "${pids[i]}" 2>/dev/null || true
    done
    if [ "$nodes" -gt 1 ]; then
        for ((i = 1; i <= nodes; i++)); do
            ip link del "mpve${tag}n$i" 2>/dev/null || true
            ip netns del "$(node_name $i)" 2>/dev/null || true
        done
        ip link del "$bridge" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap clean_up EXIT

node_name() { # NUMBER
    if [ "$nodes" = 1 ]; then hostname -s; else echo "mp${tag}n$1"; fi
}

# The network 198.18.0.0/15 is reserved for tests (RFC 2544).
network=198.18.$((RANDOM % 256))
node_address() { # NUMBER; 0 for this machine itself
    if [ "$nodes" = 1 ]; then echo 127.0.0.1; else echo "$network.$((254 - $1))"; fi
}

make_network() {
    local i name
    ip link add "$bridge" type bridge || return
    ip addr add "$(node_address 0)/24" dev "$bridge" && ip link set "$bridge" up || return
    for ((i = 1; i <= nodes; i++)); do
        name=$(node_name $i)
        ip netns add "$name" &&
            ip link add "mpve${tag}n$i" type veth peer name eth0 netns "$name" &&
            ip link set "mpve${tag}n$i" master "$bridge" up &&
            ip -n "$name" addr add "$(node_address $i)/24" dev eth0 &&
            ip -n "$name" link set eth0 up &&
            ip -n "$name" link set lo up || return
    done
}
if [ "$nodes" -gt 1 ] && ! make_network; then
    echo "slurm.sh: SKIPPED: this machine refuses network namespaces, so there are no $nodes nodes" >&2
    exit 77
fi

# Runs a command as a node would: with the node's network and host name, and this machine's files.
on_node() { # NUMBER COMMAND...
    local name
    name=$(node_name "$1")
    shift
    if [ "$nodes" = 1 ]; then
        exec "$@"
    fi
    exec nsenter --net="/run/netns/$name" unshare --uts sh -c 'hostname "$0" && exec "$@"' "$name" "$@"
}

mkdir -m 700 "$folder/munge" "$folder/state"
mkdir -m 755 "$folder/socket"
dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$folder/munge/key"
munged --foreground --force --socket="$folder/socket/munge" --key-file="$folder/munge/key" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
    >"$folder/munged.out" 2>&1 &
pids+=($!)

# Each node has its own temporary folder: on a shared file system, PMIx of one node would find the other's files.
port=$((20000 + RANDOM % 10000))
{
    cat <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)($(node_address 0))
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/socket/munge
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
TmpFS=$folder/tmp-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=pmix
GresTypes=gpu
ReturnToService=2
CONF
    for ((i = 1; i <= nodes; i++)); do
        mkdir "$folder/spool-$(node_name $i)" "$folder/tmp-$(node_name $i)"
        echo "NodeName=$(node_name $i) NodeAddr=$(node_address $i) CPUs=$(nproc) Gres=gpu:t4:1,gpu:k20:1 State=UNKNOWN"
    done
    echo "PartitionName=test Nodes=ALL Default=YES OverSubscribe=FORCE:16 MaxTime=INFINITE State=UP"
} >"$folder/slurm.conf"
# Two nominal GPUs of different kinds; Slurm requires a device file for each.
printf 'Name=gpu Type=%s File=%s\n' t4 /dev/null k20 /dev/zero >"$folder/gres.conf"
export SLURM_CONF=$folder/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.out" 2>&1 &
pids+=($!)
for ((i = 1; i <= nodes; i++)); do
    on_node $i slurmd -D -N "$(node_name $i)" -f "$SLURM_CONF" >"$folder/slurmd-$i.out" 2>&1 &
    pids+=($!)
done

nodes_up() {
    [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c idle)" = "$nodes" ]
}
for ((i = 0; i < 100; i++)); do
    nodes_up && break
    sleep 0.2
done
if ! nodes_up; then
    echo "slurm.sh: Slurm did not come up:" >&2
    tail -n 20 "$folder"/*.out "$folder"/*.log >&2 || true
    exit 4
fi
status=0
"$@" || status=$?
exit "$status"
