#include "core/study/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace warpspy {
namespace {

std::string number(double v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", v);
  return buffer;
}

Reading none(std::string reason) { return {std::nullopt, std::move(reason)}; }

Reading read(const Readings& readings, const std::string& matrix, const std::string& setup, const std::string& text) {
  const StudyQuantity q = study_quantity(text);
  const auto at = readings.find({q.of_matrix() ? matrix : "", q.of_setup() ? setup : "", text});
  return at != readings.end() ? at->second : none("it has not been run");
}

Reading divided(const Reading& a, const Reading& b) {
  if (!a.value) return a;
  if (!b.value) return b;
  if (*b.value == 0) return none("it would be divided by 0");
  return {*a.value / *b.value, {}, std::max({Provenance::derived, a.provenance, b.provenance}), a.run ? a.run : b.run};
}

// quantity / per * scale of one setup.
Reading plain(const StudyCell& c, const std::string& matrix, const std::string& setup, const Readings& readings) {
  Reading r = read(readings, matrix, setup, c.quantity);
  if (!r.value && c.absent && r.reason.find("tells no") != std::string::npos)
    r = {c.absent, {}, Provenance::derived, r.run};
  if (!c.per.empty()) r = divided(r, read(readings, matrix, setup, c.per));
  if (r.value) *r.value *= c.scale;
  return r;
}

Reading of_side(const StudyCell& c, const StudySide& side, const std::string& matrix, const Readings& readings) {
  if (side.setups.empty()) return plain(c, matrix, "", readings);
  Reading best;
  for (const std::string& setup : side.setups) {
    const Reading r = plain(c, matrix, setup, readings);
    if (!r.value) return r;
    if (!best.value || *r.value > *best.value) best = r;
  }
  return best;
}

// `under`: the matrix of the denominator.
Reading on_matrix(const StudyCell& c, const std::string& matrix, const std::string& under, const Readings& readings) {
  Reading r = of_side(c, c.side, matrix, readings);
  if (c.over) {
    r = divided(r, of_side(c, *c.over, under, readings));
    if (r.value && c.form == Form::percent) *r.value *= 100;
    if (r.value && c.form == Form::gain) *r.value = 100 * (*r.value - 1);
    if (r.value && c.form == Form::loss) *r.value = 100 * (1 - *r.value);
  }
  if (r.value && c.whole != WholeNumber::no) *r.value = std::floor(*r.value) + (c.whole == WholeNumber::next);
  return r;
}

double aggregate(Aggregate how, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  switch (how) {
    case Aggregate::min:
      return values.front();
    case Aggregate::max:
      return values.back();
    case Aggregate::median:
      return (values[(n - 1) / 2] + values[n / 2]) / 2;
    default:
      break;
  }
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(n);
}

// Whether the value, rounded or truncated to the printed digits, is the printed number.
bool same_digits(const StudyCell& c, double value) {
  const double step = 2 * c.half_digit, steps = value / step;
  const double wanted = std::round(*c.value / step);
  return std::round(steps) == wanted || std::floor(steps + 1e-9) == wanted || std::abs(value - *c.value) < 1e-9;
}

bool is_percent(const StudyCell& c) { return c.unit == "%" || c.form != Form::ratio; }

// The cell's tolerance in words; `ok`: whether the value meets it. The rounding of the printed number is added to the
// tolerance.
std::string tolerance(const StudyCell& c, double value, bool& ok) {
  const StudyTolerance& t = c.tolerance;
  const double low = *c.value - c.half_digit, high = *c.value + c.half_digit;
  if (t.least || t.most) {
    const double factor = t.within.value_or(1);
    ok = (!t.least || value >= *t.least / factor) && (!t.most || value <= *t.most * factor);
    return (t.least ? "at least " + number(*t.least) : "") + (t.least && t.most ? ", " : "") +
           (t.most ? "at most " + number(*t.most) : "") + (t.within ? ", to a factor of " + number(factor) : "");
  }
  if (t.points || (!t.within && c.claim == Claim::ratio && is_percent(c))) {
    const double points = t.points.value_or(kRatioPoints);
    ok = value >= low - points && value <= high + points;
    return "to " + number(points) + " points";
  }
  if (!t.within && c.claim == Claim::exact) {
    ok = same_digits(c, value);
    return "to the printed digits";
  }
  const double factor = t.within.value_or(c.claim == Claim::rate ? kRateWithin : kRatioWithin);
  ok = *c.value > 0 ? value >= std::max(low, 0.0) / factor && value <= high * factor : std::abs(value) <= c.half_digit;
  return "to a factor of " + number(factor);
}

bool tied(const StudyCell& a, const StudyCell& b) {
  const double high = std::max(std::abs(*a.value), std::abs(*b.value));
  const double apart = std::abs(*a.value - *b.value);
  return apart < kTie * high || apart <= a.half_digit + b.half_digit;
}

bool is_stand_in(const Study& study, const StudyCell& c) {
  std::vector<std::string> all = c.matrices;
  all.insert(all.end(), c.over_matrices.begin(), c.over_matrices.end());
  all.push_back(c.side.matrix);
  if (c.over) all.push_back(c.over->matrix);
  return std::any_of(all.begin(), all.end(), [&](const std::string& name) {
    const auto at = study.matrices.find(name);
    return at != study.matrices.end() && at->second.kind == StudyMatrix::Kind::stand_in;
  });
}

Judged judged_order(const StudyCell& c, Judged j) {
  const double ratio = *j.here.value;
  j.pairs = 1;
  if (std::abs(ratio - 1) < 1e-12) {
    j.verdict = CellVerdict::differs, j.reason = "both are equal here";
  } else if (ratio > 1) {
    j.verdict = CellVerdict::agrees, j.pairs_right = 1, j.reason = number(ratio) + " times as large";
  } else {
    j.verdict = CellVerdict::differs, j.reason = "the other is " + number(1 / ratio) + " times as large";
  }
  if (!c.known.empty() && j.verdict == CellVerdict::differs) j.reason += ": " + c.known;
  return j;
}

Judged judged_winner(const StudyCell& c, const Readings& readings, Judged j) {
  std::vector<std::pair<double, std::string>> all;
  for (const std::string& setup : c.among) {
    const Reading r = plain(c, c.side.matrix, setup, readings);
    if (!r.value) {
      j.here = r, j.reason = setup + ": " + r.reason;
      return j;
    }
    all.emplace_back(*r.value, setup);
    if (!j.here.value || *r.value > *j.here.value) j.here = r, j.winner = setup;
  }
  std::sort(all.rbegin(), all.rend());
  const double ahead = all[1].first > 0 ? all[0].first / all[1].first : 0;
  if (j.winner != c.printed && ahead < 1 + kTie && all[1].second == c.printed) {
    j.verdict = CellVerdict::not_comparable,
    j.reason = "a tie: " + j.winner + " is " + number(ahead) + " times as large";
    return j;
  }
  j.verdict = j.winner == c.printed ? CellVerdict::agrees : CellVerdict::differs;
  j.reason = j.winner + " is " + number(ahead) + " times as large as the next";
  j.pairs = 1, j.pairs_right = j.verdict == CellVerdict::agrees;
  return j;
}

Judged begun(const Study& study, const StudyCell& c, const Readings& readings) {
  Judged j;
  j.stand_in = is_stand_in(study, c);
  if (!c.gap.empty()) {
    j.reason = c.gap;
  } else if (!c.not_comparable.empty()) {
    j.verdict = CellVerdict::not_comparable, j.reason = c.not_comparable;
  } else if (!c.missing.empty()) {
    j.reason = c.missing;
  } else if (c.claim == Claim::winner) {
    return judged_winner(c, readings, std::move(j));
  } else {
    j.here = value_of(c, readings);
    j.reason = j.here.reason;
    if (j.here.value && c.claim == Claim::order) return judged_order(c, std::move(j));
  }
  return j;
}

// Compares only the size of the value.
void judge_size(const StudyCell& c, bool papers_gpu, Judged& j) {
  if (c.claim == Claim::rate && !papers_gpu) {
    j.verdict = CellVerdict::not_comparable, j.reason = "a rate of another GPU than the paper's";
    return;
  }
  bool ok = false;
  const std::string held = tolerance(c, *j.here.value, ok);
  j.verdict = ok ? CellVerdict::agrees : CellVerdict::differs;
  j.reason = held;
  if (!c.order_only.empty()) j.verdict = CellVerdict::not_comparable, j.reason = c.order_only;
}

void count_pairs(const Study& study, const std::vector<std::size_t>& group, std::vector<Judged>& all) {
  for (const std::size_t a : group)
    for (const std::size_t b : group) {
      if (a == b || !all[a].here.value || !all[b].here.value || tied(study.cells[a], study.cells[b])) continue;
      ++all[a].pairs;
      const double printed = *study.cells[a].value - *study.cells[b].value;
      all[a].pairs_right += (*all[a].here.value - *all[b].here.value) * printed > 0;
    }
}

std::map<std::string, std::vector<std::size_t>> groups_of(const Study& study) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < study.cells.size(); ++k)
    if (const std::string g = order_group_of(study.cells[k]); !g.empty()) groups[g].push_back(k);
  return groups;
}

}  // namespace

