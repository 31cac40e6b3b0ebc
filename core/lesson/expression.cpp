#include "core/lesson/expression.hpp"

#include <cmath>
#include <sstream>

#include "core/base/number_text.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

bool is_relation(const std::string& w) { return w == "<" || w == ">" || w == "<=" || w == ">=" || w == "="; }
bool is_operator(const std::string& w) { return w.size() == 1 && std::string("+-*/").find(w) != std::string::npos; }
// A time depends on the machine. So it may only be compared with the same quantity of another recipe.
bool is_of_time(const std::string& quantity) {
  if (!quantity.starts_with("run.")) return false;
  for (const char* part : {"time", "gflops", "gbs", "bound_", "_wait"})
    if (quantity.find(part) != std::string::npos) return true;
  return false;
}

void require_no_absolute_time(const LessonExpression& e) {
  std::size_t of_time = 0, divided = 0;
  for (const auto* side : {&e.left, &e.right})
    for (const auto& t : *side) {
      if (!is_of_time(t.quantity)) continue;
      ++of_time;
      if (t.op == '/') ++divided;
    }
  const bool compared =
      !e.relation.empty() && of_time == 2 && divided == 0 && e.left.size() == 1 && e.right.size() == 1;
  if (of_time > 0 && !compared && 2 * divided != of_time)
    throw Error("a time or a rate is not graded by itself", {}, "ask for a ratio of two runs, or for their order");
}

double sum_of(const std::vector<LessonExpression::Term>& terms, const LessonValue& value) {
  double sum = 0;
  for (const auto& t : terms) {
    const double v = t.quantity.empty() ? t.number : value(t.quantity, t.recipe);
    sum = t.op == '+' ? sum + v : t.op == '-' ? sum - v : t.op == '*' ? sum * v : sum / v;
  }
  if (!std::isfinite(sum)) throw Error("this comes to no number");
  return sum;
}

}  // namespace

LessonExpression lesson_expression(const std::string& text) {
  LessonExpression e;
  std::istringstream words(text);
  std::vector<LessonExpression::Term>* side = &e.left;
  bool term_next = true;
  char op = '+';
  for (std::string w; words >> w; term_next = !term_next) {
    if (!term_next) {
      if (is_relation(w) && e.relation.empty()) {
        e.relation = w, side = &e.right, op = '+';
        continue;
      }
      if (!is_operator(w))
        throw Error("\"" + w + "\" is no operator", {}, "write + - * / or < > <= >= = between blanks");
      op = w[0];
      continue;
    }
    LessonExpression::Term t{op, "", "", 0};
    if (const auto number = number_from<double>(w)) {
      t.number = *number;
    } else {
      const auto at = w.find('@');
      t.quantity = w.substr(0, at);
      if (at != std::string::npos) t.recipe = w.substr(at + 1);
      if (t.quantity.find('.') == std::string::npos)
        throw Error("\"" + w + "\" is neither a number nor a quantity", {}, "write it as run.ID, matrix.ID or warp.ID");
    }
    side->push_back(t);
  }
  if (term_next) throw Error("something is missing at the end of \"" + text + "\"");
  require_no_absolute_time(e);
  return e;
}

double value_of(const LessonExpression& e, const LessonValue& value) {
  const double left = sum_of(e.left, value);
  if (e.relation.empty()) return left;
  const double right = sum_of(e.right, value);
  const std::string& r = e.relation;
  return r == "<"    ? left < right
         : r == ">"  ? left > right
         : r == "<=" ? left <= right
         : r == ">=" ? left >= right
                     : left == right;
}

}  // namespace warpspy
