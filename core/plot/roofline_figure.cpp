#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/plot/roofline_parts.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"
#include "core/run/compare.hpp"
#include "core/run/store.hpp"

namespace warpspy::plot {
namespace {

struct LevelStyle {
  Level level;
  const char* name;
  Color color;
};
constexpr LevelStyle kLevels[] = {{Level::dram, "DRAM", kDram},
                                  {Level::l2, "L2", kL2},
                                  {Level::l1, "L1", kL1},
                                  {Level::shared, "shared memory", kShared},
                                  {Level::compute, "compute", kCompute}};
const LevelStyle& style_of(Level level) {
  const auto* at =
      std::find_if(std::begin(kLevels), std::end(kLevels), [&](const auto& l) { return l.level == level; });
  return at == std::end(kLevels) ? kLevels[4] : *at;
}

constexpr double kRadius = 5;

std::string params_of(const RunRecord& r) {
  std::string s;
  for (const auto& [name, value] : r.request.params)
    s.append(s.empty() ? "" : ", ").append(name).append(" ").append(exact(value));
  return s;
}

bool drawable(const RooflinePoint& p) {
  return std::isfinite(p.intensity) && std::isfinite(p.gflops) && p.intensity > 0 && p.gflops > 0;
}

std::string tooltip_of(const PlacedRun& r, const RooflinePoint& p) {
  std::string s = kernel_of(*r.run);
  if (!r.params.empty()) s += ", " + r.params;
  s += "\n" + r.run->matrix_name + ", " + name_of(r.run->request.precision) + ", " + r.run->device_name;
  s += std::string("\n") + style_of(p.level).name + ": " + significant(p.intensity, 3) + " flop/byte";
  s += "\n" + significant(p.gflops, 4) + " GFLOP/s, " + significant(p.gbs, 4) + " GB/s (" + name_of(p.provenance) + ")";
  if (p.roof_gflops > 0)
    s += "\n" + percent(p.gflops / p.roof_gflops) + " of the roof, " + significant(p.roof_gflops, 4) + " GFLOP/s";
  if (!p.limit.empty()) s += "\nlimit: " + p.limit;
  if (r.run->may_be_refined()) s += "\nquick answer: " + percent(r.run->sampled_share) + " of the blocks were emulated";
  return s;
}

std::vector<PlacedRun> place(const std::vector<Roof>& roofs, const std::vector<std::shared_ptr<const RunRecord>>& runs,
                             const RooflineStyle& style) {
  std::vector<PlacedRun> result;
  std::map<std::string, Mark> shapes;
  for (const auto& run : runs) {
    if (!run || run->status != RunStatus::ok) continue;
    PlacedRun placed;
    placed.run = run;
    placed.params = params_of(*run);
    const auto points = roofline_points(*run, roofs, style.flops);
    for (Level level : style.levels)
      for (const RooflinePoint& p : points)
        if (p.level == level && drawable(p)) placed.points.push_back(p);
    if (placed.points.empty()) continue;
    if (style.color != RooflineStyle::ColorBy::level) placed.points.resize(1);
    placed.mark = shapes.try_emplace(kernel_of(*run), mark_in_turn(shapes.size())).first->second;
    const auto trail = std::find(style.trail.begin(), style.trail.end(), run->id);
    if (trail != style.trail.end()) {
      // The oldest of the trail is the faintest.
      const double age = static_cast<double>(style.trail.end() - trail) / static_cast<double>(style.trail.size() + 1);
      placed.strength = 0.25 + 0.4 * (1 - age);
    } else if (!style.compared.empty() && !is_compared(style, run->id)) {
      placed.strength = 0.35;
    }
    result.push_back(std::move(placed));
  }
  return result;
}

void add_roofs(Plot& plot, const std::vector<Roof>& roofs, const RooflineStyle& style, const Theme& theme) {
  const double shown_to = plot.x.max;
  // Colours have the meaning that they have for the marks, and no other.
  const bool by_level = style.color == RooflineStyle::ColorBy::level;
  const double ceiling = ceiling_of(roofs);
  for (const Roof& r : roofs) {
    if (!(r.value > 0)) continue;
    Series s;
    s.color = by_level ? style_of(r.level).color : theme.muted;
    s.label = r.label;
    s.dashed = r.provenance != Provenance::measured;
    s.width = 1.6;
    if (r.level == Level::compute) {
      // The ceiling begins where the steepest slope reaches it.
      double start = INFINITY;
      for (const Roof& other : roofs)
        if (other.level != Level::compute && other.value > 0) start = std::min(start, r.value / other.value);
      if (!std::isfinite(start)) start = plot.x.min;
      start = std::max(start, plot.x.min);
      if (start >= shown_to) continue;
      s.x = {start, shown_to}, s.y = {r.value, r.value};
    } else {
      const double end = ceiling > 0 ? std::min(shown_to, ceiling / r.value) : shown_to;
      if (end <= plot.x.min) continue;
      s.x = {plot.x.min, end}, s.y = {plot.x.min * r.value, end * r.value};
    }
    plot.series.push_back(std::move(s));
  }
}

// The highest intensity that a run of this format can reach; it is known before any run.
void add_minimum(Plot& plot, const RooflineStyle::Minimum& minimum, const Theme& theme) {
  Series s;
  s.kind = Series::Kind::vline;
  s.label = minimum.label;
  s.x = {minimum.intensity};
  s.color = mix(theme.muted, theme.ground, 0.25);
  s.width = 1;
  s.dashed = true;
  plot.series.push_back(std::move(s));
}

// With fewer runs than this, their names are beside their points, whatever the legend shows.
constexpr std::size_t kFewRuns = 6;

// A mark at the edge, with a text that says where its point would be.
void add_edge(Plot& plot, const RooflinePoint& p, double x, Color color) {
  Series s;
  s.x = {x, x}, s.y = {p.gflops, p.gflops};
  s.color = color, s.width = 0, s.faint = true;
  s.label = significant(p.intensity, 3) + " flop/B \xE2\x86\x92";
  plot.series.push_back(std::move(s));
}

void add_runs(Plot& plot, const std::vector<PlacedRun>& runs, const RooflineStyle& style, const Theme& theme) {
  const ColorKeys colors(runs, style.color, theme);
  const std::vector<std::string> labels = labels_of(runs, style);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const PlacedRun& r = runs[k];
    Series join;
    for (const RooflinePoint& p : r.points)
      join.x.push_back(standing_of(plot, style, p.intensity).x), join.y.push_back(p.gflops);
    const bool selected = r.run->id == style.selected && r.strength == 1;
    join.color = mix(theme.muted, theme.ground, selected ? 0 : 1 - 0.6 * r.strength);
    join.width = selected ? 1.4 : 0.9;
    join.faint = true;
    join.label = labels[k];
    plot.series.push_back(std::move(join));
  }
  // Trails are drawn first and the selected run last, so that it is on top.
  std::vector<const PlacedRun*> order;
  for (const PlacedRun& r : runs) order.push_back(&r);
  std::stable_sort(order.begin(), order.end(), [&](const PlacedRun* a, const PlacedRun* b) {
    const auto rank = [&](const PlacedRun* r) { return r->run->id == style.selected ? 2 : r->strength == 1 ? 1 : 0; };
    return rank(a) < rank(b);
  });
  for (const PlacedRun* r : order)
    for (const RooflinePoint& p : r->points) {
      Series s;
      s.kind = Series::Kind::points;
      s.mark = r->mark;
      s.fill = fill_of(p.provenance);
      s.width = r->run->id == style.selected ? kRadius * 1.45 : r->strength < 1 ? kRadius * 0.8 : kRadius;
      // Mixed with the background and not transparent: nothing may show through a fading mark.
      s.color = mix(colors.of(*r->run, p.level), theme.ground, 1 - r->strength);
      s.faint = r->strength < 1;
      const Standing standing = standing_of(plot, style, p.intensity);
      if (standing.at_edge && r->strength == 1) add_edge(plot, p, standing.x, s.color);
      s.x = {standing.x}, s.y = {p.gflops};
      s.ids = {r->run->id};
      s.parts = {static_cast<int>(p.level)};
      s.tooltips = {tooltip_of(*r, p)};
      plot.series.push_back(std::move(s));
    }
}

// Draws an arrow to each compared run, at the first level of which both runs have the bytes.
void add_arrows(Plot& plot, const std::vector<PlacedRun>& runs, const RooflineStyle& style, const Theme& theme) {
  const auto find = [&](std::uint64_t id) {
    return std::find_if(runs.begin(), runs.end(), [&](const PlacedRun& r) { return r.run->id == id; });
  };
  if (style.compared.size() < 2) return;
  const auto base = find(style.compared.front());
  if (base == runs.end()) return;
  for (std::size_t k = 1; k < style.compared.size(); ++k) {
    const auto other = find(style.compared[k]);
    if (other == runs.end()) continue;
    for (const RooflinePoint& from : base->points) {
      const auto to = std::find_if(other->points.begin(), other->points.end(),
                                   [&](const RooflinePoint& p) { return p.level == from.level; });
      if (to == other->points.end()) continue;
      plot.arrows.push_back(
          {standing_of(plot, style, from.intensity).x, from.gflops, standing_of(plot, style, to->intensity).x,
           to->gflops, percent_or_times(100 * (to->gflops / from.gflops - 1)), theme.ink, 1.6, kRadius * 1.45 + 2});
      break;
    }
  }
}

// The run whose byte counts are marked. There is none if runs are compared, since their arrows need the room.
const PlacedRun* marked_run(const std::vector<PlacedRun>& runs, const RooflineStyle& style) {
  const bool by_level = style.color == RooflineStyle::ColorBy::level;
  if (!style.byte_counts || !by_level || runs.empty() || style.compared.size() > 1) return nullptr;
  for (const PlacedRun& r : runs)
    if (r.run->id == style.selected) return &r;
  return runs.size() == 1 ? &runs[0] : nullptr;
}

// Where the DRAM point would be with the byte counts of the papers' formulas. Each is a tick at the height of the run's
// points. Its name is to the left of its foot, each one step lower than the previous one. They are drawn from left to
// right, so no tick crosses a name.
void add_byte_counts(Plot& plot, const PlacedRun& r, const RooflineStyle& style, const Theme& theme) {
  std::vector<ByteCount> counts = byte_counts(*r.run, style.flops);
  std::reverse(counts.begin(), counts.end());
  const double y = r.points.front().gflops, step = std::pow(plot.y.max / plot.y.min, kCountStep);
  double foot = y / std::pow(step, 1.1);
  for (const ByteCount& c : counts) {
    if (standing_of(plot, style, c.intensity).at_edge) continue;
    Series tick;
    tick.x = {c.intensity, c.intensity}, tick.y = {y, foot};
    tick.color = theme.muted, tick.width = 0.9;
    plot.series.push_back(std::move(tick));
    Series mark;
    mark.kind = Series::Kind::points, mark.mark = Mark::triangle, mark.fill = Fill::hollow, mark.width = 3;
    mark.color = theme.muted, mark.faint = true;
    mark.x = {c.intensity}, mark.y = {y};
    mark.tooltips = {c.label + " bytes: " + grouped(static_cast<index_t>(c.bytes)) + "\n" +
                     significant(c.intensity, 3) + " flop/byte (modelled)\n" + c.source};
    plot.series.push_back(std::move(mark));
    plot.notes.push_back({c.intensity, foot, c.label, theme.muted, true, Align::right});
    foot /= step;
  }
}

void add_legend(Plot& plot, const std::vector<Roof>& roofs, const std::vector<PlacedRun>& runs,
                const RooflineStyle& style, const Theme& theme) {
  const auto entry = [&](std::string name, Mark mark, Fill fill, Color color) {
    Series s;
    s.kind = Series::Kind::points;
    s.name = std::move(name);
    s.mark = mark, s.fill = fill, s.color = color, s.width = kRadius;
    plot.series.push_back(std::move(s));
  };
  const ColorKeys colors(runs, style.color, theme);
  for (const ColorKeys::Key& key : colors.keys()) entry(key.name, Mark::circle, Fill::solid, key.color);
  std::vector<std::pair<std::string, Mark>> kernels;
  for (const PlacedRun& r : runs) {
    const std::pair<std::string, Mark> kernel{kernel_of(*r.run), r.mark};
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
  }
  // A single kernel has its name beside its points.
  const bool by_kernel = style.color == RooflineStyle::ColorBy::kernel;
  if (!by_kernel && (kernels.size() > 1 || runs.size() > kFewRuns))
    for (const auto& [name, mark] : kernels) entry(name, mark, Fill::solid, theme.muted);
  std::set<Level> levels;
  std::set<Provenance> kinds;
  for (const PlacedRun& r : runs)
    for (const RooflinePoint& p : r.points) levels.insert(p.level), kinds.insert(p.provenance);
  // A roof names its colour by itself.
  for (const Roof& r : roofs) levels.erase(r.level);
  if (style.color != RooflineStyle::ColorBy::level) levels.clear();
  for (const LevelStyle& l : kLevels)
    if (levels.count(l.level)) entry(l.name, Mark::circle, Fill::solid, l.color);
  // If all marks are measured, no legend of provenance is needed.
  if (kinds.size() == 1 && *kinds.begin() == Provenance::measured) return;
  for (Provenance p : kinds) entry(name_of(p), Mark::circle, fill_of(p), theme.muted);
}

void add_table(Plot& plot, const std::vector<Roof>& roofs, const std::string& device,
               const std::vector<PlacedRun>& runs) {
  plot.columns = {"run",       "matrix", "kernel", "params",     "precision",  "device", "level",
                  "intensity", "gflops", "gbs",    "roof_share", "provenance", "limit"};
  for (const Roof& r : roofs) {
    const bool ceiling = r.level == Level::compute;
    plot.rows.push_back({"roof", "", "", "", "", device, style_of(r.level).name, "", ceiling ? exact(r.value) : "",
                         ceiling ? "" : exact(r.value), "", name_of(r.provenance),
                         r.source.empty() ? r.label : r.label + ", source: " + r.source});
  }
  for (const PlacedRun& r : runs)
    for (const RooflinePoint& p : r.points)
      plot.rows.push_back({run_number(*r.run), r.run->matrix_name, r.run->request.kernel, r.params,
                           name_of(r.run->request.precision), r.run->device_name, style_of(p.level).name,
                           exact(p.intensity), exact(p.gflops), exact(p.gbs),
                           p.roof_gflops > 0 ? exact(p.gflops / p.roof_gflops) : "", name_of(p.provenance), p.limit});
}

// What all runs have in common, written once.
std::string subtitle_of(const std::vector<PlacedRun>& runs, FlopCount flops) {
  if (runs.empty()) return "no runs yet";
  std::set<std::string> matrices, precisions;
  for (const PlacedRun& r : runs)
    matrices.insert(r.run->matrix_name), precisions.insert(name_of(r.run->request.precision));
  std::string s = matrices.size() == 1 ? *matrices.begin() : std::to_string(matrices.size()) + " matrices";
  for (const std::string& p : precisions) s += ", " + p;
  s += ", " + std::to_string(runs.size()) + (runs.size() == 1 ? " run" : " runs");
  if (flops == FlopCount::executed) s += "; executed flops, padding included";
  return s;
}

}  // namespace

