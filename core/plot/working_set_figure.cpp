#include <algorithm>
#include <cmath>

#include "core/base/numbers.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/text.hpp"

namespace warpspy::plot {
namespace {

constexpr double kMega = 1e6;

Series rule(Series::Kind kind, double at, std::string label, Color color) {
  Series s;
  s.kind = kind;
  (kind == Series::Kind::vline ? s.x : s.y) = {at};
  s.label = std::move(label);
  s.color = color;
  s.width = 1;
  s.dashed = true;
  return s;
}

}  // namespace

Plot working_set_figure(const MeasuredRoofs& roofs, double l2_bytes, const Theme& theme) {
  Plot plot;
  plot.title = "Bandwidth over working set: " + roofs.device;
  plot.subtitle = roofs.origin();
  plot.x.label = "working set (MB), read again and again past L1";
  plot.x.scale = Scale::log10;
  plot.y.label = "GB/s";
  plot.columns = {"bytes", "gbs", "provenance", "origin"};
  double top = 1, low = 1e300, high = 0;
  Series line, points;
  line.color = points.color = kL2;
  line.width = 1.6;
  points.kind = Series::Kind::points;
  points.mark = Mark::circle;
  points.width = 4;
  for (const WorkingSetPoint& p : roofs.curve) {
    low = std::min(low, p.bytes), high = std::max(high, p.bytes), top = std::max(top, p.gbs);
    for (Series* s : {&line, &points}) s->x.push_back(p.bytes / kMega), s->y.push_back(p.gbs);
    points.ids.push_back(points.ids.size() + 1);
    points.tooltips.push_back(byte_text(p.bytes) + "\n" + significant(p.gbs, 4) + " GB/s (measured)");
    plot.rows.push_back({exact(p.bytes), exact(p.gbs), name_of(Provenance::measured), roofs.origin()});
  }
  if (roofs.curve.empty()) low = kMega, high = 100 * kMega;
  plot.x.min = low / kMega / 1.3;
  plot.x.max = high / kMega * 1.3;
  const MeasuredFigure* dram = roofs.figure("dram_read");
  plot.y.max = 1.12 * std::max(top, dram ? dram->value : 0);
  if (l2_bytes > 0 && l2_bytes / kMega > plot.x.min && l2_bytes / kMega < plot.x.max)
    plot.series.push_back(rule(Series::Kind::vline, l2_bytes / kMega, "L2 " + byte_text(l2_bytes), theme.muted));
  if (dram)
    plot.series.push_back(
        rule(Series::Kind::hline, dram->value, "DRAM " + significant(dram->value, 4) + " GB/s", kDram));
  if (!roofs.curve.empty()) {
    plot.series.push_back(std::move(line));
    plot.series.push_back(std::move(points));
  }
  return plot;
}

}  // namespace warpspy::plot
