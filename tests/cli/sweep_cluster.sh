#!/bin/bash
# A sweep as a job array of 40 tasks, of which five are killed and one runs twice, against one that ran here undisturbed.
# Usage: sweep_cluster.sh WARPSPY. Without SLURM: tests/stand-ins has programs that play sbatch and squeue.
warpspy=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $1"; tail -n 5 "$dir"/out "$dir"/err 2>/dev/null; exit 1; }
export WARPSPY_CACHE=off WARPSPY_RUNS=$dir/runs.sqlite
export SUBMITTED=$dir/submitted
plain=$PATH
export PATH=$here/../stand-ins:$PATH
run() { "$warpspy" sweep "$@" >"$dir/out" 2>"$dir/err"; }
# code WANTED ARGS...: runs the sweep, which must end with this code.
code() {
  local wanted=$1 got
  shift
  run "$@"; got=$?
  [ $got = "$wanted" ] || fail "sweep $* ended with $got instead of $wanted"
}
says() { grep -qF -- "$1" "$dir/out" "$dir/err" || fail "it does not say: $1"; }

# 20 matrices x 4 kernels: 80 products, two in each task.
cat >"$dir/study.json" <<'JSON'
{"matrices": ["gen:laplace5?nx=4:23&ny=4"], "kernels": ["csr_vector", "ell"], "params": {"csr_vector.coop": [1, 2, 4]}, "device": "sim:h200",
 "depth": "quick"}
JSON
sweep=$dir/study.sweep

# What is only looked at is not written; without sbatch nothing is either.
code 0 "$dir/study.json" --slurm --chunk 2 --slurm-account me --gres gpu:1 --time 1:00:00 --dry-run
for line in '#SBATCH --array=0-39' '#SBATCH --account=me' '#SBATCH --gres=gpu:1' '#SBATCH --time=1:00:00' '--task "$SLURM_ARRAY_TASK_ID"'; do
  says "$line"
done
mkdir "$dir/empty"
PATH=$dir/empty run "$dir/study.json" --slurm && fail "it submits without sbatch"
says "there is no sbatch on this machine"
[ ! -e "$sweep" ] && [ ! -e "$sweep.sbatch" ] || fail "something was written"
code 1 "$dir/study.json" --slurm --slurm-account $'me\n#SBATCH --uid=0'
says "cannot stand in a job script"
code 1 --matrix gen:diagonal --kernel ell -o "$dir/nowhere" --slurm
says "nothing says on which device"

# A queue that refuses loses nothing.
REFUSES="Batch job submission failed: Invalid account" code 1 "$dir/study.json" --slurm --chunk 2
says "the queue refused the job array: sbatch: error: Batch job submission failed: Invalid account"
[ ! -e "$SUBMITTED" ] || fail "it was submitted"
KILLED="3 9 10 11 38" TWICE=20 WARNS="something" code 0 "$dir/study.json" --slurm
says "job 4711: 40 tasks (0-39)"
[ "$(ls "$sweep/cells" | wc -l)" = 0 ] || fail "a task wrote outside its own files"
[ ! -e "$WARPSPY_RUNS" ] || fail "a task wrote into the history"

# A collection that is killed, and then two: what came in is in once.
"$warpspy" sweep "$dir/study.json" --collect >"$dir/out" 2>"$dir/err" & pid=$!
for _ in $(seq 500); do [ "$(ls "$sweep/cells" | wc -l)" -gt 4 ] && break; sleep 0.01; done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
code 3 "$sweep" --collect
says "tasks 3,9-11,38: without an end: killed, out of time, or still running"
says "2 products ran twice; the first good result counts"
state() { (cd "$sweep" && find . -type f ! -name lock -print0 | sort -z | xargs -0 sha256sum); }
state >"$dir/before"
code 3 "$sweep" --collect
says "0 results came in"
state >"$dir/after"
cmp "$dir/before" "$dir/after" || fail "collecting twice changes something"
code 3 "$sweep" --status

# Files that do not belong there.
one=$(ls "$sweep"/tasks/5-*.jsonl)
cp "$one" "$sweep/tasks/6-other.jsonl"
code 1 "$sweep" --collect
says "this file is of another sweep"
rm "$sweep/tasks/6-other.jsonl"
sed '1s/"program":"[^"]*"/"program":"0.0.1 (older)"/' "$one" >"$sweep/tasks/5-older.jsonl"
code 1 "$sweep" --collect
says "another version of Warpspy wrote this file (0.0.1 (older)"
rm "$sweep/tasks/5-older.jsonl"
code 1 "$sweep" --task 40
says "this sweep has no task 40"

# Again: those that are missing, and are not in the queue, alone.
QUEUED=9 code 0 "$sweep" --slurm --dry-run
says "#SBATCH --array=3,10-11,38"
says "in the queue, and not submitted again: 9"
code 0 "$dir/study.json" --slurm
says "5 tasks (3,9-11,38)"
[ "$(tail -n 1 "$SUBMITTED" | sed 's/.* tasks //')" = 3,9-11,38 ] || fail "not those that were missing"
code 0 "$sweep" --collect
says "80 of 80 done"
code 0 "$sweep" --slurm
says "nothing to submit: 80 of 80 done"
[ "$(wc -l <"$SUBMITTED")" = 2 ] || fail "something was submitted"

# The same as undisturbed, but for what the clock of a machine says, and the number in the history.
PATH=$plain WARPSPY_RUNS=$dir/whole.sqlite code 0 "$dir/study.json" -o "$dir/whole"
"$here/same_sweeps.py" "$dir/whole" "$sweep" || fail "it differs from a sweep that nobody disturbed"
runs=$(python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM runs").fetchone())' "$WARPSPY_RUNS")
[ "$runs" = 80 ] || fail "the history has $runs runs"