Plot roofline_figure(const std::vector<Roof>& roofs, const std::string& device_name,
                     const std::vector<std::shared_ptr<const RunRecord>>& runs, const RooflineStyle& style,
                     const Theme& theme) {
  const std::vector<PlacedRun> placed = place(roofs, runs, style);
  Plot plot;
  plot.title = "Roofline: " + device_name;
  plot.subtitle = subtitle_of(placed, style.flops);
  const bool executed = style.flops == FlopCount::executed;
  plot.x.label = executed ? "arithmetic intensity (executed flop/byte)" : "arithmetic intensity (flop/byte)";
  plot.y.label = executed ? "executed GFLOP/s" : "GFLOP/s";
  const bool known = style.minimum && std::isfinite(style.minimum->intensity) && style.minimum->intensity > 0;
  const PlacedRun* marked = marked_run(placed, style);
  choose_ranges(plot, roofs, placed, style, marked);
  add_roofs(plot, roofs, style, theme);
  if (known) add_minimum(plot, *style.minimum, theme);
  if (marked) add_byte_counts(plot, *marked, style, theme);
  add_paths(plot, placed, style, theme);
  add_runs(plot, placed, style, theme);
  add_arrows(plot, placed, style, theme);
  add_legend(plot, roofs, placed, style, theme);
  add_table(plot, roofs, device_name, placed);
  if (known)
    plot.rows.push_back({"minimum", "", "", "", "", device_name, "DRAM", exact(style.minimum->intensity), "", "", "",
                         name_of(Provenance::modelled), style.minimum->label});
  if (marked)
    for (const ByteCount& c : byte_counts(*marked->run, style.flops))
      plot.rows.push_back({c.id + " bytes", marked->run->matrix_name, marked->run->request.kernel, marked->params,
                           name_of(marked->run->request.precision), device_name, "DRAM", exact(c.intensity), "",
                           exact(c.bytes / marked->run->time.value * 1e-3), "", name_of(Provenance::modelled),
                           c.source});
  return plot;
}

}  // namespace warpspy::plot
