#include "core/session/recipe.hpp"

#include <cstdio>

namespace warpspy {

MatrixRecipe MatrixRecipe::before() const {
  MatrixRecipe r = *this;
  if (!r.steps.empty()) r.steps.pop_back();
  return r;
}

std::string MatrixRecipe::text() const {
  std::string all = source;
  for (const ReorderStep& step : steps) {
    all += " | " + step.id;
    for (const auto& [name, value] : step.params) {
      char number[40];
      std::snprintf(number, sizeof number, "%.9g", value);
      all += " " + name + "=" + number;
    }
    if (!step.file.empty()) all += " " + step.file;
  }
  return all;
}

}  // namespace warpspy
