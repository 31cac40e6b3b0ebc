// The break-even of a solve of A x = b. A solve whose format must first be converted pays only if it takes enough
// iterations. The break-even is the number of iterations from which on it is as fast as the CSR solves, preparation
// included. It depends on other runs, so it is computed when it is shown and is not saved with a run.
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
  // From this many iterations on (at least 1) the solve takes no longer than any CSR solve of the same system. Without
  // a value it never pays or is not known, and `reason` says which and why.
  std::optional<std::uint64_t> iterations = {};
  std::string reason = {};
  // The CSR solve that needs the most iterations to be overtaken, or is never overtaken. nullptr: the break-even is not
  // known.
  std::shared_ptr<const RunRecord> base = {};
  ProductCost cost = {}, of_base = {};  // in us: the preparation, and an iteration
  Provenance provenance = Provenance::derived;

  bool never() const { return base && !iterations; }
};

// `runs` may be any runs. The function picks the solves with the same matrix, precision, device, parts, method and
// preconditioner whose kernel reads CSR without a conversion.
SolveBreakEven solve_break_even(const RunRecord& solve, const std::vector<std::shared_ptr<const RunRecord>>& runs,
                                const Catalog& catalog);

// "from 120 iterations on, against CG with CSR vector; 88 were done"; "never: ..."; "unavailable: ...".
std::string break_even_text(const RunRecord& solve, const SolveBreakEven& b);

// The saved solves of a matrix of that name, in that precision. Throws Error if they cannot be read.
std::vector<std::shared_ptr<const RunRecord>> saved_solves_of(const SavedRuns& saved, const RunRecord& solve);

}  // namespace warpspy
