#!/usr/bin/env bash
# A real window on a virtual display, driven like a user would: open, zoom the pattern with the wheel, run with F5, turn a
# knob by keyboard. The pictures must change where they should, and the first screen must look like the golden picture.
#   window_end_to_end.sh WARPSPY GOLDEN.png OUTPUT_FOLDER      WARPSPY_UPDATE_GOLDEN=1 renews the golden picture
# Exit code 77 (skipped) when there is no virtual display to run on.
set -euo pipefail
warpspy=$1 golden=$2 out=$3
. "$(dirname "$0")/display.sh"
on_a_display import compare convert
mkdir -p "$out"

"$warpspy" --theme paper 'gen:laplace5?nx=300&ny=300' 2>"$work/stderr" &
app=$!
pids+=("$app")
window=$(timeout 60 xdotool search --sync --onlyvisible --name Warpspy | head -1)
[ -n "$window" ] || { echo "no window appeared: $(cat "$work/stderr")"; exit 1; }

fail() { echo "FAILED: $1 (pictures in $out)"; exit 1; }
shoot() { import -window "$window" "$out/$1.png"; }
# Share of pixels that differ between two pictures, in percent.
differing() { compare -metric AE -fuzz 2% "$out/$1.png" "$out/$2.png" null: 2>&1 | awk '{printf "%.3f", 100 * $1 / (1280 * 800)}'; }
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }
# Waits until the picture stands still, then keeps it.
settle() {
  shoot "$1"
  for _ in $(seq 60); do
    sleep 0.5
    cp "$out/$1.png" "$out/previous.png"
    shoot "$1"
    [ "$(differing previous "$1")" = 0.000 ] && { rm -f "$out/previous.png"; return; }
  done
  fail "the window never stood still at step $1"
}

# A window that has not drawn yet stands still too.
for _ in $(seq 120); do
  shoot first
  colours=$(identify -format %k "$out/first.png")
  [ "$colours" -le 200 ] || break
  sleep 0.5
done
[ "$colours" -gt 200 ] || fail "the first screen has only $colours colours: nothing was drawn"
settle first

# The wheel zooms the pattern at the cursor.
xdotool mousemove --window "$window" 440 300
for _ in 1 2 3 4 5 6; do xdotool click 4; sleep 0.1; done
settle zoomed
above "$(differing first zoomed)" 0.3 || fail "the wheel did not zoom the pattern"

# F fits it again; F5 adds a run.
xdotool key f
settle fitted
xdotool key F5
settle ran
above "$(differing fitted ran)" 0.1 || fail "F5 did not add a run"
kill -0 "$app" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"

# Larger letters are letters too: boxes where the glyphs' texture is gone would darken the picture.
xdotool key ctrl+equal
settle larger
above "$(differing ran larger)" 1 || fail "Ctrl with plus made nothing larger"
above "$(convert "$out/larger.png" -colorspace gray -format '%[fx:mean]' info:)" 0.8 || fail "the larger window is dark"
[ "$(identify -format %k "$out/larger.png")" -gt 200 ] || fail "the larger window is empty"
xdotool key ctrl+0
settle again
# Beside what is said of the run, which may be refined meanwhile: matrices, tabs, the pattern and the roofline.
beside_run() { for name in "$@"; do convert "$out/$name.png" -crop 1030x480+0+0 +repage "$out/${name}_part.png"; done; }
beside_run ran again
above 0.2 "$(differing ran_part again_part)" || fail "Ctrl+0 did not give back the scale"

# Sizes that change faster than frames: a part of a window that is smaller by then must not be shown. What was painted in
# parts before is then painted as a whole, and looks the same.
awk -v window="$window" 'BEGIN { for (k = 1; k <= 200; ++k) {
  printf "windowsize %s %d %d\nsleep 0.02\n", window, 500 + k * 337 % 780, 400 + k * 211 % 400
  if (k % 5 == 0) printf "mousemove --window %s %d %d\n", window, k * 37 % 500, k * 23 % 400 } }' | xdotool -
xdotool windowsize "$window" 1280 800 mousemove --window "$window" 440 300
settle resized
kill -0 "$app" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
beside_run resized
above 0.2 "$(differing again_part resized_part)" || fail "back at its size the window looks other than before"

# Idle: no CPU while nothing moves (10 ms ticks over 2 s; a busy loop would take about 200).
before=$(awk '{print $14 + $15}' "/proc/$app/stat"); sleep 2; after=$(awk '{print $14 + $15}' "/proc/$app/stat")
[ $((after - before)) -lt 40 ] || fail "the idle window used $((after - before)) of 200 CPU ticks"

# Fonts and renderers differ a little between systems: compare small, blurred pictures.
small() { convert "$1" -resize 320x200! -blur 0x1 "$2"; }
if [ -n "${WARPSPY_UPDATE_GOLDEN:-}" ]; then convert "$out/first.png" -colors 128 "$golden"; fi
small "$golden" "$work/golden.png"
small "$out/first.png" "$work/first.png"
rmse=$(compare -metric RMSE "$work/golden.png" "$work/first.png" null: 2>&1 | sed 's/.*(\(.*\))/\1/') || true
echo "difference from the golden picture: $rmse (at most 0.05)"
above 0.05 "$rmse" || fail "the first screen differs from $golden"

# Closing the window ends the program with exit code 0.
xdotool key ctrl+q
for _ in $(seq 50); do kill -0 "$app" 2>/dev/null || break; sleep 0.1; done
wait "$app" || fail "closing the window ended with exit code $?: $(tail -c 1500 "$work/stderr")"
echo "passed"
