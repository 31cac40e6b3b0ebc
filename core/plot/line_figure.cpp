#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/plot/cell_colours.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr std::size_t kMostCurves = 12;  // the most that can be distinguished
constexpr std::size_t kNamedAtEnd = 5;   // with more curves, names are in the legend

constexpr Fill fill_for(Provenance p) {
  constexpr Fill fills[] = {Fill::solid, Fill::half, Fill::hollow};
  return fills[static_cast<int>(p)];
}

// Few values of a parameter become places with names. Many values, and sizes of matrices, become an axis of numbers.
class Places {
 public:
  Places(const RunLines& lines, std::size_t shown) : words_(lines.words), log_(lines.doubling) {
    for (std::size_t k = 0; k < shown; ++k)
      for (const RunLines::Point& p : lines.curves[k].points) all_.insert(p.x);
    few_ = all_.size() <= 10 && !lines.by_size;
  }
  double at(double x) const { return few_ ? static_cast<double>(std::distance(all_.begin(), all_.find(x))) : x; }
  std::string name(double x) const {
    const auto k = static_cast<std::size_t>(std::max(0.0, x));
    return k < words_.size() ? words_[k] : short_number(x);
  }
  Axis axis(const std::string& label) const {
    Axis a;
    a.label = label;
    if (few_) {
      for (const double x : all_) a.categories.push_back(name(x));
      a.min = -0.4, a.max = static_cast<double>(all_.size()) - 0.6;
    } else if (log_) {
      a.scale = Scale::log10;
      a.min = *all_.begin() / 1.15, a.max = *all_.rbegin() * 1.15;
    } else {
      const double room = 0.04 * (*all_.rbegin() - *all_.begin());
      a.min = *all_.begin() - room, a.max = *all_.rbegin() + room;
    }
    return a;
  }

 private:
  std::set<double> all_;
  std::vector<std::string> words_;
  bool log_ = false, few_ = false;
};

void add_line(Plot& plot, const RunLines& lines, std::size_t k, std::size_t shown, const Places& places,
              const Theme& theme) {
  const RunLines::Curve& c = lines.curves[k];
  Series line, marks;
  line.color = marks.color = color_of_rank(k, shown, theme);
  line.width = 1.8, line.dashed = k / 4 % 2 == 1;
  marks.kind = Series::Kind::points, marks.mark = mark_in_turn(k), marks.width = 4;
  marks.fill = fill_for(c.points.front().provenance);
  for (const RunLines::Point& p : c.points) {
    const double x = places.at(p.x);
    line.x.push_back(x), line.y.push_back(p.gflops);
    marks.x.push_back(x), marks.y.push_back(p.gflops), marks.ids.push_back(p.run);
    const std::string matrix = lines.by_size && p.record ? "\n" + p.record->matrix_name : "";
    marks.tooltips.push_back(c.name + matrix + "\n" + lines.x_label + ": " + places.name(p.x) + "\n" +
                             significant(p.gflops, 3) + " GFLOP/s, " + significant(p.us, 3) + " \xC2\xB5s (" +
                             name_of(p.provenance) + ")" +
                             (p.runs > 1 ? "\nmedian of " + std::to_string(p.runs) + " runs" : ""));
  }
  if (shown <= kNamedAtEnd && shown > 1 && lines.joined) line.label = c.name;
  if (shown > kNamedAtEnd || !lines.joined) {
    Series entry;  // line and mark together
    if (!lines.joined) entry.kind = Series::Kind::points;
    entry.name = c.name, entry.color = line.color, entry.width = line.width, entry.dashed = line.dashed;
    entry.mark = marks.mark;
    if (!lines.joined) entry.fill = marks.fill, entry.width = marks.width;
    plot.series.push_back(std::move(entry));
  }
  if (lines.joined) plot.series.push_back(std::move(line));
  plot.series.push_back(std::move(marks));
}

void add_numbers(Plot& plot, const RunLines& lines, const Places& places) {
  plot.columns = {"curve", lines.x, "gflops", "time_us", "runs", "provenance"};
  for (const RunLines::Curve& c : lines.curves)
    for (const RunLines::Point& p : c.points)
      plot.rows.push_back({c.name, lines.words.empty() ? exact(p.x) : places.name(p.x), exact(p.gflops), exact(p.us),
                           std::to_string(p.runs), name_of(p.provenance)});
}

}  // namespace

Plot line_figure(const RunLines& lines, const Theme& theme) {
  Plot plot;
  plot.title = "Speed over " + lines.x_label;
  plot.subtitle = lines.curves.size() == 1 ? lines.curves[0].name : lines.conditions;
  if (lines.curves.size() == 1 && !lines.conditions.empty() && lines.conditions != plot.subtitle)
    plot.subtitle = lines.conditions;
  plot.y.label = "GFLOP/s";
  if (lines.curves.empty()) {
    plot.notes.push_back({0.5, 0.5, "nothing was varied in these runs", theme.muted});
    return plot;
  }
  const std::size_t shown = std::min(lines.curves.size(), kMostCurves);
  const Places places(lines, shown);
  plot.x = places.axis(lines.x_label);
  double most = 0;
  std::set<Provenance> kinds;
  for (std::size_t k = 0; k < shown; ++k) {
    add_line(plot, lines, k, shown, places, theme);
    for (const RunLines::Point& p : lines.curves[k].points) most = std::max(most, p.gflops), kinds.insert(p.provenance);
  }
  plot.y.max = most > 0 ? 1.08 * most : 1;
  add_numbers(plot, lines, places);
  if (lines.curves.size() > shown)
    plot.foot.push_back(std::string(lines.ordered ? "The first " : "The fastest ") + std::to_string(shown) + " of " +
                        std::to_string(lines.curves.size()) + " curves; the table has all.");
  if (!lines.joined) plot.foot.push_back("Each mark is a matrix of its own, so no line joins them.");
  for (const Provenance p : kinds)
    if (p != Provenance::measured) plot.foot.push_back(std::string("Times are ") + name_of(p) + ".");
  if (lines.failed > 0)
    plot.foot.push_back(std::to_string(lines.failed) + (lines.failed == 1 ? " run" : " runs") + " failed and " +
                        (lines.failed == 1 ? "has" : "have") + " no point.");
  return plot;
}

}  // namespace warpspy::plot
