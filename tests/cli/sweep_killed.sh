#!/bin/bash
# A sweep, a search, and other plans, killed again and again, against one that never was: sweep_killed.sh WARPSPY [KILLS] [SEED]
# Every product is there once, and equal: times are modelled, so they are the same to the last bit. Besides: two programs
# do not run one sweep, and what the order of the lists is makes no difference.
warpspy=$1 kills=${2:-5} seed=${3:-$RANDOM}
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $1 (seed $seed)"; tail -n 5 "$dir"/*.err 2>/dev/null; exit 1; }
export WARPSPY_CACHE=off WARPSPY_RUNS=$dir/runs.sqlite
echo "seed $seed"
RANDOM=$seed

# 50 matrices x (6 of CSR vector, ELL, 3 of CSR scalar): 500 products.
cat >"$dir/study.json" <<'JSON'
{"matrices": ["gen:laplace5?nx=10:59&ny=9"], "kernels": ["csr_vector", "ell", "csr_scalar"],
 "params": {"csr_vector.coop": "1:32", "csr_scalar.block_size": ["64", "128", "256"]}, "device": "sim:h200", "depth": "quick"}
JSON
# The same, its lists the other way round.
cat >"$dir/turned.json" <<'JSON'
{"depth": "quick", "device": ["sim:h200"], "params": {"csr_scalar.block_size": [256, 64, 128], "csr_vector.coop": [32, 16, 8, 4, 2, 1]},
 "kernels": ["csr_scalar", "ell", "csr_vector"], "matrices": ["gen:laplace5?nx=35:59&ny=9", "gen:laplace5?nx=10:34&ny=9"]}
JSON

# How long all of it takes, and how long it takes to find that all is there: what comes before the first product.
begin=$(date +%s%N)
"$warpspy" sweep "$dir/study.json" -o "$dir/whole" >"$dir/whole.out" 2>"$dir/whole.err" || fail "the sweep that nobody kills"
between=$(date +%s%N)
"$warpspy" sweep "$dir/study.json" -o "$dir/whole" >"$dir/whole.out" 2>"$dir/whole.err" || fail "a sweep that is done"
took=$(( (between - begin) / 1000000 )) start=$(( ($(date +%s%N) - between) / 1000000 ))
cells=$(ls "$dir/whole/cells" | wc -l)
[ "$cells" = 500 ] || fail "$cells products instead of 500"

study() { [ $((RANDOM % 2)) = 0 ] && echo "$dir/study.json" || echo "$dir/turned.json"; }
before=0
for k in $(seq "$kills"); do
  "$warpspy" sweep "$(study)" -o "$dir/killed" >"$dir/killed.out" 2>"$dir/killed.err" & pid=$!
  # At the start too; so far apart that the last ones come near the end.
  ms=$(( 20 + RANDOM % (start + 2 * took / kills + 20) ))
  sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
  kill -9 $pid 2>/dev/null && killed=$((killed + 1))
  wait $pid 2>/dev/null
  now=$(ls "$dir/killed/cells" 2>/dev/null | grep -c '\.json$')
  [ "$now" -ge "$before" ] || fail "products were lost: $before, then $now"
  before=$now
done
echo "killed $killed times; $before of $cells products were there"
[ "$before" -lt "$cells" ] || echo "(all were there before the last kill)"

