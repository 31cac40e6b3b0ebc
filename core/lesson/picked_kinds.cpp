// Questions that are answered by picking in a view: lanes, sectors, a row, an array, a roof, a moment.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/types.hpp"
#include "core/diagnosis/causes.hpp"
#include "core/lesson/answer_text.hpp"

namespace warpspy {
namespace {

// ---- clicks: sets

// All sets with one member missing, and the empty set.
std::vector<std::string> smaller_sets(const LessonQuestion&, const LessonTruth& t) {
  std::vector<std::string> all = {""};
  for (std::size_t k = 0; k < t.right.size(); ++k) {
    std::vector<double> less = t.right;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(k));
    all.push_back(answer_text(less));
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

// The sectors that can be picked. The first one is a multiple of half their number, so it reveals little.
void set_window(LessonTruth& t) {
  const auto first = static_cast<std::size_t>(t.right.front()), last = static_cast<std::size_t>(t.right.back());
  for (const std::size_t size : {64U, 128U, 256U}) {
    t.offer.from = first / (size / 2) * (size / 2);
    t.offer.past = t.offer.from + size;
    if (last < t.offer.past) return;
  }
  throw Error("the sectors of this step lie too far from each other to be picked", {},
              "ask for a warp or a step whose sectors lie within 128 of each other");
}

LessonTruth touched_sectors(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  const auto w = f.trace(recipe);
  const WarpStep& s = step_of(*w, f.step(recipe));
  if (s.array < 0) throw Error("this step of " + q.id + " touches no memory");
  const auto array = static_cast<std::size_t>(s.array);
  const auto [base, element_bytes] = w->array_places.at(array);
  LessonTruth t;
  for (std::uint32_t k = s.first_line; k < s.first_line + s.lines; ++k)
    for (unsigned sector = 0; sector < 4; ++sector)
      if (const WarpLine& line = w->requested.at(k); (line.sectors >> sector) & 1U)
        t.right.push_back(static_cast<double>(line.line * 4 + sector) - static_cast<double>(base / 32));
  std::sort(t.right.begin(), t.right.end());
  t.right.erase(std::unique(t.right.begin(), t.right.end()), t.right.end());
  if (t.right.empty()) throw Error("this step of " + q.id + " touches no sector");
  if (array < w->arrays.size()) t.offer.of = w->arrays[array].name;
  t.offer.each = static_cast<int>(32 / std::max<std::uint64_t>(1, std::min<std::uint64_t>(32, element_bytes)));
  set_window(t);
  t.chance = std::exp2(-static_cast<double>(t.offer.past - t.offer.from));
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
    if (a.requests > 0) t.offer.names.push_back(a.name), per.push_back(a.sectors / a.requests);
  if (per.size() < 3) throw Error("the run of " + q.id + " has fewer than three arrays");
  const double most = *std::max_element(per.begin(), per.end());
  // Arrays that are read together, such as columns and values, are equally right.
  for (std::size_t k = 0; k < per.size(); ++k)
    if (per[k] >= 0.99 * most) t.right.push_back(static_cast<double>(k));
  t.chance = static_cast<double>(t.right.size()) / static_cast<double>(per.size());
  return t;
}
double mark_array(const LessonQuestion&, const LessonTruth& t, const std::string& answer) {
  return mark_one(t, answer_text({static_cast<double>(offered(t.offer, answer))}));
}
std::vector<std::string> other_arrays(const LessonQuestion& q, const LessonTruth& t) {
  std::vector<std::string> all;
  for (const std::string& n : t.offer.names)
    if (mark_array(q, t, n) < 1) all.push_back(n);
  return all;
}

LessonTruth best_k(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  LessonTruth t;
  t.cost = f.bytes_by_k(recipe);
  t.offer.past = t.cost.size();
  const double least = *std::min_element(t.cost.begin(), t.cost.end());
  for (std::size_t k = 0; k < t.cost.size(); ++k)
    if (t.cost[k] <= 1.02 * least) t.right.push_back(static_cast<double>(k));
  t.chance = static_cast<double>(t.right.size()) / static_cast<double>(t.cost.size());
  if (t.chance > 0.34) throw Error("nearly every K of " + q.id + " is as good");
  return t;
}
double mark_k(const LessonQuestion&, const LessonTruth& t, const std::string& answer) {
  const double a = answer_number(answer);
  if (a < 0 || a >= static_cast<double>(t.cost.size()) || a != std::floor(a)) throw Error("there is no such K");
  if (mark_one(t, answer) == 1) return 1;
  return 0.5 * *std::min_element(t.cost.begin(), t.cost.end()) / t.cost[static_cast<std::size_t>(a)];  // regret
}

// ---- clicks: roofs, arrays with padding, a moment

LessonTruth limiting_roof(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  LessonTruth t;
  double second = 0;
  for (const LessonRoof& r : f.roofs(recipe)) {
    if (r.share >= 1)
      t.right.push_back(static_cast<double>(t.offer.names.size()));
    else
      second = std::max(second, r.share);
    t.offer.names.push_back(r.id);
    const auto row = std::find_if(cause_rows.begin(), cause_rows.end(), [&](const auto& c) { return r.id == c.id; });
    t.offer.words.emplace_back(row == cause_rows.end() ? r.id.c_str() : row->words);
  }
  if (t.right.size() != 1 || second > 0.9) throw Error("several roofs of " + q.id + " are as low");
  if (t.offer.names.size() < 3) throw Error("the run of " + q.id + " knows fewer than three roofs");
  t.chance = 1 / static_cast<double>(t.offer.names.size());
  return t;
}

LessonTruth padded_arrays(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  LessonTruth t;
  const auto r = f.record(recipe);  // keeps the record alive while its arrays are used
  for (const Traffic& a : r->arrays) {
    if (a.bytes_padding > 0) t.right.push_back(static_cast<double>(t.offer.names.size()));
    t.offer.names.push_back(a.name);
  }
  if (t.right.empty()) throw Error("no array of " + q.id + " holds padding");
  t.chance = std::exp2(-static_cast<double>(t.offer.names.size()));
  return t;
}
double mark_padded(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  std::istringstream in(answer);
  std::vector<double> given;
  for (std::string w; in >> w;) given.push_back(static_cast<double>(offered(t.offer, w)));
  return mark_set(q, t, answer_text(given));
}
std::vector<std::string> other_paddings(const LessonQuestion&, const LessonTruth& t) {
  const std::size_t n = std::min<std::size_t>(t.offer.names.size(), 10);
  unsigned right = 0;
  for (const double k : t.right) right |= 1U << static_cast<unsigned>(k);
  std::vector<std::string> all;
  for (unsigned set = 0; set < (1U << n); ++set) {
    if (set == right) continue;
    std::string& names = all.emplace_back();
    for (std::size_t k = 0; k < n; ++k)
      if ((set >> k) & 1U) names += (names.empty() ? "" : " ") + t.offer.names[k];
  }
  return all;
}

// The truth in percent of the time that the warps of its SM take: when the last warp but one is done.
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
  t.offer.past = ends.size();
  if (t.right[0] > 95) throw Error("no warp of " + q.id + " is alone for long");
  t.chance = std::min(1.0, 2 * q.within_percent / 100);
  return t;
}
double mark_moment(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const double a = answer_number(answer);
  if (a < 0 || a > 100) throw Error("a moment lies between 0 and 100 percent");
  return std::abs(a - t.right[0]) <= q.within_percent ? 1 : 0;
}

// ---- a point of the roofline: flop per byte, and percent of the DRAM roof above it

void complete_point(const LessonQuestion& q) {
  if (!(q.within_factor > 1)) throw Error("a point has a tolerance", {}, "write within: a factor of 2");
}
LessonTruth dram_point(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  const RooflinePoint p = f.point(recipe);
  if (!(p.intensity > 0) || !std::isfinite(p.intensity) || !(p.roof_gflops > 0))
    throw Error("the run of " + q.id + " has no point under the DRAM roof");
  LessonTruth t;
  t.right = {p.intensity, 100 * p.gflops / p.roof_gflops};
  // Guesses are anywhere on the figure: three powers of ten wide, two high.
  const double part = 2 * std::log10(q.within_factor);
  t.chance = std::min(1.0, part / 3) * std::min(1.0, part / 2);
  return t;
}
double mark_point(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  const std::vector<double> a = answer_numbers(answer);
  if (a.size() != 2) throw Error("a point has two numbers: flop per byte, and percent of the roof");
  if (!(a[0] > 0) || !(a[1] > 0) || a[1] > 100) throw Error("a point lies under the roof");
  double near = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const double times = a[k] / t.right[k];
    if (times <= q.within_factor && times >= 1 / q.within_factor) near += 0.5;
  }
  return near;
}

// ---- findings, in their displayed order

LessonTruth told_findings(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  std::vector<std::pair<std::string, std::string>> known;  // an order that reveals nothing
  std::vector<std::string> told;
  for (const Finding& finding : f.findings(recipe)) {
    if (finding.kind == Finding::Kind::cannot_tell) continue;
    told.push_back(finding.rule);
    known.emplace_back(finding.title, finding.rule);
  }
  if (told.size() < 2) throw Error("the run of " + q.id + " has fewer than two findings");
  std::sort(known.begin(), known.end());
  LessonTruth t;
  for (const auto& [title, rule] : known) t.offer.names.push_back(rule), t.offer.words.push_back(title);
  t.chance = 1;
  for (std::size_t k = 0; k < told.size(); ++k) {
    const auto at = std::find(t.offer.names.begin(), t.offer.names.end(), told[k]);
    t.right.push_back(static_cast<double>(at - t.offer.names.begin()));
    t.chance /= static_cast<double>(k + 1);
  }
  return t;
}
double mark_findings(const LessonQuestion&, const LessonTruth& t, const std::string& answer) {
  std::istringstream in(answer);
  std::vector<double> given;
  for (std::string w; in >> w;) given.push_back(static_cast<double>(offered(t.offer, w)));
  return mark_order(t, given);
}
std::vector<std::string> other_findings(const LessonQuestion&, const LessonTruth& t) {
  std::vector<std::string> all;
  for (const std::vector<double>& order : other_orders(t)) {
    std::string& names = all.emplace_back();
    for (const double k : order) names += (names.empty() ? "" : " ") + t.offer.names[static_cast<std::size_t>(k)];
  }
  return all;
}

// ---- the best cell of a plane of parameters: "8 128"

void complete_cell(const LessonQuestion& q) {
  if (q.plane.size() != 2) throw Error("a cell lies on a plane", {}, "write plane: coop=1,2,4,8 block_size=64,128,256");
}
LessonTruth best_cell(const LessonQuestion& q, const std::string& recipe, const LessonFacts& f) {
  LessonTruth t;
  t.cost = f.cells(q, recipe);
  for (const std::string& up : q.plane[1].values)
    for (const std::string& right : q.plane[0].values) {
      t.offer.names.push_back(right + " " + up);
      t.offer.words.push_back(q.plane[0].param + " " + right + ", " + q.plane[1].param + " " + up);
    }
  const double least = *std::min_element(t.cost.begin(), t.cost.end());
  for (std::size_t k = 0; k < t.cost.size(); ++k)
    if (t.cost[k] <= 1.02 * least) t.right.push_back(static_cast<double>(k));
  t.chance = static_cast<double>(t.right.size()) / static_cast<double>(t.cost.size());
  if (t.chance > 0.34) throw Error("nearly every cell of " + q.id + " is as good");
  return t;
}
// The mark follows the regret: half the speed of the best cell gets half of the mark.
double mark_cell(const LessonQuestion& q, const LessonTruth& t, const std::string& answer) {
  if (mark_array(q, t, answer) == 1) return 1;
  return *std::min_element(t.cost.begin(), t.cost.end()) / t.cost[offered(t.offer, answer)];
}

}  // namespace

