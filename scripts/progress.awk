# How far a build is. Reads what `ninja -n` would do, then ninja's own lines as it does it, each step as "@N/TOTAL text"
# (NINJA_STATUS). Steps weigh what they took the last time (ninja's log), and on the first build what such steps took on a quiet
# machine. Whatever else ninja says, warnings and errors, goes through as it is.
#   awk -v log_file=.ninja_log -v terminal=yes|no -f progress.awk PENDING -
# Seconds: systime() is not in every awk, and what srand() returns is no time in some.
function now(  seconds) {
  "date +%s" | getline seconds
  close("date +%s")
  return seconds
}
function weight(text, file) {
  file = text
  sub(/.* /, "", file)
  if (file in took) return took[file]
  if (text ~ /CUDA object .*shard_/) return 30
  if (text ~ /shard_[0-9]+\.cpp/) return 12
  if (text ~ /app\/CMakeFiles.*\/cli\//) return 5
  if (text ~ /Building/) return 2.5
  return 0.3
}
function left(share, seconds) {
  if (share < 0.03 || seconds < 5) return ""
  seconds = seconds * (1 - share) / share
  if (seconds < 50) return sprintf(", about %d s left", 5 * int(seconds / 5) + 5)
  return sprintf(", about %d min left", int(seconds / 60 + 0.5))
}
function say(text) {
  if (terminal == "yes") printf "\r\033[K%s", text
  else print text
  open_line = terminal == "yes"
  fflush()
}
function end_line() {
  if (open_line) printf "\r\033[K"
  open_line = 0
}
BEGIN {
  while ((getline line < log_file) > 0) {
    n = split(line, f, "\t")
    if (n >= 4 && f[2] > f[1]) took[f[4]] = (f[2] - f[1]) / 1000
  }
  start = now()
}
/Re-checking globbed directories|Entering directory|no work to do/ { next }
FILENAME != "-" {
  if ($1 ~ /^@/) { all += weight($0); steps++ }
  next
}
/^@[0-9]+\/[0-9]+ / {
  split(substr($1, 2), count, "/")
  done += weight($0)
  # Where CMake runs again, there is more to do than was foreseen.
  share = steps >= count[2] && all > 0 ? done / all : count[1] / count[2]
  if (share > 1) share = 1
  seconds = now() - start
  percent = int(100 * share)
  if (!said) { said = 1; next_percent = 10; next_time = 60; if (count[2] > 20) say("Building (the first time takes some minutes)"); if (terminal != "yes") next }
  if (terminal == "yes") {
    say(sprintf("Building: %d %%%s (step %d of %d)", percent, left(share, seconds), count[1], count[2]))
  } else if (percent >= next_percent || seconds >= next_time) {
    say(sprintf("Building: %d %%%s", percent, left(share, seconds)))
    next_percent = percent + 10
    next_time = seconds + 60
  }
  next
}
{ end_line(); print; fflush() }
END { end_line() }
