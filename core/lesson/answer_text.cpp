#include "core/lesson/answer_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "core/base/number_text.hpp"
#include "core/base/types.hpp"

namespace warpspy {

double answer_number(const std::string& text) {
  const auto n = number_from<double>(text);
  if (!n || !std::isfinite(*n)) throw Error("\"" + text.substr(0, 40) + "\" is no number");
  return *n;
}

std::vector<double> answer_numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> all;
  for (std::string w; in >> w;) {
    if (all.size() == 1024) throw Error("this answer has more than 1024 numbers");
    all.push_back(answer_number(w));
  }
  return all;
}

std::string answer_text(const std::vector<double>& numbers) {
  std::ostringstream out;
  out.precision(12);
  for (std::size_t k = 0; k < numbers.size(); ++k) out << (k ? " " : "") << numbers[k];
  return out.str();
}

std::vector<std::string> counted_answers(std::size_t n, const std::vector<double>& right, int from) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < n; ++k)
    if (const double v = static_cast<double>(k) + from; std::find(right.begin(), right.end(), v) == right.end())
      all.push_back(answer_text({v}));
  return all;
}

void nothing_more(const LessonQuestion&) {}
std::vector<std::string> uncounted(const LessonQuestion&, const LessonTruth&) { return {}; }

double mark_one(const LessonTruth& t, const std::string& answer) {
  const double a = answer_number(answer);
  return std::find(t.right.begin(), t.right.end(), a) != t.right.end() ? 1 : 0;
}

double mark_set(const LessonQuestion&, const LessonTruth& t, const std::string& answer) {
  const std::vector<double> given = answer_numbers(answer);
  const std::set<double> a(given.begin(), given.end()), r(t.right.begin(), t.right.end());
  if (a == r) return 1;
  std::size_t both = 0;
  for (const double v : a) both += r.count(v);
  return 0.5 * static_cast<double>(both) / static_cast<double>(a.size() + r.size() - both);
}

double mark_order(const LessonTruth& t, const std::vector<double>& order) {
  std::vector<double> given = order, all = t.right;
  std::sort(given.begin(), given.end());
  std::sort(all.begin(), all.end());
  if (given != all) throw Error("an order names each of them once");
  if (order == t.right) return 1;
  int good = 0, pairs = 0;
  const auto place = [&](double v) { return std::find(t.right.begin(), t.right.end(), v); };
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = i + 1; k < order.size(); ++k) ++pairs, good += place(order[i]) < place(order[k]) ? 1 : 0;
  return 0.5 * good / pairs;
}

std::vector<std::vector<double>> other_orders(const LessonTruth& t) {
  std::vector<double> order = t.right;
  std::sort(order.begin(), order.end());
  std::vector<std::vector<double>> all;
  do
    if (order != t.right) all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

}  // namespace warpspy
