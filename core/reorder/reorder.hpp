// A reordering puts the rows and columns of a matrix into another order. table.cpp is the one list of reorderings.
#pragma once

#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/reorder/permutation.hpp"
#include "core/reorder/recipe.hpp"

namespace warpspy {

struct ReorderInfo {
  std::string id, label, help, source;
  std::vector<ParamSpec> params;
  bool square_only = true;
  bool takes_file = false;
};

struct ReorderInput {
  ParamSet params;
  std::string file = {};  // for reorderings that take a file
};

struct Reordering {
  Permutation permutation;
  std::string note = {};  // one line for the user, or empty: "counted from 1", "3 components"
};

struct ReorderRow {
  ReorderInfo info;
  // Parameters are complete and in range, the matrix is square where it must be.
  Reordering (*compute)(const Csr&, const ReorderInput&, Progress&) = nullptr;
};
const std::vector<ReorderRow>& reorderings();
const ReorderRow& reorder_row(const std::string& id);  // throws Error listing the known ids

// Computes the permutation for a matrix. It is symmetric for a square matrix; for other matrices it permutes only the
// rows. Throws Error if the order needs a square matrix and gets another, for a bad parameter or file, and Cancelled.
Reordering reorder(const Csr& a, const std::string& id, const ReorderInput& input, Progress& progress);

// A matrix in another order. It keeps its source, but not its warnings. Throws as reorder() and apply() do.
struct Reordered {
  Matrix matrix;
  Reordering order;
};
Reordered reordered(const Matrix& from, const ReorderStep& step, Progress& progress);

}  // namespace warpspy
