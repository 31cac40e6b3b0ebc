#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "core/plot/analysis_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr std::size_t kNamed = 6;      // so many kernels have names on the axis; with more, numbers and a key below
constexpr std::size_t kLabelled = 14;  // bars that carry their value
constexpr double kGroup = 0.78;        // width of a group as a share of its place

// A series that has a value somewhere.
struct Shown {
  const AnalysisSeries* series;
  Color color;
};

Color level_color(Level level) {
  constexpr Color colors[] = {kCompute, kDram, kL2, kL1, kShared, kCompute};
  return colors[static_cast<int>(level)];
}

// The colours of the series: two shades of its colour for each memory level, shades of the text's colour for the
// others.
std::vector<Shown> shown_of(const AnalysisRow& row, const AnalysisResult& result, const Theme& theme) {
  std::vector<Shown> shown;
  std::map<Level, int> used;
  for (const AnalysisSeries& s : row.series) {
    const int before = used[s.level]++;
    const bool any = std::any_of(result.values.begin(), result.values.end(),
                                 [&](const AnalysisValue& v) { return v.series == s.id && v.value; });
    if (!any) continue;
    const Color c = s.level == Level::none ? mix(theme.ink, theme.ground, 0.2 + 0.27 * before)
                                           : mix(level_color(s.level), theme.ink, before > 0 ? 0.4 : 0);
    shown.push_back({&s, c});
  }
  return shown;
}

std::string tooltip_of(const AnalysisResult& r, const AnalysisSeries& s, const AnalysisValue& v) {
  std::string tooltip = r.subjects[v.subject].label + ": " + s.label + "\n" + significant(*v.value, 4) + " " +
                        (v.unit == "1" ? "" : v.unit) + " (" + name_of(v.provenance) + ")";
  if (!v.worked.empty()) tooltip += "\n" + v.worked;
  return with_micro(tooltip);
}

Series marks_of(const AnalysisResult& r, const Shown& shown, const AnalysisValue& v, double x, Mark mark) {
  Series s;
  s.kind = Series::Kind::points, s.mark = mark, s.fill = fill_of(v.provenance), s.color = shown.color, s.width = 5;
  s.right_axis = shown.series->right;
  s.x = {x}, s.y = {*v.value};
  s.tooltips = {tooltip_of(r, *shown.series, v)};
  s.ids = {v.subject + 1};
  return s;
}

const AnalysisValue* value_of(const AnalysisResult& r, const char* series, std::size_t subject) {
  for (const AnalysisValue& v : r.values)
    if (v.series == series && v.subject == subject) return &v;
  return nullptr;
}

// From 0 (or below, if there are negative values) to slightly above the largest value.
void fit(Axis& axis, double lo, double hi) {
  if (!(hi > lo)) hi = lo + 1;
  axis.min = lo < 0 ? lo - 0.08 * (hi - lo) : 0;
  axis.max = hi + 0.1 * (hi - std::min(lo, 0.0));
}

struct Range {
  double lo = 0, hi = 0;
  void see(double v) { lo = std::min(lo, v), hi = std::max(hi, v); }
};

void add_bar(Plot& plot, const Shown& shown, const AnalysisValue& v, double left, double right, double base,
             double top) {
  Series bar;
  bar.kind = Series::Kind::bars, bar.fill = fill_of(v.provenance), bar.color = shown.color;
  bar.x = {left, right}, bar.y = {top}, bar.base = base;
  plot.series.push_back(std::move(bar));
}

// The bars of one kernel, side by side or stacked. Values of the second axis are marks over the middle.
void add_group(Plot& plot, const AnalysisResult& r, const std::vector<Shown>& shown, std::size_t subject, bool labelled,
               Range& left, Range& right, const Theme& theme) {
  std::size_t slots = 0;
  for (const Shown& s : shown) slots += !s.series->right && !s.series->stacked;
  const bool stacked = slots == 0;
  const double width = stacked ? 0.5 : kGroup / static_cast<double>(std::max<std::size_t>(1, slots));
  const double place = static_cast<double>(subject);
  double x = place - (stacked ? 0.25 : kGroup / 2), base = 0;
  for (const Shown& s : shown) {
    const AnalysisValue* v = value_of(r, s.series->id, subject);
    const bool known = v && v->value;
    if (s.series->right) {
      if (!known) continue;
      right.see(*v->value);
      plot.series.push_back(marks_of(r, s, *v, place + (stacked ? 0.36 : 0.47), Mark::diamond));
      continue;
    }
    const double middle = x + width / 2, gap = stacked ? 0 : 0.06 * width;
    if (known) {
      const double top = stacked ? base + std::max(0.0, *v->value) : *v->value;
      left.see(top);
      add_bar(plot, s, *v, x + gap, x + width - gap, base, top);
      // An invisible mark that the mouse finds; the bar is what is seen.
      plot.series.push_back(marks_of(r, s, *v, middle, Mark::none));
      plot.series.back().y = {stacked ? (base + top) / 2 : top};
      if (labelled)
        plot.notes.push_back({middle, stacked ? (base + top) / 2 : top, significant(*v->value, 3), theme.ink});
      if (stacked) base = top;
    } else if (!stacked || &s == &shown[0]) {
      plot.notes.push_back({middle, stacked ? 4.0 : 0.0, "n/a", theme.muted});
    }
    if (!stacked) x += width;
  }
}

