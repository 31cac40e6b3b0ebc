// A matrix's recipe: its file or generator, and the reorderings that were applied. The matrix can be made again from
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// This text stands between a source and its orders, and between two orders.
constexpr std::string_view kThenOrdered = " | ";

// One reordering of the table in reorder.hpp.
struct ReorderStep {
  std::string id;
  ParamSet params = {};
  std::string file = {};  // for steps that take a file
  bool operator==(const ReorderStep&) const = default;
  // "rcm", "metis parts=64", "file order.txt".
  std::string text() const;
};
// Reads a step from such a text. A choice may be given by its word: "length order=shortest". Throws Error that names
// all known steps.
ReorderStep step_of(const std::string& text);

struct MatrixRecipe {
  std::string source;              // path, FILE?name=value or "gen:..."
  std::vector<ReorderStep> steps;  // one after another
  bool operator==(const MatrixRecipe&) const = default;
  bool generated() const { return source.starts_with("gen:"); }
  // The recipe without its last step; the recipe itself if it has no steps.
  MatrixRecipe before() const;
  // The recipe in one line; different recipes have different lines: "a.mtx | rcm | length order=1".
  std::string text() const;
};
// Reads a recipe from such a line. If a file exists whose name contains the bar, that file is meant. Throws Error as
// step_of does.
MatrixRecipe recipe_of(const std::string& text);
// Adds one more order to a source; "none" adds no order. Throws Error as step_of does.
std::string in_order(const std::string& source, const std::string& order);

// The word for an order after a matrix's name: "RCM", "by length", "shuffled", "permuted".
std::string order_label(const std::string& id);
// The name of a matrix and the orders it is in: "cant (RCM)".
std::string name_in_order(const std::string& name, const std::vector<ReorderStep>& steps);

}  // namespace warpspy
