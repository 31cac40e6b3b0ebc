#!/usr/bin/env bash
# The structures that scripts/structures writes: each is a matrix that the program reads, the same one each time, and the
# lists of matrices are what scripts/lot draws.
#   structures.sh SOURCE_DIR WARPSPY
set -euo pipefail
root=$1 warpspy=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export WARPSPY_RUNS=off WARPSPY_CACHE=off
mapfile -t names < <("$root/scripts/structures" --list | cut -d' ' -f1)
[ ${#names[@]} = 36 ] || { echo "there are ${#names[@]} structures"; exit 1; }
files=()
for name in "${names[@]}"; do files+=("${name}_700_3.mtx"); done
"$root/scripts/structures" "$out/a" "${files[@]}" > /dev/null
PYTHONHASHSEED=5 "$root/scripts/structures" "$out/b" "${files[@]}" > /dev/null
diff -r "$out/a" "$out/b"
for file in "${files[@]}"; do
  "$warpspy" info "$out/a/$file" > "$out/said" || { echo "$file is not read"; exit 1; }
done
if "$root/scripts/structures" "$out/a" no_such_3_1.mtx 2> "$out/said"; then exit 1; fi
grep -q "shows the structures" "$out/said"
cd "$root/docs/bench"
for of in "" --rest; do
  for pool in new known; do "$root/scripts/lot" 45 12 measure-$pool.txt $of; done > "$out/drawn"
  diff "$out/drawn" "measure-$([ -z "$of" ] && echo aside || echo learn).txt"
done
