#!/bin/bash
# Four ranks of MPI on this machine over simulated GPUs, against four parts in one process; and ranks that fail.
# Usage: ranks.sh WARPSPY. Skipped (77) where MPI is missing: scripts/packages-extra.txt.
warpspy=$(realpath "$1")
command -v mpirun >/dev/null || { echo "skipped: there is no mpirun (apt-get install openmpi-bin libopenmpi-dev)"; exit 77; }
[ -e "$(dirname "$warpspy")/warpspy-mpi.so" ] || { echo "skipped: this build has no plugin for MPI"; exit 77; }
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $1"; tail -n 20 "$dir"/out "$dir"/err 2>/dev/null; exit 1; }
export WARPSPY_CACHE=off WARPSPY_RUNS=$dir/runs.sqlite
# One machine, and not always a processor for each rank.
mpirun=(mpirun)
if mpirun --version 2>&1 | grep -q "Open MPI"; then
  export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
  mpirun+=(--oversubscribe)
  [ "$(id -u)" != 0 ] || mpirun+=(--allow-run-as-root)
fi
# ranks CODE ARGS...: must end with this code, and end at all.
ranks() {
  local wanted=$1 got
  shift
  timeout 120 "${mpirun[@]}" "$@" >"$dir/out" 2>"$dir/err"; got=$?
  [ $got = "$wanted" ] || fail "mpirun $* ended with $got instead of $wanted"
}
says() { grep -qF -- "$1" "$dir/out" "$dir/err" || fail "it does not say: $1"; }
same() {
  "$warpspy" "$@" --parts 4 --json >"$dir/one.json" 2>"$dir/err" || fail "$* in one process"
  ranks 0 -n 4 "$warpspy" "$@" --json
  python3 - "$dir/one.json" "$dir/out" <<'PY' || fail "$*: ranks tell something else"
import json, sys
one, four = (json.load(open(path))["runs"][0] for path in sys.argv[1:3])
assert four["parts"] == one["parts"], "parts"
assert four["time_us"] == one["time_us"], "time"
assert four["counters"] == one["counters"], "counters"
if "solve" not in one: sys.exit(0)
a, b = one["solve"]["residuals"], four["solve"]["residuals"]
# Ranks add up in another order. Rounding grows with the iterations: those of BiCGStab part after the first ten.
grows = one["request"]["solver"] == "bicgstab"
assert abs(len(a) - len(b)) <= (0.05 * len(a) if grows else 0), (len(a), len(b))
alike = 10 if grows else len(a)
assert all(abs(x - y) <= 1e-10 * a[0] for x, y in zip(a[:alike], b[:alike])), list(zip(a, b))
assert max(a[-1], b[-1]) <= 1e-8 * a[0] or not grows, (a[-1], b[-1])
assert four["solve"]["numbers_from"] == "the processors of 4 ranks"
PY
}

# The other ranks print nothing, and the history has one run.
ranks 0 -n 4 "$warpspy" run 'gen:laplace27?nx=12&ny=12&nz=12' --device sim:h200 --split metis
says "each part was run by a rank of Open MPI"
says "passed"
[ "$(grep -c "halo in" "$dir/out")" = 1 ] || fail "not one rank told"
runs=$(python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM runs").fetchone())' "$WARPSPY_RUNS")
[ "$runs" = 1 ] || fail "the history has $runs runs"
export WARPSPY_RUNS=off

same run 'gen:laplace27?nx=12&ny=12&nz=12' --device sim:h200 --precision f64
for solver in cg pipelined_cg bicgstab gmres; do
  same solve 'gen:laplace5?nx=40&ny=40' --device sim:h200 --solver $solver --precond jacobi
done
same solve 'gen:bratu?n=6' --device sim:k20x --solver gmres --precond jacobi --tol 1e-5

# The solution is that of all.
"$warpspy" solve 'gen:laplace5?nx=20&ny=20' --device sim:h200 --solution "$dir/one.mtx" >/dev/null 2>&1
ranks 0 -n 3 "$warpspy" solve 'gen:laplace5?nx=20&ny=20' --device sim:h200 --solution "$dir/three.mtx"
python3 - "$dir/one.mtx" "$dir/three.mtx" <<'PY' || fail "the solution is another one"
import sys
one, three = ([float(line) for line in open(path) if line[0] != "%" and len(line.split()) == 1] for path in sys.argv[1:3])
assert len(one) == len(three) == 400
assert all(abs(a - b) < 1e-6 for a, b in zip(one, three))
PY

# What fails in one fails in all, with its name, and nothing hangs.
small='gen:laplace5?nx=9&ny=9'
ranks 1 -n 1 "$warpspy" run "$small" --device sim:h200 : -n 2 "$warpspy" run 'gen:laplace5?nx=9&ny=10' --device sim:h200
says "ranks 1, 2 have another matrix than rank 0; give all ranks the same file"
ranks 1 -n 2 "$warpspy" run "$small" --device sim:h200 : -n 1 "$warpspy" run "$dir/none.mtx" --device sim:h200
says "rank 2: "
ranks 1 -n 1 "$warpspy" run "$small" --device sim:h200 : -n 1 "$warpspy" run "$small" --device sim:h200 --kernel ell
says "rank 1 has another request than rank 0"
ranks 1 -n 4 "$warpspy" run "$small" --device sim:h200 --parts 3
says "--parts 3, and MPI started 4 ranks"
[ "$(grep -c "parts 3, and MPI" "$dir/err")" = 1 ] || fail "it is said more than once"
ranks 1 -n 2 "$warpspy" solve "$small" --device sim:h200 --precond block_jacobi
says "block Jacobi needs neighbouring rows together"

# Without the plugin it says so.
cp "$warpspy" "$dir/warpspy"
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 "$dir/warpspy" run "$small" --device sim:h200 >"$dir/out" 2>"$dir/err" && fail "it ran without the plugin"
says "Warpspy's plugin for MPI is not there"
exit 0
