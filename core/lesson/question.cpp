#include "core/lesson/question.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <sstream>

#include "core/base/number_text.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

double number_of(const std::string& text) {
  const auto n = number_from<double>(text);
  if (!n || !std::isfinite(*n)) throw Error("\"" + text.substr(0, 40) + "\" is no number");
  return *n;
}

std::vector<double> numbers_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> all;
  for (std::string w; in >> w;) {
    if (all.size() == 1024) throw Error("this answer has more than 1024 numbers");
    all.push_back(number_of(w));
  }
  return all;
}

std::string text_of(const std::vector<double>& numbers) {
  std::ostringstream out;
  out.precision(12);
  for (std::size_t k = 0; k < numbers.size(); ++k) out << (k ? " " : "") << numbers[k];
  return out.str();
}

std::vector<std::string> counted_answers(std::size_t n, const std::vector<double>& right, int from) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < n; ++k)
    if (const double v = static_cast<double>(k) + from; std::find(right.begin(), right.end(), v) == right.end())
      all.push_back(text_of({v}));
  return all;
}

void nothing_more(const LessonQuestion&) {}
std::vector<std::string> uncounted(const LessonQuestion&, const LessonTruth&) { return {}; }

// One number out of those from `from`; `right` may hold several that are as good.
double mark_one(const LessonTruth& t, const std::string& answer) {
  const double a = number_of(answer);
  return std::find(t.right.begin(), t.right.end(), a) != t.right.end() ? 1 : 0;
}

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
  if (t.right.size() > 1) throw Error("several options of " + q.id + " are right: " + text_of(t.right));
  t.chance = 1.0 / static_cast<double>(q.options.size());
  return t;
}

double mark_choice(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const double a = number_of(answer);
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
  if (v < q.least || v > q.most) throw Error("the truth of " + q.id + " is " + text_of(t.right) + ", out of its range");
  const auto [low, high] = accepted(q, v);
  // A guess is a whole number where all of the range are few of them, else any.
  const double width = std::min(high, q.most) - std::max(low, q.least);
  t.chance = std::min(1.0, std::max(width, 1.0 / 1024) / (q.most - q.least));
  if (q.within_percent == 0 && q.within_factor == 1) t.chance = 1 / (q.most - q.least + 1);
  return t;
}

double mark_number(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const auto [low, high] = accepted(q, t.right[0]);
  const double a = number_of(answer);
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
    // What differs by less than a percent is no order that can be known.
    if (k > 0 && std::abs(by[k].first - by[k - 1].first) <= 0.01 * std::abs(by[k].first))
      throw Error("two options of " + q.id + " are alike: " + text_of({by[k - 1].second, by[k].second}));
    t.right.push_back(by[k].second);
    t.chance /= static_cast<double>(k + 1);
  }
  return t;
}

double mark_ranking(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const std::vector<double> a = numbers_of(answer);
  std::vector<double> sorted = a, all(q.options.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 1.0);
  if (sorted != all) throw Error("a ranking names every option once");
  if (a == t.right) return 1;
  // Partial credit: pairs in their order.
  int good = 0, pairs = 0;
  const auto place = [&](double v) { return std::find(t.right.begin(), t.right.end(), v); };
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = i + 1; k < a.size(); ++k) ++pairs, good += place(a[i]) < place(a[k]) ? 1 : 0;
  return 0.5 * good / pairs;
}

std::vector<std::string> other_rankings(const LessonQuestion&, const LessonTruth& t) {
  std::vector<double> a = t.right;
  std::sort(a.begin(), a.end());
  std::vector<std::string> all;
  do
    if (a != t.right) all.push_back(text_of(a));
  while (std::next_permutation(a.begin(), a.end()));
  return all;
}

// ---- clicks: sets

