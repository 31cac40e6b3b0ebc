# A virtual display for a test in shell; sourced. Exit code 77 (skipped) where there is none.
#   on_a_display TOOL...     what else is needed; sets work (a folder, removed at the end), DISPLAY, and a home there
# What is added to pids is killed at the end.
on_a_display() {
  local tool
  for tool in Xvfb xdotool "$@"; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: $tool is not installed"; exit 77; }
  done
  work=$(mktemp -d)
  pids=()
  trap finish EXIT
  Xvfb -displayfd 3 -screen 0 1280x800x24 3>"$work/display" >/dev/null 2>&1 &
  pids+=($!)
  for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
  DISPLAY=":$(cat "$work/display")"
  export DISPLAY LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state"
}
finish() { kill -9 "${pids[@]}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"; }

# Starts the program in the background and waits for its window: app is its process.
start() {
  "$warpspy" "$@" 2>"$work/stderr" &
  app=$!
  pids+=("$app")
  timeout 60 xdotool search --sync --onlyvisible --pid "$app" >/dev/null || fail "no window appeared"
}
# Waits until the command holds; else fails with the words before it.
until_true() {
  local what=$1
  shift
  for _ in $(seq 300); do "$@" && return; sleep 0.2; done
  fail "$what"
}