const char* name_of(CellVerdict verdict) {
  constexpr const char* names[] = {"agrees", "order agrees", "differs", "not comparable", "missing"};
  return names[static_cast<int>(verdict)];
}

std::string order_group_of(const StudyCell& c) {
  const bool one = c.claim == Claim::rate && c.value && c.has_recipe() && !c.over && c.aggregate == Aggregate::none;
  return one && !c.side.matrix.empty() ? c.side.matrix + "\n" + c.quantity + "\n" + c.per : "";
}

std::string tolerance_text(const StudyCell& c) {
  if (!c.has_recipe()) return "";
  if (c.claim == Claim::order) return "the first is the larger one";
  if (c.claim == Claim::winner) return "it is the largest; within " + number(100 * kTie) + " % is a tie";
  if (!c.order_only.empty()) return "its order alone";
  bool ok = false;
  return c.value ? tolerance(c, *c.value, ok) : "";
}

Reading value_of(const StudyCell& c, const Readings& readings) {
  if (c.aggregate == Aggregate::none)
    return on_matrix(c, c.side.matrix, c.over ? c.over->matrix : std::string(), readings);
  std::vector<double> values;
  Reading whole{0.0, {}, Provenance::measured};
  const bool beside_itself = c.over && c.over->matrix == c.side.matrix;
  for (std::size_t k = 0; k < c.matrices.size(); ++k) {
    const std::string& m = c.matrices[k];
    const std::string& under = k < c.over_matrices.size() ? c.over_matrices[k]
                               : !c.over || beside_itself ? m
                                                          : c.over->matrix;
    const Reading r = on_matrix(c, m, under, readings);
    if (!whole.run) whole.run = r.run;
    if (!r.value) return {std::nullopt, m + ": " + r.reason, Provenance::modelled, r.run};
    values.push_back(*r.value);
    whole.provenance = std::max(whole.provenance, r.provenance);
  }
  whole.value = aggregate(c.aggregate, std::move(values));
  return whole;
}

