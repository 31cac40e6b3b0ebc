#include <algorithm>

#include "core/plot/roofline_parts.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {

// Runs that are not shown are passed over.
void add_paths(Plot& plot, const std::vector<PlacedRun>& runs, const RooflineStyle& style, const Theme& theme) {
  for (const std::vector<std::uint64_t>& path : style.paths) {
    Series line;
    line.color = mix(theme.ink, theme.ground, 0.35), line.width = 1.3, line.faint = true;
    for (const std::uint64_t id : path) {
      const auto at = std::find_if(runs.begin(), runs.end(), [&](const PlacedRun& r) { return r.run->id == id; });
      if (at == runs.end()) continue;
      line.x.push_back(standing_of(plot, style, at->points.front().intensity).x);
      line.y.push_back(at->points.front().gflops);
    }
    if (line.x.size() < 2) continue;
    const std::size_t n = line.x.size();
    // The last segment is an arrow that shows in which direction the parameter was changed.
    if (line.x[n - 2] != line.x[n - 1] || line.y[n - 2] != line.y[n - 1]) {
      plot.arrows.push_back({line.x[n - 2], line.y[n - 2], line.x[n - 1], line.y[n - 1], "", line.color, 1.3, 5});
      line.x.pop_back(), line.y.pop_back();
    }
    plot.series.push_back(std::move(line));
  }
}

}  // namespace warpspy::plot
