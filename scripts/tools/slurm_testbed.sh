#!/usr/bin/env bash
# A private SLURM of two nodes on this machine, for tests: everything under one directory, on the loopback interface.
#
#   scripts/tools/slurm_testbed.sh start DIR    # starts it and prints the line to source: export SLURM_CONF=DIR/slurm.conf
#   scripts/tools/slurm_testbed.sh stop DIR     # stops it and the jobs on it
#   scripts/tools/slurm_testbed.sh kill-node DIR n1     # as if the node lost its power
#   scripts/tools/slurm_testbed.sh start-node DIR n1
#   scripts/tools/slurm_testbed.sh stop-controller DIR  # the nodes and their jobs go on
#   scripts/tools/slurm_testbed.sh start-controller DIR
#
# Needs root and the Debian packages slurmctld slurmd slurm-client munge. MAX_ARRAY_SIZE (default 1001) and PORT (default
# 17900, with the two after it) may be set.
set -euo pipefail
verbs="start, stop, kill-node, start-node, stop-controller or start-controller"
verb=${1:?$verbs}
dir=$(mkdir -p "${2:?a directory}" && cd "$2" && pwd)
port=${PORT:-17900}
export SLURM_CONF=$dir/slurm.conf

configure() {
    mkdir -p "$dir"/{munge,state,nocgroup,log} "$dir"/spool/{n1,n2}
    chmod 700 "$dir/munge"
    dd if=/dev/urandom of="$dir/munge/key" bs=128 count=1 status=none
    chmod 400 "$dir/munge/key"
    local host
    host=$(hostname -s)
    # One node has one CPU: two tasks at a time, wherever it runs. Their memory is what is said here, in MB.
    cat >"$SLURM_CONF" <<CONF
ClusterName=testbed
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/sock,cred_expire=10
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
ReturnToService=2
MaxArraySize=${MAX_ARRAY_SIZE:-1001}
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=5
MinJobAge=300
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=8000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=2000
PartitionName=debug Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
    # slurmd 22.05 looks for cgroups even where it uses none
    printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=%s\n' "$dir/nocgroup" >"$dir/cgroup.conf"
}

node() {
    slurmd -f "$SLURM_CONF" -N "$1"
}

# Lists the processes of the jobs on a node of this test bed.
processes_of() {
    local entry
    for entry in /proc/[0-9]*/environ; do
        if tr '\0' '\n' <"$entry" 2>/dev/null | grep -qx "SLURMD_NODENAME=$1" &&
            tr '\0' '\n' <"$entry" 2>/dev/null | grep -qx "SLURM_CONF=$SLURM_CONF"; then
            entry=${entry#/proc/}
            echo "${entry%/environ}"
        fi
    done
}

# Ends the processes whose numbers are in the files given; SIGKILL where it must be.
end() {
    local file pid
    for file in "$@"; do
        [ -f "$file" ] || continue
        pid=$(cat "$file")
        kill "$pid" 2>/dev/null || continue
        for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        kill -9 "$pid" 2>/dev/null || true
    done
}

case $verb in
start)
    for program in munged slurmctld slurmd sbatch; do
        command -v "$program" >/dev/null || { echo "$program is missing: apt-get install slurmctld slurmd slurm-client munge" >&2; exit 2; }
    done
    configure
    munged --force --key-file="$dir/munge/key" --socket="$dir/munge/sock" --pid-file="$dir/munge/pid" \
        --log-file="$dir/log/munged.log" --seed-file="$dir/munge/seed" --num-threads=2
    slurmctld -f "$SLURM_CONF" -i
    node n1
    node n2
    for _ in $(seq 60); do
        [ "$(sinfo --noheader --format=%t%D 2>/dev/null)" = idle2 ] && { echo "export SLURM_CONF=$SLURM_CONF"; exit 0; }
        sleep 0.5
    done
    echo "the nodes did not come up in 30 s; see $dir/log" >&2
    exit 1
    ;;
stop)
    timeout 10 scancel --user=root 2>/dev/null || true
    for _ in $(seq 20); do [ -z "$(timeout 5 squeue --noheader 2>/dev/null)" ] && break; sleep 0.5; done
    end "$dir"/slurmd-n1.pid "$dir"/slurmd-n2.pid "$dir"/slurmctld.pid "$dir"/munge/pid
    ;;
kill-node)
    name=${3:?n1 or n2}
    # A node without power has no slurmd, no slurmstepd, and none of the processes under them.
    kill -9 "$(cat "$dir/slurmd-$name.pid")" 2>/dev/null || true
    victims=$(processes_of "$name")
    for pid in $victims; do # the stepds first: they would report the end of their job
        parent=$(awk '/^PPid:/ {print $2}' "/proc/$pid/status" 2>/dev/null || true)
        [ "$(cat "/proc/${parent:-0}/comm" 2>/dev/null)" = slurmstepd ] && kill -9 "$parent"
    done
    for pid in $victims; do kill -9 "$pid" 2>/dev/null || true; done
    ;;
start-node)
    node "${3:?n1 or n2}"
    ;;
stop-controller)
    end "$dir/slurmctld.pid"
    ;;
start-controller)
    slurmctld -f "$SLURM_CONF"
    ;;
*)
    echo "$verbs" >&2
    exit 2
    ;;
esac
