// Expressions that a lesson computes from its runs: "run.sectors@scalar / run.sectors@vector", "matrix.nnz > 1000".
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warpspy {

struct LessonExpression {
  struct Term {
    char op = '+';         // + - * /, from left to right
    std::string quantity;  // "run.l2_sectors"; "": a number
    std::string recipe;    // the name after @; "": the recipe of the step
    double number = 0;
  };
  std::vector<Term> left, right;
  std::string relation;  // "", "<", ">", "<=", ">=", "="
  bool empty() const { return left.empty(); }
};

// Throws Error with a reason, without a place.
LessonExpression lesson_expression(const std::string& text);

using LessonValue = std::function<double(const std::string& quantity, const std::string& recipe)>;
// The expression's value: a number; for a relation 1 or 0. Throws Error if it has no value.
double value_of(const LessonExpression& e, const LessonValue& value);

}  // namespace warpspy
