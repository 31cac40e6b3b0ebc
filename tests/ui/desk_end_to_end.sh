#!/usr/bin/env bash
# The desk of a real window on a virtual display: kept while one works, back after kill -9, after a proper end and after
# SIGTERM, empty with --fresh; a second window leaves it alone.
#   desk_end_to_end.sh WARPSPY
# Exit code 77 (skipped) when there is no virtual display to run on.
set -euo pipefail
warpspy=$1
. "$(dirname "$0")/display.sh"
on_a_display
export WARPSPY_CACHE=off WARPSPY_RUNS="$work/runs.sqlite"
desk=$work/state/warpspy/desk.json

fail() { echo "FAILED: $1: $(cat "$work/stderr" "$desk" 2>/dev/null | head -c 3000)"; exit 1; }
holds() { grep -q "$1" "$desk" 2>/dev/null; }
crashed() { [ -s "$work/state/warpspy/${1:-desk}.lock" ]; }
gone() { ! kill -0 "$app" 2>/dev/null; }
press() { xdotool keydown "$1"; sleep 0.3; xdotool keyup "$1"; }
quit() {  # the name of its desk
  kill -TERM "$app"
  until_true "SIGTERM did not end the window" gone
  wait "$app" || fail "the window ended with exit code $?"
  crashed "${1:-desk}" && fail "a proper end was taken for a crash"
  return 0
}

start 'gen:laplace5?nx=30&ny=30'
until_true "the desk was not kept" holds 'nx=30'
kill -9 "$app"
until_true "kill -9 did not end the window" gone
crashed || fail "a crash was not seen"

# It is offered; Enter brings it back. What is done then is kept with it.
start
answered() { press Return; sleep 1; xdotool key ctrl+2; sleep 3; holds '"tab": "rows"'; }
until_true "the desk was not offered" answered
holds 'nx=30' || fail "the desk did not come back"
quit

# It comes back by itself, beside a file of the command line; a second window has its own.
start 'gen:laplace5?nx=31&ny=31'
until_true "the file did not join the desk" holds 'nx=31'
holds 'nx=30' || fail "the file took the desk's place"
first=$app
start 'gen:laplace5?nx=32&ny=32'
until_true "the second window kept nothing" grep -qs 'nx=32' "$work/state/warpspy/desk-2.json"
holds 'nx=32' && fail "the second window wrote over the first one's desk"
quit desk-2
app=$first
quit

# --fresh begins empty and loses nothing.
start --fresh 'gen:laplace5?nx=33&ny=33'
until_true "nothing was kept" holds 'nx=33'
holds 'nx=30' && fail "--fresh was not empty"
grep -q 'nx=30' "$work/state/warpspy/desk.before.json" || fail "--fresh lost the desk"
quit

# What is no file keeps no window: a pipe that is silent, one into which nobody writes, in place of a matrix and a figure.
mkfifo "$work/silent.mtx" "$work/none.mtx" "$work/none.svg" "$work/none.warpspy"
exec 9<>"$work/silent.mtx"
start --fresh "$work/silent.mtx" "$work/none.mtx" "$work/none.svg" "$work/none.warpspy"
sleep 1
kill -TERM "$app"
for _ in $(seq 100); do gone && break; sleep 0.2; done
gone || fail "a pipe kept the window from ending"
echo "passed"