void add_legend(Plot& plot, const std::vector<Shown>& shown, const std::set<Provenance>& kinds, const Theme& theme) {
  for (const Shown& s : shown) {
    Series entry;
    entry.kind = s.series->right ? Series::Kind::points : Series::Kind::bars;
    entry.mark = s.series->right ? Mark::diamond : Mark::circle;
    entry.name = s.series->label, entry.color = s.color, entry.width = 5;
    entry.right_axis = s.series->right;
    plot.series.push_back(std::move(entry));
  }
  if (kinds.size() == 1 && *kinds.begin() == Provenance::measured) return;
  for (const Provenance p : kinds) {
    Series entry;
    entry.kind = Series::Kind::points, entry.mark = Mark::circle, entry.fill = fill_of(p), entry.width = 5;
    entry.name = name_of(p), entry.color = theme.muted;
    plot.series.push_back(std::move(entry));
  }
}

void add_groups(Plot& plot, const AnalysisResult& r, const AnalysisRow& row, const std::vector<Shown>& shown,
                const Theme& theme) {
  const bool numbered = r.subjects.size() > kNamed;
  std::string key;
  for (std::size_t k = 0; k < r.subjects.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    plot.x.categories.push_back(numbered ? number : r.subjects[k].label);
    key += (k ? ", " : "") + number + " " + r.subjects[k].label;
  }
  if (numbered) plot.foot.push_back(key);
  plot.x.min = -0.6, plot.x.max = static_cast<double>(r.subjects.size()) - 0.4;
  std::size_t bars = 0;
  for (const AnalysisValue& v : r.values) bars += v.value.has_value();
  Range left, right;
  for (std::size_t k = 0; k < r.subjects.size(); ++k)
    add_group(plot, r, shown, k, bars <= kLabelled, left, right, theme);
  fit(plot.y, left.lo, left.hi);
  const bool stacked = std::any_of(shown.begin(), shown.end(), [](const Shown& s) { return s.series->stacked; });
  if (stacked) plot.y.max = std::max(100.0, left.hi);
  if (!row.y2_label.empty() && right.hi > right.lo) {
    plot.y2 = Axis{};
    plot.y2->label = row.y2_label;
    fit(*plot.y2, right.lo, right.hi);
  }
  // Values stand above their bars.
  if (!stacked)
    for (Note& note : plot.notes) note.y += 0.035 * (plot.y.max - plot.y.min);
}

// Lines over a sweep: the colour tells the series, the shape the kernel.
void add_lines(Plot& plot, const AnalysisResult& r, const std::vector<Shown>& shown) {
  std::set<double> places;
  // A kernel without any value did not run at any point of the sweep.
  for (const AnalysisValue& v : r.values)
    if (r.subjects[v.subject].problem.empty()) places.insert(v.x);
  const bool few = places.size() <= 8;
  const auto x_of = [&](double x) {
    return few ? static_cast<double>(std::distance(places.begin(), places.find(x))) : x;
  };
  if (few)
    for (const double x : places) plot.x.categories.push_back(exact(x));
  plot.x.min = few ? -0.4 : 0;
  plot.x.max = few ? static_cast<double>(places.size()) - 0.3 : *places.rbegin() * 1.04;
  Range range;
  for (const Shown& s : shown)
    for (std::size_t k = 0; k < r.subjects.size(); ++k) {
      Series line;
      line.color = s.color, line.width = 1.6;
      std::vector<Series> marks;
      for (const AnalysisValue& v : r.values) {
        if (v.series != s.series->id || v.subject != k || !v.value) continue;
        line.x.push_back(x_of(v.x)), line.y.push_back(*v.value);
        marks.push_back(marks_of(r, s, v, x_of(v.x), mark_in_turn(k)));
        marks.back().width = 4.2;
        range.see(*v.value);
      }
      if (line.x.empty()) continue;
      line.label = (r.subjects.size() > 1 ? r.subjects[k].label + ": " : "") + s.series->label;
      plot.series.push_back(std::move(line));
      for (Series& m : marks) plot.series.push_back(std::move(m));
    }
  fit(plot.y, range.lo, range.hi);
}

