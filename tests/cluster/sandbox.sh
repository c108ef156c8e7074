#!/usr/bin/env bash
# A Slurm of two nodes on this machine, for tests: n1 and n2, each with 2 processors and 2 GPUs that are stand-ins. Needs
# root, and Debian's slurmctld, slurmd, slurm-client and munge; no systemd, nothing outside the directory.
# Usage: sandbox.sh start DIR | stop DIR | lose-node DIR NODE | revive DIR NODE
# After `start`, DIR/env.sh leads Slurm's programs there.
set -euo pipefail
PATH="$PATH:/usr/sbin:/sbin"
command="$1"
mkdir -p -- "$2"
dir="$(realpath -- "$2")"
host="$(uname -n)"
export SLURM_CONF="$dir/slurm.conf"

# wait_until WHAT COMMAND...: at most 30 s.
wait_until() {
  local what="$1" _
  shift
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  echo "The Slurm of the tests does not start ($what). Its logs:" >&2
  tail -n 20 "$dir"/log/* >&2
  exit 1
}

# N ports that nobody uses, and that the system gives to no other program meanwhile: below those it hands out.
free_ports() {
  python3 -c '
import random, socket, sys
first_given = int(open("/proc/sys/net/ipv4/ip_local_port_range").read().split()[0])
sockets = []
for port in random.sample(range(10000, max(first_given, 11000)), 900):
    one = socket.socket()
    try:
        one.bind(("", port))
    except OSError:
        continue
    sockets.append(one)
    if len(sockets) == int(sys.argv[1]): break
print(*(one.getsockname()[1] for one in sockets))' "$1"
}

write_configuration() {
  local controller node1 node2 node
  read -r controller node1 node2 <<<"$(free_ports 3)"
  # The nodes share a host name, so each needs a TmpFS of its own for PMIx.
  cat >"$SLURM_CONF" <<END
ClusterName=sandbox
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
TmpFS=$dir/tmp/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
InactiveLimit=0
KillWait=5
SlurmctldTimeout=30
SlurmdTimeout=10
SlurmdParameters=config_overrides
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=$host Port=$node1 CPUs=2 RealMemory=1000 Gres=gpu:2 State=UNKNOWN
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname=$host Port=$node2 CPUs=2 RealMemory=1000 Gres=gpu:2 State=UNKNOWN
EnforcePartLimits=ALL
PartitionName=debug Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
  echo "AutoDetect=off" >"$dir/gres.conf"
  for node in 1 2; do echo "NodeName=n$node Name=gpu File=$dir/gpu$node-[0-1]" >>"$dir/gres.conf"; done
  # OpenMPI: both nodes see one /dev/shm under one host name, so ranks may only talk over TCP.
  cat >"$dir/env.sh" <<END
export SLURM_CONF="$SLURM_CONF" OMPI_MCA_btl=tcp,self OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
END
}

start_node() { setsid slurmd -D -N "$1" >>"$dir/log/slurmd.$1.out" 2>&1 </dev/null & }

both_idle() { [[ $(sinfo -h -N -t idle -o %N | wc -l) == 2 ]]; }

start() {
  local node gpu
  mkdir -p "$dir"/{state,log,run,spool/n1,spool/n2,tmp/n1,tmp/n2}
  chmod 1777 "$dir"/tmp/*
  for gpu in "$dir"/gpu{1,2}-{0,1}; do [[ -e $gpu ]] || mknod "$gpu" c 1 3; done
  write_configuration
  head -c 128 /dev/urandom >"$dir/run/munge.key"
  chmod 600 "$dir/run/munge.key"
  setsid munged --foreground --force -S "$dir/run/munge.socket" --key-file="$dir/run/munge.key" \
    --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" --seed-file="$dir/run/munged.seed" \
    >"$dir/log/munged.out" 2>&1 </dev/null &
  wait_until "munge" test -S "$dir/run/munge.socket"
  setsid slurmctld -D -c >"$dir/log/slurmctld.out" 2>&1 </dev/null &
  wait_until "slurmctld" bash -c 'scontrol ping | grep -q UP'
  for node in n1 n2; do start_node "$node"; done
  wait_until "slurmd" both_idle
}

# Process ids of everything that runs on a node: its tasks and what started them.
processes_of() {
  local process parent
  for process in /proc/[0-9]*; do
    if ! grep -qzx "SLURMD_NODENAME=$1" "$process/environ" 2>/dev/null; then continue; fi
    echo "${process#/proc/}"
    parent="$(awk '/^PPid/ { print $2 }' "$process/status" 2>/dev/null || true)"
    if grep -q slurmstepd "/proc/$parent/comm" 2>/dev/null; then echo "$parent"; fi
  done | sort -u
}

lose_node() {
  local -a processes
  mapfile -t processes < <(processes_of "$1")
  kill -9 "${processes[@]}" "$(cat "$dir/run/slurmd.$1.pid")" 2>/dev/null || true
}

# runs PID: and is not only waiting to be reaped.
runs() { readlink -q "/proc/$1/exe" >/dev/null; }

stop() {
  local name pid _
  for name in slurmd.n1 slurmd.n2 slurmctld munged; do
    [[ -s $dir/run/$name.pid ]] || continue
    pid="$(cat "$dir/run/$name.pid")"
    kill "$pid" 2>/dev/null || continue
    for _ in $(seq 100); do
      runs "$pid" || break
      sleep 0.1
    done
    if runs "$pid"; then kill -9 "$pid"; fi
  done
}

# As after a reboot: sockets that a killed node leaves behind keep PMIx from starting.
revive() {
  rm -rf -- "$dir/spool/$1" "$dir/tmp/$1"
  mkdir -p "$dir/spool/$1" "$dir/tmp/$1"
  chmod 1777 "$dir/tmp/$1"
  start_node "$1"
}

case "$command" in
  start) start ;;
  stop) stop ;;
  lose-node) lose_node "$3" ;;
  revive) revive "$3" ;;
  *)
    echo "Usage: $0 start DIR | stop DIR | lose-node DIR NODE | revive DIR NODE" >&2
    exit 2
    ;;
esac