# Ctrl+C is a clean end, also while the folder is read, and while one runs another one does not.
if [ "$before" -lt "$cells" ]; then
  for after in 0.05 0.1 0.2 0.4; do
    "$warpspy" sweep "$dir/study.json" -o "$dir/killed" >"$dir/early.out" 2>"$dir/early.err" & pid=$!
    sleep $after
    kill -INT $pid 2>/dev/null
    wait $pid; status=$?
    [ $status = 130 ] || [ $status = 0 ] || fail "Ctrl+C after $after s ended with $status"
  done
  before=$(ls "$dir/killed/cells" | grep -c '\.json$')
  "$warpspy" sweep "$dir/study.json" -o "$dir/killed" >"$dir/stopped.out" 2>"$dir/stopped.err" & pid=$!
  for _ in $(seq 100); do [ "$(ls "$dir/killed/cells" | wc -l)" -gt "$before" ] && break; sleep 0.02; done
  "$warpspy" sweep "$dir/study.json" -o "$dir/killed" >"$dir/second.out" 2>"$dir/second.err" && running=0 || running=1
  if kill -INT $pid 2>/dev/null; then
    wait $pid; status=$?
    [ $status = 130 ] || [ $status = 0 ] || fail "Ctrl+C ended with $status"
    [ $running = 0 ] || grep -q "runs this sweep" "$dir/second.err" || fail "two ran one sweep"
  fi
fi

"$warpspy" sweep "$dir/turned.json" -o "$dir/killed" >"$dir/resumed.out" 2>"$dir/resumed.err" || fail "resuming"
grep -q "500 of 500 done" "$dir/resumed.out" || fail "not all done"
ls "$dir/killed/cells" | grep -v '\.json$' && fail "something half written is left"
# The lists of the two have another order, so the tables do too.
"$(dirname "$0")/same_sweeps.py" "$dir/whole" "$dir/killed" products || fail "the products differ"
# The order of the table is that of the lists; its rows are the same.
"$warpspy" sweep "$dir/study.json" -o "$dir/killed" >"$dir/again.out" 2>"$dir/again.err" || fail "once more"
python3 - "$dir/whole/table.csv" "$dir/killed/table.csv" <<'PY' || fail "the tables differ"
import csv, sys
def rows(path):
    with open(path, newline="") as f:
        return [{k: v for k, v in row.items() if k not in ("run", "wall [s]", "conversion [us]", "answered [s]")} for row in csv.DictReader(f)]
a, b = rows(sys.argv[1]), rows(sys.argv[2])
assert len(a) == 500 and a == b, [(x, y) for x, y in zip(a, b) if x != y][:1]
PY

# A search is a plan too, whose cases depend on what came before: killed and gone on, it comes to the same.
# No function: what is killed in the background would be the shell around it.
search=("$warpspy" tune 'gen:laplace5?nx=40&ny=40' --device sim:h200 --most 30 --json --keep)
begin=$(date +%s%N)
"${search[@]}" "$dir/searched" >"$dir/searched.json" 2>"$dir/searched.err" || fail "the search that nobody kills"
took=$(( ($(date +%s%N) - begin) / 1000000 ))
for k in $(seq "$kills"); do
  "${search[@]}" "$dir/search_killed" >"$dir/search.out" 2>"$dir/search.err" & pid=$!
  ms=$(( 20 + RANDOM % (2 * took / kills + 20) ))
  sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
  kill -9 $pid 2>/dev/null && killed=$((killed + 1))
  wait $pid 2>/dev/null
done
"${search[@]}" "$dir/search_killed" >"$dir/search_resumed.json" 2>"$dir/search_resumed.err" || fail "going on with the search"
python3 - "$dir" <<'PY' || fail "the searches differ"
import json, os, sys
def steps(name):
    with open(f"{sys.argv[1]}/{name}.json") as f:
        return [(s["strategy"], s["kernel"], s["params"], s["time_us"], s["failure"]) for s in json.load(f)["steps"]]
def cells(name):
    return sorted(c for c in os.listdir(f"{sys.argv[1]}/{name}/cells") if c.endswith(".json"))