// What all records have in common, written once.
std::string subtitle_of(const AnalysisResult& r, const AnalysisRow& row) {
  std::set<std::string> matrices, devices, precisions;
  for (const AnalysisSubject& s : r.subjects)
    for (const auto& run : s.runs) {
      matrices.insert(run.record->matrix_name), devices.insert(run.record->device_name);
      precisions.insert(name_of(run.record->request.precision));
    }
  std::string text;
  const auto add = [&](const std::set<std::string>& words, const char* many) {
    if (words.empty()) return;
    if (!text.empty()) text += ", ";
    if (words.size() > 2)
      text += std::to_string(words.size()) + many;
    else
      for (const std::string& w : words) text += (&w == &*words.begin() ? "" : " and ") + w;
  };
  add(matrices, " matrices");
  add(precisions, " precisions");
  add(devices, " devices");
  return text + "; after " + row.info.source;
}

void add_table(Plot& plot, const AnalysisResult& r, const AnalysisRow& row) {
  plot.columns = {"analysis", "kernel", "x", "quantity", "value", "unit", "provenance", "reason", "worked"};
  for (const AnalysisValue& v : r.values) {
    const auto at =
        std::find_if(row.series.begin(), row.series.end(), [&](const AnalysisSeries& s) { return v.series == s.id; });
    plot.rows.push_back({row.info.id, r.subjects[v.subject].label, row.sweep.empty() ? "" : exact(v.x),
                         at == row.series.end() ? v.series : at->label, v.value ? exact(*v.value) : "", v.unit,
                         v.value ? name_of(v.provenance) : "unavailable", v.reason, v.worked});
  }
}

// The formula, and the same with the first kernel's numbers.
void add_formulas(Plot& plot, const AnalysisResult& r, const AnalysisRow& row) {
  constexpr std::size_t kMost = 4;
  plot.foot.push_back(row.info.formula);
  if (!row.sweep.empty()) return;
  std::size_t shown = 0;
  for (const AnalysisValue& v : r.values)
    if (v.subject == 0 && !v.worked.empty() && shown++ < kMost)
      plot.foot.push_back((r.subjects.size() > 1 ? r.subjects[0].label + ": " : "") + with_micro(v.worked));
}

}  // namespace

std::vector<std::string> unavailable_lines(const AnalysisResult& result) {
  const AnalysisRow& row = analysis_row(result.request.id);
  // For each reason: which series, and which kernels if not all.
  std::vector<std::string> reasons;
  std::map<std::string, std::vector<std::string>> names;
  const auto suited = [](const AnalysisSubject& s) { return s.problem.empty(); };
  const auto all = static_cast<std::size_t>(std::count_if(result.subjects.begin(), result.subjects.end(), suited));
  for (const AnalysisSeries& s : row.series) {
    std::map<std::string, std::set<std::string>> of;
    for (const AnalysisValue& v : result.values)
      if (v.series == s.id && !v.value && suited(result.subjects[v.subject]))
        of[v.reason].insert(result.subjects[v.subject].label);
    for (const auto& [reason, subjects] : of) {
      if (names.count(reason) == 0) reasons.push_back(reason);
      std::string name = s.label;
      if (subjects.size() < all)
        for (const std::string& subject : subjects) name += (subject == *subjects.begin() ? " of " : ", ") + subject;
      names[reason].push_back(std::move(name));
    }
  }
  std::vector<std::string> lines;
  for (const AnalysisSubject& s : result.subjects)
    if (!suited(s)) lines.push_back("unavailable: " + s.label + ": " + s.problem);
  for (const std::string& reason : reasons) {
    std::string line = "unavailable: ";
    for (const std::string& name : names[reason]) line += (&name == &names[reason][0] ? "" : ", ") + name;
    lines.push_back(line + ": " + reason);
  }
  return lines;
}

Plot analysis_figure(const AnalysisResult& result, const Theme& theme) {
  const AnalysisRow& row = analysis_row(result.request.id);
  Plot plot;
  plot.title = row.info.label;
  plot.subtitle = subtitle_of(result, row);
  plot.y.label = row.y_label;
  plot.x.label = row.sweep;
  const std::vector<Shown> shown = shown_of(row, result, theme);
  std::set<Provenance> kinds;
  for (const AnalysisValue& v : result.values)
    if (v.value) kinds.insert(v.provenance);
  if (shown.empty()) {
    plot.x.min = -1, plot.x.max = 1;
    plot.notes.push_back({0, 0.5, "nothing of this is available: see below", theme.muted});
  } else if (row.sweep.empty()) {
    add_groups(plot, result, row, shown, theme);
  } else {
    add_lines(plot, result, shown);
  }
  if (!shown.empty()) add_legend(plot, row.sweep.empty() ? shown : std::vector<Shown>{}, kinds, theme);
  add_formulas(plot, result, row);
  for (std::string& line : unavailable_lines(result)) plot.foot.push_back(std::move(line));
  add_table(plot, result, row);
  return plot;
}

}  // namespace warpspy::plot