std::vector<QuestionKind> picked_kinds() {
  return {{"lanes", "lanes that idle at the step, 0 to 31", nothing_more, idle_lanes, mark_set, smaller_sets},
          {"sectors", "sectors of the array that the step touches, from 0", nothing_more, touched_sectors, mark_set,
           smaller_sets},
          {"row", "the longest row, from 0", nothing_more, longest_row, mark_row, uncounted},
          {"array", "the array with the most sectors per request", nothing_more, worst_array, mark_array, other_arrays},
          {"hyb_k", "the K with the fewest bytes, to 2 percent", nothing_more, best_k, mark_k,
           [](const LessonQuestion&, const LessonTruth& t) { return counted_answers(t.cost.size(), t.right, 0); }},
          {"roof", "the cause whose roof is the lowest, such as dram", nothing_more, limiting_roof, mark_array,
           other_arrays},
          {"padding", "the arrays that hold padding", nothing_more, padded_arrays, mark_padded, other_paddings},
          {"alone", "when one warp of the SM is left, in percent of the time", complete_alone, alone_from, mark_moment,
           uncounted},
          {"point", "flop per byte, and percent of the DRAM roof above it", complete_point, dram_point, mark_point,
           uncounted},
          {"findings", "the findings by their rules, as they are told", nothing_more, told_findings, mark_findings,
           other_findings},
          {"cell", "the best values of the two parameters", complete_cell, best_cell, mark_cell, other_arrays}};
}

}  // namespace warpspy
