// From how many iterations on the kernel and format of a solve pay, preparation counted, against the CSR kernels: the
// break-even of a solve. It depends on other runs, so it is derived when it is told and never kept with a run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/preparation.hpp"
#include "core/run/record.hpp"
#include "core/run/saved_runs.hpp"

namespace warpspy {

struct SolveBreakEven {
  // From this many iterations on the solve takes no longer than any CSR solve of the same; at least 1. Nothing: it
  // never pays or is unavailable, and `reason` says which and why.
  std::optional<std::uint64_t> iterations = {};
  std::string reason = {};
  // The CSR solve that is overtaken last, or never; nullptr: unavailable.
  std::shared_ptr<const RunRecord> base = {};
  ProductCost cost = {}, of_base = {};  // in us: the preparation, and an iteration
  Provenance provenance = Provenance::derived;

  bool never() const { return base && !iterations; }
};

// `runs`: any runs. Those count that are solves of the same matrix, precision, device, method and preconditioner with
// another kernel that reads CSR as it is.
SolveBreakEven solve_break_even(const RunRecord& solve, const std::vector<std::shared_ptr<const RunRecord>>& runs,
                                const Catalog& catalog);

// "from 120 iterations on, against CG with CSR vector; 88 were done"; "never: ..."; "unavailable: ...".
std::string break_even_text(const RunRecord& solve, const SolveBreakEven& b);

// The saved solves of a matrix of that name, in that precision. Throws Error if they cannot be read.
std::vector<std::shared_ptr<const RunRecord>> saved_solves_of(const SavedRuns& saved, const RunRecord& solve);

}  // namespace warpspy
