// How a matrix of the desk is made again: of a file or a generator, and of the orders it was put into.
#pragma once

#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// One reordering of the table in core/reorder.
struct ReorderStep {
  std::string id;
  ParamSet params = {};
  std::string file = {};  // for those that take one
  bool operator==(const ReorderStep&) const = default;
};

struct MatrixRecipe {
  std::string source;              // path, FILE?name=value or "gen:..."
  std::vector<ReorderStep> steps;  // one after another
  bool operator==(const MatrixRecipe&) const = default;
  bool generated() const { return source.starts_with("gen:"); }
  // What the last step was applied to; itself without steps.
  MatrixRecipe before() const;
  // The recipe in one line, by which two are told apart: "a.mtx | rcm | length descending=1".
  std::string text() const;
};

}  // namespace warpspy
