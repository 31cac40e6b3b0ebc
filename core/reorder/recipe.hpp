// How a matrix is made again: of a file or a generator, and of the orders it was put into.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// Between a source and its orders, and between two orders.
constexpr std::string_view kThenOrdered = " | ";

// One reordering of the table in reorder.hpp.
struct ReorderStep {
  std::string id;
  ParamSet params = {};
  std::string file = {};  // for those that take one
  bool operator==(const ReorderStep&) const = default;
  // "rcm", "metis parts=64", "file order.txt".
  std::string text() const;
};
// The step of such a text; a choice may stand by its word: "length order=shortest". Throws Error naming what is known.
ReorderStep step_of(const std::string& text);

struct MatrixRecipe {
  std::string source;              // path, FILE?name=value or "gen:..."
  std::vector<ReorderStep> steps;  // one after another
  bool operator==(const MatrixRecipe&) const = default;
  bool generated() const { return source.starts_with("gen:"); }
  // What the last step was applied to; itself without steps.
  MatrixRecipe before() const;
  // The recipe in one line, by which two are told apart: "a.mtx | rcm | length order=1".
  std::string text() const;
};
// The recipe of such a line. A file whose very name has a bar is that file. Throws Error as step_of does.
MatrixRecipe recipe_of(const std::string& text);
// The source in one more order; "none" is none. Throws Error as step_of does.
std::string in_order(const std::string& source, const std::string& order);

// What stands behind a matrix's name: "RCM", "by length", "permuted".
std::string order_label(const std::string& id);
// The name of a matrix and the orders it is in: "cant (RCM)".
std::string name_in_order(const std::string& name, const std::vector<ReorderStep>& steps);

}  // namespace warpspy
