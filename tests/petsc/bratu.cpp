// The problem of gen:bratu, solved by PETSc's SNES with its defaults (full steps, backtracking if |F| does not fall).
// Prints |F| before each step. Usage: bratu N [options of PETSc, such as -ksp_rtol 1e-13]
#include <petscsnes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr double kLambda = 6;

// Points are numbered along x, then y, then z, the boundary included.
struct Cube {
  int n;
  double h;
  int points() const { return n * n * n; }
  std::array<int, 6> neighbours(int i) const { return {i - n * n, i - n, i - 1, i + 1, i + n, i + n * n}; }
  // In steps of the grid.
  int to_boundary(int i) const {
    int least = n;
    for (const int at : {i % n, i / n % n, i / n / n}) least = std::min({least, at, n - 1 - at});
    return least;
  }
};

PetscErrorCode residual(SNES, Vec u_of, Vec f_of, void* context) {
  const Cube& cube = *static_cast<const Cube*>(context);
  const PetscScalar* u = nullptr;
  PetscScalar* f = nullptr;
  PetscCall(VecGetArrayRead(u_of, &u));
  PetscCall(VecGetArray(f_of, &f));
  for (int i = 0; i < cube.points(); ++i) {
    f[i] = u[i];
    if (cube.to_boundary(i) == 0) continue;
    double sum = 6 * u[i];
    for (const int j : cube.neighbours(i)) sum -= u[j];
    f[i] = cube.h * sum - std::pow(cube.h, 3) * kLambda * std::exp(u[i]);
  }
  PetscCall(VecRestoreArrayRead(u_of, &u));
  PetscCall(VecRestoreArray(f_of, &f));
  return {};
}

PetscErrorCode jacobian(SNES, Vec u_of, Mat j, Mat, void* context) {
  const Cube& cube = *static_cast<const Cube*>(context);
  const PetscScalar* u = nullptr;
  PetscCall(VecGetArrayRead(u_of, &u));
  for (int i = 0; i < cube.points(); ++i) {
    if (cube.to_boundary(i) == 0) {
      PetscCall(MatSetValue(j, i, i, 1, INSERT_VALUES));
      continue;
    }
    const double diagonal = 6 * cube.h - std::pow(cube.h, 3) * kLambda * std::exp(u[i]);
    PetscCall(MatSetValue(j, i, i, diagonal, INSERT_VALUES));
    for (const int k : cube.neighbours(i)) PetscCall(MatSetValue(j, i, k, -cube.h, INSERT_VALUES));
  }
  PetscCall(VecRestoreArrayRead(u_of, &u));
  PetscCall(MatAssemblyBegin(j, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(j, MAT_FINAL_ASSEMBLY));
  return {};
}

PetscErrorCode tell(SNES, PetscInt, PetscReal norm, void*) {
  std::printf("%.17g\n", norm);
  return {};
}

PetscErrorCode solve(int n) {
  Cube cube{n, 1.0 / (n - 1)};
  Vec u = nullptr, f = nullptr;
  Mat j = nullptr;
  SNES snes = nullptr;
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, cube.points(), &u));
  PetscCall(VecDuplicate(u, &f));
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, cube.points(), cube.points(), 7, nullptr, &j));
  for (int i = 0; i < cube.points(); ++i)
    PetscCall(VecSetValue(u, i, kLambda / (kLambda + 1) * std::sqrt(cube.h * cube.to_boundary(i)), INSERT_VALUES));
  PetscCall(VecAssemblyBegin(u));
  PetscCall(VecAssemblyEnd(u));
  PetscCall(SNESCreate(PETSC_COMM_SELF, &snes));
  PetscCall(SNESSetFunction(snes, f, residual, &cube));
  PetscCall(SNESSetJacobian(snes, j, j, jacobian, &cube));
  PetscCall(SNESMonitorSet(snes, tell, nullptr, nullptr));
  PetscCall(SNESSetFromOptions(snes));
  PetscCall(SNESSolve(snes, nullptr, u));
  PetscCall(SNESDestroy(&snes));
  PetscCall(MatDestroy(&j));
  PetscCall(VecDestroy(&f));
  PetscCall(VecDestroy(&u));
  return {};
}

}  // namespace

int main(int count, char** words) {
  PetscCall(PetscInitialize(&count, &words, nullptr, nullptr));
  PetscCall(solve(std::atoi(words[1])));
  PetscCall(PetscFinalize());
  return 0;
}