std::vector<Judged> judge(const Study& study, const Readings& readings, bool papers_gpu) {
  std::vector<Judged> all;
  for (const StudyCell& c : study.cells) {
    Judged j = begun(study, c, readings);
    if (j.here.value && c.value && c.claim != Claim::order && c.claim != Claim::winner) judge_size(c, papers_gpu, j);
    all.push_back(std::move(j));
  }
  for (const auto& [name, group] : groups_of(study)) count_pairs(study, group, all);
  for (std::size_t k = 0; k < all.size(); ++k) {
    Judged& j = all[k];
    const StudyCell& c = study.cells[k];
    const bool by_size = j.verdict == CellVerdict::agrees || c.claim == Claim::order || c.claim == Claim::winner;
    if (by_size || j.pairs == 0 || !j.here.value) continue;
    const bool right = j.pairs_right == j.pairs;
    const std::string of = std::to_string(j.pairs_right) + " of " + std::to_string(j.pairs) + " pairs as printed";
    j.verdict = right ? CellVerdict::order_agrees : CellVerdict::differs;
    j.reason += "; " + of;
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].verdict != CellVerdict::differs) continue;
    if (!study.cells[k].known.empty() && study.cells[k].claim != Claim::order)
      all[k].reason += ": " + study.cells[k].known;
    else if (all[k].stand_in)
      all[k].reason += "; the matrix is a stand-in";
  }
  return all;
}

StudySummary summarise(const Study& study, const std::vector<Judged>& judged) {
  StudySummary s;
  const std::map<std::string, std::vector<std::size_t>> groups = groups_of(study);
  const auto counts = [&](std::size_t k) -> StudyCounts& { return judged[k].stand_in ? s.stand_ins : s.own; };
  std::vector<bool> grouped(judged.size());
  double taus = 0;
  int ordered = 0;
  for (const auto& [name, group] : groups) {
    int pairs = 0, right = 0;
    for (const std::size_t k : group) grouped[k] = true, pairs += judged[k].pairs, right += judged[k].pairs_right;
    if (pairs == 0) continue;
    counts(group.front()).pairs += pairs / 2;  // each pair was counted from both sides
    counts(group.front()).pairs_right += right / 2;
    taus += (2.0 * right - pairs) / pairs;
    ++ordered;
  }
  if (ordered > 0) s.tau = taus / ordered;
  for (std::size_t k = 0; k < judged.size(); ++k) {
    const Judged& j = judged[k];
    const StudyCell& c = study.cells[k];
    ++counts(k).verdicts[static_cast<std::size_t>(j.verdict)];
    if (!grouped[k]) counts(k).pairs += j.pairs, counts(k).pairs_right += j.pairs_right;
    const bool rate = c.claim == Claim::rate && c.order_only.empty() && c.value && *c.value > 0 && j.here.value;
    if (rate && *j.here.value > 0) s.factors.push_back(std::max(*j.here.value / *c.value, *c.value / *j.here.value));
  }
  std::sort(s.factors.begin(), s.factors.end());
  return s;
}

std::optional<double> StudySummary::median_factor() const {
  if (factors.empty()) return std::nullopt;
  return (factors[(factors.size() - 1) / 2] + factors[factors.size() / 2]) / 2;
}

std::optional<double> StudySummary::share_within(double factor) const {
  if (factors.empty()) return std::nullopt;
  const auto end = std::upper_bound(factors.begin(), factors.end(), factor);
  return static_cast<double>(end - factors.begin()) / static_cast<double>(factors.size());
}

}  // namespace warpspy
