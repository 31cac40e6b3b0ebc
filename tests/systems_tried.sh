#!/usr/bin/env bash
# Every system of docs/systems.json was tried within the last hundred commits, and passed. scripts/check-system writes the file.
#   systems_tried.sh PROJECT
# Exit code 77 (skipped) where the history of the commits is not at hand, and while a system is being tried.
set -euo pipefail
skip() { echo "SKIPPED: $1"; exit 77; }
[ -z "${WARPSPY_CHECKING_SYSTEM:-}" ] || skip "this is the system that is being tried"
command -v git >/dev/null && command -v python3 >/dev/null || skip "git or python3 is not installed"
cd "$1"
[ -f docs/systems.json ] || skip "no system was tried yet"
[ "$(git -c safe.directory='*' rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || skip "this is no clone"
[ "$(git -c safe.directory='*' rev-parse --is-shallow-repository)" = false ] || skip "the clone is shallow"
failed=no
while IFS=$'\t' read -r system commit result; do
  if ! git -c safe.directory='*' cat-file -e "$commit^{commit}" 2>/dev/null; then
    echo "$system: commit $commit is not in this clone"; failed=yes; continue
  fi
  behind=$(git -c safe.directory='*' rev-list --count "$commit..HEAD")
  echo "$system: $result at ${commit:0:10}, $behind commits ago"
  [ "$behind" -le 100 ] && [ "$result" = passed ] || failed=yes
done < <(python3 -c '
import json
tried = json.load(open("docs/systems.json"))
for system, t in tried.items(): print(system, t["commit"], t["result"], sep="\t")')
[ "$failed" = no ] || { echo "FAILED: run scripts/check-system CODENAME --kept and commit docs/systems.json"; exit 1; }
