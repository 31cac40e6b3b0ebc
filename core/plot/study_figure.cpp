#include "core/plot/study_figure.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

struct VerdictStyle {
  CellVerdict verdict;
  Mark mark;
};
constexpr VerdictStyle kVerdictStyles[] = {{CellVerdict::agrees, Mark::circle},
                                           {CellVerdict::order_agrees, Mark::square},
                                           {CellVerdict::differs, Mark::cross},
                                           {CellVerdict::not_comparable, Mark::diamond}};

// Quiet but for what differs.
Color verdict_color(CellVerdict v, const Theme& theme) {
  if (v == CellVerdict::agrees) return theme.ink;
  return v == CellVerdict::differs ? readable(kWarning, theme) : theme.muted;
}

bool has_place(const StudyCell& c, const Judged& j) {
  return c.value && *c.value > 0 && j.here.value && *j.here.value > 0 && c.claim != Claim::winner;
}

std::string cell_tip(const StudyCell& c, const Judged& j, const std::string& where) {
  const std::string unit = c.unit.empty() || c.unit == "1" ? "" : " " + c.unit;
  return c.name() + "\nprinted " + c.printed + unit + "\n" + where + " " + significant(*j.here.value, 4) + unit + "\n" +
         verdict_text(j) + ": " + j.reason;
}

void add_verdict_marks(Plot& plot, const StudyReport& r, const std::vector<Judged>& judged, const std::string& where,
                       const Theme& theme) {
  for (const VerdictStyle& style : kVerdictStyles)
    for (const Provenance from : {Provenance::measured, Provenance::derived, Provenance::modelled}) {
      Series s;
      s.kind = Series::Kind::points;
      s.mark = style.mark, s.color = verdict_color(style.verdict, theme), s.width = 4.5, s.fill = fill_of(from);
      for (std::size_t k = 0; k < judged.size(); ++k) {
        const StudyCell& c = r.study->cells[k];
        if (judged[k].verdict != style.verdict || judged[k].here.provenance != from || !has_place(c, judged[k]))
          continue;
        s.x.push_back(*c.value), s.y.push_back(*judged[k].here.value);
        s.ids.push_back(k + 1);
        s.tooltips.push_back(cell_tip(c, judged[k], where));
      }
      if (s.x.empty()) continue;
      s.name = std::string(name_of(style.verdict)) + ", " + where;
      plot.series.push_back(std::move(s));
    }
}

// Both axes have the same range: from a power of ten below all values to one above.
void place_study_axes(Plot& plot) {
  double low = INFINITY, high = 0;
  for (const Series& s : plot.series)
    for (const std::vector<double>* all : {&s.x, &s.y})
      for (const double v : *all) low = std::min(low, v), high = std::max(high, v);
  if (!(high > 0)) low = 1, high = 10;
  plot.x.scale = plot.y.scale = Scale::log10;
  plot.x.min = plot.y.min = low / 1.6, plot.x.max = plot.y.max = high * 1.6;
  plot.x.label = "printed", plot.y.label = "made again";
}

void add_factor_line(Plot& plot, double factor, const std::string& label, const Theme& theme) {
  const double from = plot.x.min, to = plot.x.max;
  Series s;
  s.x = {std::max(from, from / factor), std::min(to, to / factor)};
  s.y = {s.x[0] * factor, s.x[1] * factor};
  s.color = factor == 1 ? theme.muted : theme.hairline;
  s.dashed = factor != 1, s.width = 1, s.label = label;
  s.faint = true;
  if (s.x[0] < s.x[1]) plot.series.insert(plot.series.begin(), std::move(s));
}

void add_cell_rows(Plot& plot, const StudyReport& r, const std::vector<Judged>& judged, const std::string& where) {
  for (std::size_t k = 0; k < judged.size(); ++k) {
    const StudyCell& c = r.study->cells[k];
    const Judged& j = judged[k];
    const bool winner = c.claim == Claim::winner;
    plot.rows.push_back({c.name(), name_of(c.claim), c.unit, printed_text(c), where,
                         winner         ? j.winner
                         : j.here.value ? exact(*j.here.value)
                                        : "",
                         j.here.value ? name_of(j.here.provenance) : "", name_of(j.verdict), j.stand_in ? "yes" : "no",
                         j.reason});
  }
}

}  // namespace

Plot study_figure(const StudyReport& r, const Theme& theme) {
  Plot plot;
  plot.title = r.study->title;
  plot.subtitle = source_text(*r.study) + ": " + verdicts_text(r.modelled);
  plot.columns = {"cell", "claim", "unit", "printed", "on", "made", "provenance", "verdict", "stand-in", "reason"};
  add_verdict_marks(plot, r, r.modelled, "modelled", theme);
  add_cell_rows(plot, r, r.modelled, "the paper's GPU, modelled");
  if (!r.here.empty()) {
    add_verdict_marks(plot, r, r.here, r.device, theme);
    add_cell_rows(plot, r, r.here, r.device);
  }
  const bool none = plot.series.empty();
  place_study_axes(plot);
  if (none) {
    plot.notes.push_back({std::sqrt(plot.x.min * plot.x.max), std::sqrt(plot.y.min * plot.y.max),
                          "no printed number has been made again", theme.muted});
    return plot;
  }
  for (const double factor : {2.0, 0.5}) add_factor_line(plot, factor, factor > 1 ? "2 times" : "half", theme);
  add_factor_line(plot, 1, "as printed", theme);
  return plot;
}

}  // namespace warpspy::plot
