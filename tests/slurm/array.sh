#!/bin/bash
# The job array of `warpspy sweep --slurm` on a real SLURM: 40 tasks, of which five are killed and one is requeued, against the
# same sweep that ran here undisturbed. Starts munged, slurmctld and slurmd as a cluster of one node, in a folder and on ports of
# its own.
# Usage: array.sh WARPSPY. Skipped (77) where SLURM is missing: scripts/packages-extra.txt.
export PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd; do
  command -v $program >/dev/null || { echo "skipped: there is no $program (apt-get install slurm-wlm munge)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: slurmd starts tasks for a user, and must be root"; exit 77; }
# Where the system lets us, all processes are in a namespace of their own, and end with its first one, whatever happens.
if [ $$ != 1 ] && unshare --pid --fork --mount-proc --kill-child true 2>/dev/null; then
  exec unshare --pid --fork --mount-proc --kill-child "$0" "$@"
fi
warpspy=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
# From here on no command of SLURM can mean another cluster, or the job in which this runs.
unset "${!SLURM_@}" "${!SBATCH_@}" "${!SQUEUE_@}" "${!SCANCEL_@}"
export SLURM_CONF=$dir/slurm.conf
started=()
end() {
  # Tasks of SLURM are no children of this script.
  [ ! -e "$SLURM_CONF" ] || scancel --full --signal=KILL --user="$(id -un)" 2>/dev/null
  for _ in $(seq 50); do [ -z "$(squeue -h 2>/dev/null)" ] && break; sleep 0.2; done
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${started[@]}"; do wait "$pid" 2>/dev/null; done
  rm -rf "$dir"
}
trap end EXIT
trap 'exit 130' INT TERM HUP
fail() {
  echo "FAILED: $1"
  tail -n 5 "$dir"/out "$dir"/err "$dir"/*.log 2>/dev/null
  exit 1
}
# skipped_unless WHAT COMMAND...: not every system lets SLURM start, as some containers.
skipped_unless() {
  local what=$1
  shift
  for _ in $(seq 900); do "$@" && return; sleep 0.1; done
  tail -n 5 "$dir"/*.log 2>/dev/null
  echo "skipped: $what does not start on this system"
  exit 77
}
# until_true WHAT COMMAND...: waits until the command succeeds. The limit is for a machine that does much else.
until_true() {
  local what=$1
  shift
  for _ in $(seq 6000); do "$@" && return; sleep 0.1; done
  fail "waiting for $what"
}

# The cluster. A requeued job waits for cred_expire (s) before it starts again.
read -r port another < <(python3 -c 'import socket
s = [socket.socket() for _ in range(2)]
for one in s: one.bind(("", 0))
print(*(one.getsockname()[1] for one in s))')
host=$(hostname -s) user=$(id -un)
mkdir -p "$dir"/{munge,state,spool} && chmod 755 "$dir" && chmod 700 "$dir/munge"
head -c 1024 /dev/urandom >"$dir/munge/key" && chmod 400 "$dir/munge/key"
cat >"$SLURM_CONF" <<CONF
ClusterName=warpspy
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$another
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=20
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=60
MinJobAge=3600
ReturnToService=2
JobRequeue=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=here Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
CONF
munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
  --log-file="$dir/munged.log" --seed-file="$dir/munge/seed" --num-threads=2 >/dev/null 2>&1 & started+=($!)
skipped_unless munged [ -S "$dir/munge/socket" ]
slurmctld -D -f "$SLURM_CONF" -L "$dir/slurmctld.log" >/dev/null 2>&1 & started+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" -L "$dir/slurmd.log" >/dev/null 2>&1 & started+=($!)
is_idle() { sinfo -h -o %T 2>/dev/null | grep -q idle; }
skipped_unless "a cluster of one node" is_idle

# Two products in each task. In five tasks the first is small, and the second takes so long that they are killed in it.
export WARPSPY_CACHE=off WARPSPY_RUNS=$dir/runs.sqlite
python3 - "$dir/study.json" <<'PY'
import json, sys
small = ["gen:laplace5?nx=4:73&ny=4"]
pairs = [f"gen:laplace5?nx={nx}&ny={ny}" for k in range(5) for nx, ny in ((3, 3 + k), (1400, 1400 + k))]
json.dump({"matrices": small + pairs, "kernels": ["ell"], "device": "sim:h200", "depth": "full"}, open(sys.argv[1], "w"))
PY
sweep=$dir/study.sweep
run() { "$warpspy" sweep "$@" >"$dir/out" 2>"$dir/err"; }
# code WANTED ARGS...: runs the sweep, which must end with this code.
code() {
  local wanted=$1 got
  shift
  run "$@"; got=$?
  [ $got = "$wanted" ] || fail "sweep $* ended with $got instead of $wanted"
}
says() { grep -qF -- "$1" "$dir/out" "$dir/err" || fail "it does not say: $1"; }
# Not too often: squeue takes the processors from the tasks.
is_empty() {
  local queue
  sleep 0.5
  queue=$(squeue -h 2>/dev/null) && [ -z "$queue" ]
}

code 1 "$dir/study.json" --slurm --chunk 2 --slurm-partition nowhere
says "the queue refused the job array"
says "invalid partition"
code 0 "$dir/study.json" --slurm --time 30
says "40 tasks (0-39)"
job=$(sed -n 's/^job \([0-9]*\):.*/\1/p' "$dir/out")
code 0 "$sweep" --slurm --dry-run
says "nothing to submit"

program_of() { pgrep -f -- "sweep $sweep --task $1\$"; }
# Three are asked to stop, and two are killed at once.
end_task() {
  if [ "$1" -lt 38 ]; then scancel "${job}_$1"; else kill -KILL "$(program_of "$1")"; fi
}
# Once a task has written its first product (the second line of its file), it is held, so that it cannot end before that.
is_in_second() {
  local files=("$sweep/tasks/$1"-*.jsonl) lines
  [ -e "${files[0]}" ] && mapfile -t lines <"${files[0]}" && [ ${#lines[@]} -ge 2 ]
}
hold_those_in_second() {
  local still=()
  for task in "${free[@]}"; do
    if ! is_in_second "$task"; then still+=("$task"); continue; fi
    kill -STOP "$(program_of "$task")" || fail "task $task was done before it could be killed"
    end_task "$task"
  done
  free=("${still[@]}")
  [ ${#free[@]} = 0 ]
}
free=(35 36 37 38 39)
until_true "tasks that are in their second product" hold_those_in_second
until_true "the end of all tasks" is_empty
[ -z "$(ls "$sweep/cells")" ] && [ ! -e "$WARPSPY_RUNS" ] || fail "a task wrote outside its own files"
# A second program runs task 20 as if nobody had: the queue lost sight of the first.
mv "$sweep"/tasks/20-*.jsonl "$dir/20.jsonl"
until_true "a second start of task 20" scontrol requeue "${job}_20"
until_true "the end of task 20" is_empty
mv "$dir/20.jsonl" "$sweep/tasks/20-0.jsonl"
[ "$(ls "$sweep"/tasks/20-*.jsonl | wc -l)" = 2 ] || fail "task 20 did not run twice"

code 3 "$dir/study.json" --collect
says "2 products ran twice; the first good result counts"
says "tasks 35-37: it was stopped, or its time was over"
says "tasks 38-39: without an end: killed, out of time, or still running"
says "75 of 80 done"
code 0 "$sweep" --slurm
says "5 tasks (35-39)"
until_true "the end of the tasks that were missing" is_empty
code 0 "$sweep" --collect
says "80 of 80 done"
WARPSPY_RUNS=$dir/whole.sqlite code 0 "$dir/study.json" -o "$dir/whole"
"$here/../cli/same_sweeps.py" "$dir/whole" "$sweep" || fail "it differs from a sweep that nobody disturbed"
