#!/bin/sh
# Newton's method of `warpspy solve gen:bratu` against PETSc's SNES: |F| before the first four steps agrees to 8 digits,
# as far as F has them: rounding its terms changes |F| by about 1e-16, and before the fourth step |F| is 4e-13.
# Usage: bratu.sh WARPSPY. Skipped (77) where PETSc or MPI is missing: Debian's package petsc-dev has both.
set -eu
warpspy=$1
here=$(dirname "$0")
if ! pkg-config --exists PETSc mpi-cxx 2>/dev/null; then
  echo "skipped: PETSc is not installed (petsc-dev)"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2046
${CXX:-c++} -std=c++20 -O1 "$here/bratu.cpp" -o "$scratch/bratu" $(pkg-config --cflags --libs PETSc mpi-cxx)
"$scratch/bratu" 16 -ksp_rtol 1e-13 > "$scratch/petsc"
for solver in cg "bicgstab --precond jacobi" gmres; do
  # shellcheck disable=SC2086
  "$warpspy" solve 'gen:bratu?n=16' --solver $solver --tol 1e-13 --device sim:h200 --json \
    > "$scratch/json"
  sed -n '/"newton"/,/^ *\]/p' "$scratch/json" | grep -o '"norm": *[-+.0-9e]*' | sed 's/.*: *//' > "$scratch/norms"
  # The first one is |F| at the end.
  { sed 1d "$scratch/norms"; head -n 1 "$scratch/norms"; } > "$scratch/ours"
  paste "$scratch/petsc" "$scratch/ours" | head -n 4 | awk -v solver="$solver" '
    { off = ($1 - $2) / $1; if (off < 0) off = -off; print solver ", step " NR ": PETSc " $1 ", here " $2; rows++
      if (NF != 2 || !(off * $1 <= 1e-8 * $1 + 5e-16)) bad = 1 }
    END { if (rows != 4) { print "steps are missing"; bad = 1 }; exit bad }'
done