double mark_set(const LessonQuestion&, const LessonTruth& t, const std::string& answer) {
  const std::vector<double> given = numbers_of(answer);
  const std::set<double> a(given.begin(), given.end()), r(t.right.begin(), t.right.end());
  if (a == r) return 1;
  std::size_t both = 0;
  for (const double v : a) both += r.count(v);
  return 0.5 * static_cast<double>(both) / static_cast<double>(a.size() + r.size() - both);
}

// The set with one of its members missing, each in turn; and none at all.
std::vector<std::string> smaller_sets(const LessonQuestion&, const LessonTruth& t) {
  std::vector<std::string> all = {""};
  for (std::size_t k = 0; k < t.right.size(); ++k) {
    std::vector<double> less = t.right;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(k));
    all.push_back(text_of(less));
  }
  if (t.right.size() <= 1) all.erase(all.begin() + 1, all.end());
  return all;
}

const WarpStep& step_of(const WarpTrace& w, std::size_t step) {
  if (step >= w.steps.size())
    throw Error("the warp has " + std::to_string(w.steps.size()) + " steps, and step " + std::to_string(step) +
                " is not among them");
  return w.steps[step];
}

LessonTruth idle_lanes(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  const auto w = f.trace(recipe);
  const WarpStep& s = step_of(*w, f.step(recipe));
  LessonTruth t;
  for (int lane = 0; lane < 32; ++lane)
    if (!((s.active >> lane) & 1U)) t.right.push_back(lane);
  if (t.right.empty()) throw Error("no lane idles at this step of " + q.id);
  t.chance = std::exp2(-32);
  return t;
}

LessonTruth touched_sectors(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  const auto w = f.trace(recipe);
  const WarpStep& s = step_of(*w, f.step(recipe));
  if (s.array < 0) throw Error("this step of " + q.id + " touches no memory");
  const std::uint64_t base = w->array_places.at(static_cast<std::size_t>(s.array)).base;
  LessonTruth t;
  for (std::uint32_t k = s.first_line; k < s.first_line + s.lines; ++k)
    for (unsigned sector = 0; sector < 4; ++sector)
      if (const WarpLine& line = w->requested.at(k); (line.sectors >> sector) & 1U)
        t.right.push_back(static_cast<double>(line.line * 4 + sector) - static_cast<double>(base / 32));
  std::sort(t.right.begin(), t.right.end());
  t.right.erase(std::unique(t.right.begin(), t.right.end()), t.right.end());
  t.chance = std::exp2(-std::max<double>(8, t.right.empty() ? 8 : t.right.back() - t.right.front() + 1));
  return t;
}

// ---- clicks: one of many

LessonTruth longest_row(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  const std::vector<index_t> n = f.row_lengths(recipe);
  LessonTruth t;
  if (n.empty()) throw Error("the matrix of " + q.id + " has no rows");
  const index_t most = *std::max_element(n.begin(), n.end());
  for (std::size_t k = 0; k < n.size() && t.right.size() < 1024; ++k)
    if (n[k] == most) t.right.push_back(static_cast<double>(k));
  if (t.right.size() * 4 > n.size()) throw Error("most rows of " + q.id + " are as long as the longest");
  t.chance = static_cast<double>(t.right.size()) / static_cast<double>(n.size());
  return t;
}
double mark_row(const LessonQuestion&, const LessonTruth& t, const std::string& a) { return mark_one(t, a); }

