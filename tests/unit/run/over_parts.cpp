// What cannot be run over several GPUs, and why.
#include "core/run/over_parts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace warpspy {
namespace {

struct Asked {
  RunRequest request;
  KernelInfo kernel{"csr_vector", "CSR vector", "", "", "csr"};
  DeviceInfo device;

  Asked() { request.parts = 4, device.simulated = true; }
  std::string refusal() const {
    const auto e = refused_over_parts(request, kernel, device);
    return e ? e->what() : "";
  }
};

TEST(OverParts, ProductsAndMostSolvesAreNotRefused) {
  Asked a;
  EXPECT_EQ(a.refusal(), "");
  for (const SolverInfo& solver : solvers())
    for (const Preconditioner p : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::chebyshev}) {
      a.request.solver = solver.solver, a.request.preconditioner = p;
      EXPECT_EQ(a.refusal(), "") << solver.label << " " << name_of(p);
    }
}

TEST(OverParts, ARefusalSaysWhyAndWhatToDo) {
  const auto expect = [](Asked a, const char* where, const char* why, const char* what) {
    const std::string said = a.refusal();
    EXPECT_EQ(said.find(std::string(where) + ": "), 0u) << said;
    EXPECT_NE(said.find(why), std::string::npos) << said;
    EXPECT_NE(said.find(what), std::string::npos) << said;
    a.request.parts = 1;
    EXPECT_EQ(a.refusal(), "") << "one GPU can";
  };
  Asked cold, overlapping, library, transposed, no_matrix, blocks, refined;
  cold.device.simulated = overlapping.device.simulated = false;
  EXPECT_EQ(cold.refusal(), "") << "real GPUs";
  cold.request.cache_state = CacheState::cold;
  expect(cold, "cache_state", "caches are warm", "leave --cold out");
  overlapping.request.params["overlap"] = 1;
  expect(overlapping, "overlap", "cannot begin early", "leave overlap out");
  library.kernel.library = "cuSPARSE";
  expect(library, "parts", "x and y parts cannot share", "choose a kernel of ours");
  transposed.kernel.operation = Operation::transposed_product;
  expect(transposed, "parts", "csr_vector computes no A x", "choose another kernel");
  no_matrix.kernel.format.clear();
  expect(no_matrix, "parts", "csr_vector computes no A x", "choose another kernel");
  blocks.request.solver = Solver::cg, blocks.request.preconditioner = Preconditioner::block_jacobi;
  expect(blocks, "precond", "block Jacobi needs neighbouring rows together", "--precond jacobi");
  refined.request.solver = Solver::gmres, refined.request.refine = true;
  expect(refined, "refine", "refinement", "solve in f64");
}

// What only a solve has is not asked of a product.
TEST(OverParts, AProductHasNoPreconditioner) {
  Asked a;
  a.request.preconditioner = Preconditioner::block_jacobi, a.request.refine = true;
  EXPECT_EQ(a.refusal(), "");
}

}  // namespace
}  // namespace warpspy
