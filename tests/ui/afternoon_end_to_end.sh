#!/usr/bin/env bash
# An afternoon at the desk, on a virtual display: thirty files by the command line, a folder, dropped and by the open
# dialog; a sweep on all of them, ended by kill -9 in its midst; the next start offers the desk, and the sweep goes on;
# the session goes to a file, and is opened elsewhere with its matrices.
#   afternoon_end_to_end.sh WARPSPY DROP_FILES
# Exit code 77 (skipped) when there is no virtual display to run on.
set -euo pipefail
warpspy=$1 drop_files=$2
. "$(dirname "$0")/display.sh"
on_a_display python3
export WARPSPY_CACHE=off WARPSPY_DIALOG=own

# A home of its own for each machine of the story.
live_in() {
  export XDG_CONFIG_HOME=$1/config XDG_CACHE_HOME=$1/cache XDG_STATE_HOME=$1/state XDG_DATA_HOME=$1/data WARPSPY_RUNS=$1/runs.sqlite
  desk=$1/state/warpspy/desk.json
  mkdir -p "$1/cache"
}
fail() { echo "FAILED: $1: $(cat "$work/stderr" 2>/dev/null | head -c 1000) desk: $(asked 'shown(d)' 2>/dev/null)"; exit 1; }
# Of a desk or a session, d.
asked() {
  python3 - "${2:-$desk}" <<PYTHON
import json, sys
d = json.load(open(sys.argv[1]))
sweep = d.get("sweep") or {}
ended = sweep.get("outcomes", [])
def shown(d): return {k: len(v) for k, v in d.items() if isinstance(v, list)} | {"ended": len(ended)}
print($1)
PYTHON
}
says() { [ "$(asked "$@" 2>/dev/null)" = True ]; }
quit() { kill -TERM "$app"; wait "$app" || fail "the window ended with exit code $?"; }
press() { xdotool key "$@"; sleep 0.3; }
enter_text() { xdotool type --delay 5 "$1"; sleep 0.3; press Return; }
# By the action search; whatever covers the desk goes first.
command_named() {
  press Escape
  press ctrl+shift+p
  sleep 0.3
  enter_text "$1"
  sleep 2.5
}
open_count() { says "len([m for m in d['matrices'] if m['rows'] > 0]) == $1"; }

mkdir -p "$work/here/folder" "$work/here/single" "$work/here/dialog"
n=0
for kind in laplace5 laplace9 fem_quad; do
  for place in single folder dialog; do
    for side in 80 100 120; do
      "$warpspy" generate "$kind?nx=$side&ny=$side" -o "$work/here/$place/$kind-$side.mtx" >/dev/null
      n=$((n + 1))
    done
  done
done
for place in single folder dialog; do
  "$warpspy" generate 'powerlaw?rows=12000&mean=8' -o "$work/here/$place/powerlaw.mtx" >/dev/null
  n=$((n + 1))
done
[ "$n" = 30 ] || fail "not thirty files"

live_in "$work/home"
start "$work"/here/single/laplace*.mtx "$work/here/folder"
until_true "six files and a folder were not opened" open_count 16
window=$(xdotool search --onlyvisible --pid "$app" | head -1)
"$drop_files" "$window" "$work"/here/single/{fem_quad,powerlaw}*.mtx || fail "files were not dropped"
until_true "four files that were dropped were not opened" open_count 20
# Once more where the folder was not listed in time: what is open already is not opened twice.
by_the_dialog() {
  press Escape
  press ctrl+o
  enter_text "$work/here/dialog"
  sleep 1
  xdotool key --delay 1 shift+{Down,Down,Down,Down,Down,Down,Down,Down,Down}  # within few frames
  sleep 0.3
  press Return
  sleep 3
  open_count 30
}
until_true "the dialog did not open ten more" by_the_dialog

# All kernels of CSR on all of them.
press ctrl+shift+F5
sleep 0.5
xdotool type --delay 50 csr
for key in Tab space shift+Tab Return; do sleep 0.4; press $key; done
until_true "no sweep was under way" says "len(ended) >= 2"
kill -9 "$app"
wait "$app" 2>/dev/null || true
done_before=$(asked 'len(ended)') all=$(asked 'len(d["matrices"]) * len(sweep["plan"]["kernels"])')
[ "$done_before" -lt "$all" ] || fail "the sweep ended before it was killed"

start
answered() { press Return; sleep 1; press ctrl+2; sleep 2.5; says 'd["choices"]["tab"] == "rows"'; }
until_true "the desk was not offered" answered
until_true "not every matrix came back" open_count 30
says "len(ended) >= $done_before" || fail "the sweep was lost"
resumed() { command_named "resume the sweep"; says "len(ended) >= $done_before + 3 and all(o['state'] == 'done' for o in ended)"; }
until_true "the sweep did not go on" resumed
command_named "stop the sweep"
says "len(d['runs']) > $done_before" || fail "runs were lost"

press Escape
press ctrl+shift+s
sleep 0.5
enter_text "$work/here/afternoon.warpspy"
until_true "the session was not saved" says "len(d['matrices']) == 30 and len(ended) > $done_before" "$work/here/afternoon.warpspy"
saved=$(asked 'len(ended)' "$work/here/afternoon.warpspy")
quit

# Another machine, another folder: matrices are found beside the session, and nothing of the first home is there.
mv "$work/here" "$work/there"
live_in "$work/elsewhere"
start "$work/there/afternoon.warpspy"
until_true "the session was not opened elsewhere" open_count 30
says "all('/there/' in m['source'] for m in d['matrices'])" || fail "matrices were not found beside the session"
says "len(d['runs']) > $done_before and len(ended) == $saved" || fail "runs did not come with the session"
quit
echo "passed: $done_before of $all products were done when it was killed, $saved when it was shared"