LessonTruth worst_array(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  const auto r = f.record(recipe);
  LessonTruth t;
  std::vector<double> per;
  for (const Traffic& a : r->arrays)
    if (a.requests > 0) t.names.push_back(a.name), per.push_back(a.sectors / a.requests);
  if (per.size() < 3) throw Error("the run of " + q.id + " has fewer than three arrays");
  const double most = *std::max_element(per.begin(), per.end());
  // Arrays that are read side by side, such as columns and values, are as good.
  for (std::size_t k = 0; k < per.size(); ++k)
    if (per[k] >= 0.99 * most) t.right.push_back(static_cast<double>(k));
  t.chance = static_cast<double>(t.right.size()) / static_cast<double>(per.size());
  return t;
}
double mark_array(const LessonQuestion&, const LessonTruth& t, const std::string& answer) {
  const auto at = std::find(t.names.begin(), t.names.end(), answer);
  if (at == t.names.end()) throw Error("the run tells no " + answer.substr(0, 40));
  return mark_one(t, text_of({static_cast<double>(at - t.names.begin())}));
}
std::vector<std::string> other_arrays(const LessonQuestion& q, const LessonTruth& t) {
  std::vector<std::string> all;
  for (const std::string& n : t.names)
    if (mark_array(q, t, n) < 1) all.push_back(n);
  return all;
}

LessonTruth best_k(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  LessonTruth t;
  t.cost = f.bytes_by_k(recipe);
  const double least = *std::min_element(t.cost.begin(), t.cost.end());
  for (std::size_t k = 0; k < t.cost.size(); ++k)
    if (t.cost[k] <= 1.02 * least) t.right.push_back(static_cast<double>(k));
  t.chance = static_cast<double>(t.right.size()) / static_cast<double>(t.cost.size());
  if (t.chance > 0.34) throw Error("nearly every K of " + q.id + " is as good");
  return t;
}
double mark_k(const LessonQuestion&, const LessonTruth& t, const std::string& answer) {
  const double a = number_of(answer);
  if (a < 0 || a >= static_cast<double>(t.cost.size()) || a != std::floor(a)) throw Error("there is no such K");
  if (mark_one(t, answer) == 1) return 1;
  return 0.5 * *std::min_element(t.cost.begin(), t.cost.end()) / t.cost[static_cast<std::size_t>(a)];  // regret
}

// ---- clicks: roofs, arrays that hold padding, a moment

LessonTruth limiting_roof(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  LessonTruth t;
  double second = 0;
  for (const LessonRoof& r : f.roofs(recipe)) {
    if (r.share >= 1)
      t.right.push_back(static_cast<double>(t.names.size()));
    else
      second = std::max(second, r.share);
    t.names.push_back(r.id);
  }
  if (t.right.size() != 1 || second > 0.9) throw Error("several roofs of " + q.id + " are as low");
  if (t.names.size() < 3) throw Error("the run of " + q.id + " knows fewer than three roofs");
  t.chance = 1 / static_cast<double>(t.names.size());
  return t;
}

LessonTruth padded_arrays(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  LessonTruth t;
  const auto r = f.record(recipe);
  for (const Traffic& a : r->arrays) {
    if (a.bytes_padding > 0) t.right.push_back(static_cast<double>(t.names.size()));
    t.names.push_back(a.name);
  }
  if (t.right.empty()) throw Error("no array of " + q.id + " holds padding");
  t.chance = std::exp2(-static_cast<double>(t.names.size()));
  return t;
}
double mark_padded(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  std::istringstream in(answer);
  std::vector<double> given;
  for (std::string w; in >> w;) {
    const auto at = std::find(t.names.begin(), t.names.end(), w);
    if (at == t.names.end()) throw Error("the run has no array " + w.substr(0, 40));
    given.push_back(static_cast<double>(at - t.names.begin()));
  }
  return mark_set(q, t, text_of(given));
}
std::vector<std::string> other_paddings(const LessonQuestion&, const LessonTruth& t) {
  const std::size_t n = std::min<std::size_t>(t.names.size(), 10);
  unsigned right = 0;
  for (const double k : t.right) right |= 1U << static_cast<unsigned>(k);
  std::vector<std::string> all;
  for (unsigned set = 0; set < (1U << n); ++set) {
    if (set == right) continue;
    std::string& names = all.emplace_back();
    for (std::size_t k = 0; k < n; ++k)
      if ((set >> k) & 1U) names += (names.empty() ? "" : " ") + t.names[k];
  }
  return all;
}

