// Questions that are answered in the lesson panel: a choice, a number, an order.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/types.hpp"
#include "core/lesson/answer_text.hpp"

namespace warpspy {
namespace {

// ---- choice

void complete_choice(const LessonQuestion& q) {
  if (q.options.size() < 3 || q.options.size() > 8)
    throw Error("a choice has 3 to 8 options, since two are guessed every other time");
  for (const LessonOption& o : q.options)
    if (o.value.relation.empty())
      throw Error("the option \"" + o.text + "\" says not when it is right", {}, "write A > B");
}

LessonTruth truth_of_choice(const LessonQuestion& q, const std::string&, const LessonFacts& f) {
  LessonTruth t;
  for (std::size_t k = 0; k < q.options.size(); ++k)
    if (value_of(q.options[k].value, f.value) != 0) t.right.push_back(static_cast<double>(k + 1));
  if (t.right.empty()) throw Error("no option of " + q.id + " is right");
  if (t.right.size() > 1) throw Error("several options of " + q.id + " are right: " + answer_text(t.right));
  t.chance = 1.0 / static_cast<double>(q.options.size());
  return t;
}

double mark_choice(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const double a = answer_number(answer);
  if (a < 1 || a > static_cast<double>(q.options.size()) || a != std::floor(a))
    throw Error("there is no option " + answer.substr(0, 40));
  return mark_one(t, answer);
}

// ---- number

void complete_number(const LessonQuestion& q) {
  if (q.truth.empty() || !q.truth.relation.empty()) throw Error("a number has a truth", {}, "write truth: run.sectors");
  if (q.unit.empty()) throw Error("a number has a unit", {}, "write unit: sectors, or unit: times");
  if (!(q.least < q.most)) throw Error("a number has a range", {}, "write range: 0 to 100");
}

std::pair<double, double> accepted(const LessonQuestion& q, double truth) {
  if (q.within_factor > 1) return {truth / q.within_factor, truth * q.within_factor};
  const double d = std::abs(truth) * q.within_percent / 100;
  const double rounding = 1e-9 * std::max(1.0, std::abs(truth));
  return {truth - d - rounding, truth + d + rounding};
}

LessonTruth truth_of_number(const LessonQuestion& q, const std::string&, const LessonFacts& f) {
  LessonTruth t;
  t.right = {value_of(q.truth, f.value)};
  const double v = t.right[0];
  if (v < q.least || v > q.most)
    throw Error("the truth of " + q.id + " is " + answer_text(t.right) + ", out of its range");
  const auto [low, high] = accepted(q, v);
  // A guess is a whole number if the range has few of them; otherwise any number.
  const double width = std::min(high, q.most) - std::max(low, q.least);
  t.chance = std::min(1.0, std::max(width, 1.0 / 1024) / (q.most - q.least));
  if (q.within_percent == 0 && q.within_factor == 1) t.chance = 1 / (q.most - q.least + 1);
  return t;
}

double mark_number(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const auto [low, high] = accepted(q, t.right[0]);
  const double a = answer_number(answer);
  return a >= low && a <= high ? 1 : 0;
}

// ---- ranking: largest first

void complete_ranking(const LessonQuestion& q) {
  if (q.options.size() < 3 || q.options.size() > 6) throw Error("a ranking has 3 to 6 options");
  for (const LessonOption& o : q.options)
    if (!o.value.relation.empty()) throw Error("the option \"" + o.text + "\" of a ranking is a number");
}

LessonTruth truth_of_ranking(const LessonQuestion& q, const std::string&, const LessonFacts& f) {
  std::vector<std::pair<double, double>> by;
  for (std::size_t k = 0; k < q.options.size(); ++k)
    by.emplace_back(-value_of(q.options[k].value, f.value), static_cast<double>(k + 1));
  std::sort(by.begin(), by.end());
  LessonTruth t;
  t.chance = 1;
  for (std::size_t k = 0; k < by.size(); ++k) {
    // If two values differ by less than a percent, no student can know their order.
    if (k > 0 && std::abs(by[k].first - by[k - 1].first) <= 0.01 * std::abs(by[k].first))
      throw Error("two options of " + q.id + " are alike: " + answer_text({by[k - 1].second, by[k].second}));
    t.right.push_back(by[k].second);
    t.chance /= static_cast<double>(k + 1);
  }
  return t;
}

double mark_ranking(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const std::vector<double> a = answer_numbers(answer);
  std::vector<double> sorted = a, all(q.options.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 1.0);
  if (sorted != all) throw Error("a ranking names every option once");
  return mark_order(t, a);
}

std::vector<std::string> other_rankings(const LessonQuestion&, const LessonTruth& t) {
  std::vector<std::string> all;
  for (const std::vector<double>& order : other_orders(t)) all.push_back(answer_text(order));
  return all;
}

}  // namespace

std::vector<QuestionKind> typed_kinds() {
  return {{"choice", "the number of the option, from 1", complete_choice, truth_of_choice, mark_choice,
           [](const LessonQuestion& q, const LessonTruth& t) { return counted_answers(q.options.size(), t.right, 1); }},
          {"number", "a number", complete_number, truth_of_number, mark_number, uncounted},
          {"ranking", "the numbers of all options, largest first", complete_ranking, truth_of_ranking, mark_ranking,
           other_rankings}};
}

}  // namespace warpspy