assert steps("searched") == steps("search_resumed"), "not the same steps"
assert cells("searched") == cells("search_killed"), "not the same products"
print(len(cells("searched")), "products of a search, all the same")
PY
# So do the others whose products do not hang on how fast this machine is: a study, an analysis, a plan that is a file.
python3 - "$dir/table.json" <<'PY'
import json, sys
sizes = range(10, 40)
json.dump({"schema": "warpspy-study-1", "id": "made-up", "title": "Made up", "source": {"paper": "Nobody 2026", "place": "Table 1"},
           "matrices": {f"m{n}": {"source": f"gen:laplace5?nx={n}&ny=30", "kind": "generator"} for n in sizes},
           "setups": {k: {"kernel": f"csr_{k}", "precision": "f32", "device": "gtx280"} for k in ("scalar", "vector")},
           "defaults": {"claim": "rate", "unit": "GFLOP/s", "quantity": "run.gflops"},
           "tables": [{"columns": [{"name": k, "setup": k} for k in ("scalar", "vector")],
                       "rows": [{"name": f"m{n}", "matrix": f"m{n}", "cells": ["2.0", "4.0"]} for n in sizes]}]}, open(sys.argv[1], "w"))
PY
cat >"$dir/plan.json" <<JSON
{"plan": "tune", "matrices": ["gen:laplace5?nx=40&ny=30", "gen:laplace5?nx=30&ny=40"], "kernel": "csr_vector", "strategy": "run_time",
 "device": "sim:h200", "json": true}
JSON
# What a command tells once its products are in the folder $1.
tells() {
  case $plan in
    study) "$warpspy" study run "$dir/table.json" -o "$1" --csv ;;
    analyse) "$warpspy" analyse 'gen:laplace5?nx=90&ny=90' --analysis coop --device sim:h200 -o "$1.csv" --keep "$1" && cat "$1.csv" ;;
    file) "$warpspy" plan "$dir/plan.json" --keep "$1" | grep -E '"(params|time_us)"' ;;
  esac
}
for plan in study analyse file; do
  begin=$(date +%s%N)
  tells "$dir/$plan.whole" >"$dir/$plan.whole.told" 2>"$dir/$plan.whole.err" || fail "$plan that nobody kills"
  took=$(( ($(date +%s%N) - begin) / 1000000 ))
  for k in $(seq "$kills"); do
    case $plan in  # the program itself in the background: it is what is killed
      study) "$warpspy" study run "$dir/table.json" -o "$dir/$plan.killed" --csv >"$dir/out" 2>"$dir/out.err" & ;;
      analyse) "$warpspy" analyse 'gen:laplace5?nx=90&ny=90' --analysis coop --device sim:h200 -o "$dir/out.csv" --keep "$dir/$plan.killed" \
                 >"$dir/out" 2>"$dir/out.err" & ;;
      file) "$warpspy" plan "$dir/plan.json" --keep "$dir/$plan.killed" >"$dir/out" 2>"$dir/out.err" & ;;
    esac
    pid=$! ms=$(( 20 + RANDOM % (2 * took / kills + 20) ))
    sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
    kill -9 $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
  done
  tells "$dir/$plan.killed" >"$dir/$plan.killed.told" 2>"$dir/$plan.killed.err" || fail "going on with $plan"
  cmp "$dir/$plan.whole.told" "$dir/$plan.killed.told" || fail "$plan tells something else"
  diff <(ls "$dir/$plan.whole/cells") <(ls "$dir/$plan.killed/cells") || fail "the products of $plan differ"
  echo "$(ls "$dir/$plan.whole/cells" | wc -l) products of $plan, all the same"
done

# Ctrl+C ends a study with what it has, and says so.
"$warpspy" study run "$dir/table.json" -o "$dir/stopped" >"$dir/out" 2>"$dir/stopped.err" & pid=$!
for _ in $(seq 100); do [ "$(ls "$dir/stopped/cells" 2>/dev/null | wc -l)" -gt 0 ] && break; sleep 0.02; done
if kill -INT $pid 2>/dev/null; then
  wait $pid; status=$?
  [ $status = 130 ] || [ $status = 0 ] || fail "Ctrl+C ended the study with $status"
  [ $status = 0 ] || grep -q "the same command goes on" "$dir/stopped.err" || fail "it does not say how to go on"
fi
echo "passed: $killed kills"