// In percent of the time that the warps of its SM take: when the last but one is done.
void complete_alone(const LessonQuestion& q) {
  if (!(q.within_percent > 0)) throw Error("a moment has a tolerance", {}, "write within: 10 percent");
}
LessonTruth alone_from(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  const auto w = f.trace(recipe);
  if (w->axis.cut || w->axis.warps.size() < 2) throw Error("the SM of " + q.id + " does not tell when its warps end");
  std::vector<double> ends;
  for (const SmWarp& warp : w->axis.warps)
    ends.push_back(warp.spans.empty() ? 0 : static_cast<double>(warp.spans.back().end_ns));
  std::sort(ends.begin(), ends.end());
  LessonTruth t;
  t.right = {100 * ends[ends.size() - 2] / ends.back()};
  if (t.right[0] > 95) throw Error("no warp of " + q.id + " is alone for long");
  t.chance = std::min(1.0, 2 * q.within_percent / 100);
  return t;
}
double mark_moment(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const double a = number_of(answer);
  if (a < 0 || a > 100) throw Error("a moment lies between 0 and 100 percent");
  return std::abs(a - t.right[0]) <= q.within_percent ? 1 : 0;
}

const std::vector<QuestionKind> kKinds = {
    {"choice", "the number of the option, from 1", complete_choice, truth_of_choice, mark_choice,
     [](const LessonQuestion& q, const LessonTruth& t) { return counted_answers(q.options.size(), t.right, 1); }},
    {"number", "a number", complete_number, truth_of_number, mark_number, uncounted},
    {"ranking", "the numbers of all options, largest first", complete_ranking, truth_of_ranking, mark_ranking,
     other_rankings},
    {"lanes", "lanes that idle at the step, 0 to 31", nothing_more, idle_lanes, mark_set, smaller_sets},
    {"sectors", "sectors of the array that the step touches, from 0", nothing_more, touched_sectors, mark_set,
     smaller_sets},
    {"row", "the longest row, from 0", nothing_more, longest_row, mark_row, uncounted},
    {"array", "the array with the most sectors per request", nothing_more, worst_array, mark_array, other_arrays},
    {"hyb_k", "the K with the fewest bytes, to 2 percent", nothing_more, best_k, mark_k,
     [](const LessonQuestion&, const LessonTruth& t) { return counted_answers(t.cost.size(), t.right, 0); }},
    {"roof", "the cause whose roof is the lowest, such as dram", nothing_more, limiting_roof, mark_array, other_arrays},
    {"padding", "the arrays that hold padding", nothing_more, padded_arrays, mark_padded, other_paddings},
    {"alone", "when one warp of the SM is left, in percent of the time", complete_alone, alone_from, mark_moment,
     uncounted}};

}  // namespace

const std::vector<QuestionKind>& question_kinds() { return kKinds; }

const QuestionKind& question_kind(const std::string& id) {
  std::string known;
  for (const QuestionKind& k : kKinds) {
    if (id == k.id) return k;
    known += (known.empty() ? "" : ", ") + std::string(k.id);
  }
  throw Error("there is no kind of question \"" + id + "\"", {}, "there are " + known);
}

void require_complete(const LessonQuestion& q) {
  if (q.kind.empty()) throw Error("the question " + q.id + " has no kind", {}, "write kind: choice");
  question_kind(q.kind).complete(q);
}

std::string truth_text(const LessonQuestion& q, const LessonTruth& t) {
  if (q.kind == "choice") return q.options[static_cast<std::size_t>(t.right[0]) - 1].text;
  if (!t.names.empty()) {
    std::string all;
    for (const double k : t.right) all += (all.empty() ? "" : " or ") + t.names[static_cast<std::size_t>(k)];
    return all;
  }
  return text_of(t.right) + (q.unit.empty() ? "" : " " + q.unit);
}

}  // namespace warpspy
