#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/catalog/grid.hpp"
#include "core/catalog/names.hpp"
#include "core/plot/cell_colours.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr const char* kMicro = " \xC2\xB5s";

std::string value_text(const ParamSpec& spec, double v) {
  const auto k = static_cast<std::size_t>(std::max(0.0, v));
  return spec.type == ParamSpec::Type::choice && k < spec.choices.size() ? spec.choices[k] : exact(v);
}

// One axis of the plane: a parameter and its values.
struct Side {
  const ParamSpec* spec = nullptr;  // nullptr: only one parameter was varied, so there is one row
  std::vector<double> values = {0};

  int size() const { return static_cast<int>(values.size()); }
  int place(const ParamSet& params) const {
    if (!spec) return 0;
    const auto at = params.find(spec->id);
    if (at == params.end()) return -1;
    const auto found = std::find(values.begin(), values.end(), at->second);
    return found == values.end() ? -1 : static_cast<int>(found - values.begin());
  }

  std::string value_words(int k) const {
    return spec ? label_in_sentence(*spec) + " " + value_text(*spec, values[static_cast<std::size_t>(k)]) : "";
  }
};

const ParamSpec* spec_of(const KernelInfo& kernel, const std::string& id) {
  for (const ParamSpec& s : kernel.params)
    if (s.id == id) return &s;
  return nullptr;
}

// The values that a search may try, so that the plane does not change while steps arrive, and other values that were
// tried.
Side side_of(const TuneRecord& record, const KernelInfo& kernel, const std::string& id) {
  Side side;
  side.spec = spec_of(kernel, id);
  if (!side.spec) return side;
  const std::vector<double> grid = grid_of(*side.spec);
  std::set<double> values(grid.begin(), grid.end());
  for (const TuneStep& s : record.steps)
    if (const auto at = s.params.find(id); s.kernel == kernel.id && at != s.params.end()) values.insert(at->second);
  side.values.assign(values.begin(), values.end());
  return side;
}

Axis axis_of(const Side& side) {
  Axis a;
  a.min = -0.5, a.max = side.size() - 0.5;
  if (!side.spec) {
    a.categories = {""};
    return a;
  }
  a.label = side.spec->label.empty() ? side.spec->id : side.spec->label;
  for (const double v : side.values) a.categories.push_back(value_text(*side.spec, v));
  return a;
}

std::string params_text(const KernelInfo& kernel, const ParamSet& params) {
  std::string s;
  for (const ParamSpec& spec : kernel.params) {
    const auto at = params.find(spec.id);
    // Cache policies at their default are left out.
    if (at == params.end() || (is_cache_policy(spec) && at->second == spec.def)) continue;
    s += (s.empty() ? "" : ", ") + label_in_sentence(spec) + " " + value_text(spec, at->second);
  }
  return s;
}

struct PlaneCell {
  const TuneStep* best = nullptr;    // the fastest
  const TuneStep* failed = nullptr;  // the last that failed
  int steps = 0;
};

struct Plane {
  const TuneRecord& record;
  const KernelInfo& kernel;
  Side x, y;
  std::vector<PlaneCell> cells;
  double least = INFINITY, most = 0;  // times of the cells

  // The number of a step among all steps, from 1; 0: none.
  std::uint64_t id_of(const TuneStep* step) const {
    return step ? static_cast<std::uint64_t>(step - record.steps.data()) + 1 : 0;
  }
  PlaneCell& at(int i, int j) { return cells[static_cast<std::size_t>(j * x.size() + i)]; }
};

Plane plane_of(const TuneRecord& record, const KernelInfo& kernel, const std::string& x, const std::string& y) {
  Plane p{record, kernel, side_of(record, kernel, x), side_of(record, kernel, y), {}};
  p.cells.resize(static_cast<std::size_t>(p.x.size()) * static_cast<std::size_t>(p.y.size()));
  for (const TuneStep& s : record.steps) {
    const int i = p.x.place(s.params), j = p.y.place(s.params);
    if (s.kernel != kernel.id || i < 0 || j < 0) continue;
    PlaneCell& c = p.at(i, j);
    ++c.steps;
    if (!s.us)
      c.failed = &s;
    else if (!c.best || *s.us < *c.best->us)
      c.best = &s;
  }
  for (const PlaneCell& c : p.cells)
    if (c.best) p.least = std::min(p.least, *c.best->us), p.most = std::max(p.most, *c.best->us);
  return p;
}

// How far a colour is from the background: 1 for the slowest to 1000 for the fastest.
std::uint32_t level_of(double us, double least, double most) {
  if (!(most > least) || !(least > 0)) return 1000;
  return static_cast<std::uint32_t>(1 + 999 * (1 - std::log(us / least) / std::log(most / least)));
}

void add_cells(Plot& plot, Plane& p, const Theme& theme) {
  const int w = p.x.size(), h = p.y.size();
  std::vector<std::uint32_t> levels;
  for (int j = h - 1; j >= 0; --j)  // a picture begins at its top
    for (int i = 0; i < w; ++i) {
      const PlaneCell& c = p.at(i, j);
      levels.push_back(c.best ? level_of(*c.best->us, p.least, p.most) : 0);
    }
  plot.images.push_back({-0.5, w - 0.5, h - 0.5, -0.5, w, h,
                         std::make_shared<const std::vector<std::uint32_t>>(cell_colours(levels, theme))});
  Series cells;
  cells.kind = Series::Kind::line;
  for (int j = 0; j < h; ++j)
    for (int i = 0; i < w; ++i) {
      const PlaneCell& c = p.at(i, j);
      std::string tooltip = p.x.value_words(i);
      if (p.y.spec) tooltip += ", " + p.y.value_words(j);
      if (c.best)
        tooltip += "\n" + significant(*c.best->us, 4) + kMicro + " (" + name_of(p.record.provenance) + ")\n" +
                   params_text(p.kernel, c.best->params);
      else if (c.failed)
        tooltip += "\nfailed: " + c.failed->failure;
      else
        tooltip += "\nnot tried";
      if (c.steps > 1) tooltip += "\nleast of " + std::to_string(c.steps) + " products";
      cells.tooltips.push_back(std::move(tooltip));
      cells.ids.push_back(p.id_of(c.best ? c.best : c.failed));
    }
  plot.series.push_back(std::move(cells));
  add_hairlines(plot, w, h, theme);
}

void add_colorbar(Plot& plot, const Plane& p, const Theme& theme) {
  if (!(p.most > 0)) return;
  ColorBar bar;
  bar.label = std::string("\xC2\xB5s per product, ") + name_of(p.record.provenance);
  constexpr int kSteps = 128;
  std::vector<std::uint32_t> levels;
  for (int k = 0; k < kSteps; ++k)
    levels.push_back(level_of(p.least * std::pow(p.most / p.least, (k + 0.5) / kSteps), p.least, p.most));
  bar.rgba = cell_colours(levels, theme);
  if (p.most > p.least * 1.001) {
    for (const double t : {0.0, 1.0 / 3, 2.0 / 3, 1.0})
      bar.ticks.emplace_back(t, significant(p.least * std::pow(p.most / p.least, t), 3));
  } else {
    bar.ticks.emplace_back(0.5, significant(p.least, 3));
  }
  plot.colorbar = std::move(bar);
}

// Products in one cell are drawn side by side.
struct Offset {
  double x, y;
};
constexpr Offset kOffsets[] = {{0, 0},       {0.24, 0},      {-0.24, 0},    {0, 0.24},    {0, -0.24},
                               {0.24, 0.24}, {-0.24, -0.24}, {0.24, -0.24}, {-0.24, 0.24}};

std::string label_of(const std::string& strategy) {
  std::string s = strategy;
  std::replace(s.begin(), s.end(), '_', ' ');
  return s;
}

// The strategy whose path is drawn: few products, many cells.
std::string path_of(const TuneRecord& record, const TunePlaneStyle& style) {
  if (!style.path.empty()) return style.path;
  const auto has = [&](const std::string& id) {
    return std::any_of(record.steps.begin(), record.steps.end(), [&](const TuneStep& s) { return s.strategy == id; });
  };
  for (const char* id : {"run_time", "selector", "fixed_rule", "exhaustive"})
    if (has(id)) return id;
  return {};
}

// The cells that the steps of a strategy visit, in order.
struct Stop {
  const TuneStep* step;
  double x, y;
};
std::vector<Stop> stops_of(const Plane& p, const std::string& strategy) {
  std::vector<Stop> stops;
  std::map<std::pair<int, int>, std::size_t> visits;
  for (const TuneStep& s : p.record.steps) {
    const int i = p.x.place(s.params), j = p.y.place(s.params);
    if (s.strategy != strategy || s.kernel != p.kernel.id || i < 0 || j < 0) continue;
    const Offset& o = kOffsets[visits[{i, j}]++ % std::size(kOffsets)];
    stops.push_back({&s, i + o.x, j + o.y});
  }
  return stops;
}

Series marks(Mark mark, Fill fill, Color color, double radius, std::string name) {
  Series s;
  s.kind = Series::Kind::points, s.mark = mark, s.fill = fill, s.color = color, s.width = radius;
  s.name = std::move(name);
  return s;
}

void add_stop(Series& s, const Plane& p, const Stop& stop) {
  s.x.push_back(stop.x), s.y.push_back(stop.y);
  s.ids.push_back(p.id_of(stop.step));
  s.tooltips.push_back(label_of(stop.step->strategy) + ", product " + std::to_string(stop.step->product) + "\n" +
                       params_text(p.kernel, stop.step->params) + "\n" +
                       (stop.step->us
                            ? significant(*stop.step->us, 4) + kMicro + " (" + name_of(p.record.provenance) + ")"
                            : "failed: " + stop.step->failure));
}

void add_path(Plot& plot, const Plane& p, const std::string& strategy, const Theme& theme) {
  const std::vector<Stop> stops = stops_of(p, strategy);
  if (stops.empty()) return;
  // Every cell in turn is no path.
  if (strategy != "exhaustive") {
    Series halo, line;
    for (const Stop& s : stops) line.x.push_back(s.x), line.y.push_back(s.y);
    line.color = theme.ink, line.width = 1.6;
    halo = line;
    halo.color = theme.ground, halo.width = 4.6;
    plot.series.push_back(std::move(halo));
    plot.series.push_back(std::move(line));
    Series disc = marks(Mark::circle, Fill::solid, theme.ground, 6, "");
    Series dots = marks(
        Mark::circle, fill_of(p.record.provenance), theme.ink, 4,
        label_of(strategy) + ", " + std::to_string(stops.size()) + (stops.size() == 1 ? " product" : " products"));
    for (const Stop& s : stops) add_stop(dots, p, s);
    disc.x = dots.x, disc.y = dots.y, disc.ids = dots.ids, disc.tooltips = dots.tooltips;
    plot.series.push_back(std::move(disc));
    plot.series.push_back(std::move(dots));
  }
}

void add_failures(Plot& plot, const Plane& p) {
  Series failed = marks(Mark::cross, Fill::solid, kError, 4.5, "failed");
  for (int j = 0; j < p.y.size(); ++j)
    for (int i = 0; i < p.x.size(); ++i) {
      const PlaneCell& c = p.cells[static_cast<std::size_t>(j * p.x.size() + i)];
      if (c.failed && !c.best) add_stop(failed, p, {c.failed, static_cast<double>(i), static_cast<double>(j)});
    }
  if (!failed.x.empty()) plot.series.push_back(std::move(failed));
}

const TuneStep* best_of(const Plane& p) {
  const TuneStep* best = nullptr;
  for (const PlaneCell& c : p.cells)
    if (c.best && (!best || *c.best->us < *best->us)) best = c.best;
  return best;
}

// Where a step is drawn: on the path if it is part of it, else in the middle of its cell.
Stop stop_of(const Plane& p, const TuneStep& step, const std::string& path) {
  for (const Stop& s : stops_of(p, path))
    if (s.step == &step || (s.step->params == step.params && s.step->us == step.us)) return s;
  return {&step, static_cast<double>(p.x.place(step.params)), static_cast<double>(p.y.place(step.params))};
}

bool on_plane(const Plane& p, const TuneStep& step) {
  return step.kernel == p.kernel.id && p.x.place(step.params) >= 0 && p.y.place(step.params) >= 0;
}

// A frame around the latest product; the path is drawn over it.
void add_now(Plot& plot, const Plane& p, const std::string& path, const Theme& theme) {
  const TuneStep* last = p.record.steps.empty() ? nullptr : &p.record.steps.back();
  if (!last || !on_plane(p, *last)) return;
  const Stop stop = stop_of(p, *last, path);
  Series under = marks(Mark::circle, Fill::solid, theme.ground, 11, ""),
         ring = marks(Mark::circle, Fill::hollow, last->us ? theme.ink : kError, 9, "now");
  add_stop(under, p, stop), add_stop(ring, p, stop);
  plot.series.push_back(std::move(under));
  plot.series.push_back(std::move(ring));
}

void add_best(Plot& plot, const Plane& p, const std::string& path, const Theme& theme) {
  const TuneStep* best = best_of(p);
  if (!best) return;
  const Stop stop = stop_of(p, *best, path);
  Series under = marks(Mark::diamond, Fill::solid, theme.ground, 9, ""),
         over = marks(Mark::diamond, fill_of(p.record.provenance), theme.ink, 6,
                      "best: " + significant(*best->us, 4) + kMicro);
  add_stop(under, p, stop), add_stop(over, p, stop);
  plot.series.push_back(std::move(under));
  plot.series.push_back(std::move(over));
}

std::string subtitle_of(const Plane& p, const std::string& path) {
  std::string s = p.record.matrix_name + ", " + name_of(p.record.request.run.precision) + ", " + p.record.device_name;
  if (const TuneOutcome* o = p.record.outcome(path); o && o->us) {
    s += "; " + label_of(path) + ": " + significant(*o->us, 4) + kMicro;
    if (o->regret) s += ", regret " + percent(*o->regret);
  }
  return s;
}

void add_table(Plot& plot, const TuneRecord& record) {
  plot.columns = {"strategy", "product", "kernel", "params", "time_us", "provenance", "conversion_us", "failure"};
  for (const TuneStep& s : record.steps) {
    std::string params;
    for (const auto& [id, v] : s.params) params += (params.empty() ? "" : " ") + id + "=" + exact(v);
    plot.rows.push_back({s.strategy, std::to_string(s.product), s.kernel, params, s.us ? exact(*s.us) : "",
                         s.us ? name_of(record.provenance) : "unavailable",
                         s.conversion_us > 0 ? exact(s.conversion_us) : "", s.failure});
  }
}

}  // namespace

std::pair<std::string, std::string> tune_axes(const TuneRecord& record, const KernelInfo& kernel) {
  std::vector<std::string> turned, own;
  for (const ParamSpec& spec : kernel.params) {
    std::set<double> values;
    for (const TuneStep& s : record.steps)
      if (const auto at = s.params.find(spec.id); s.kernel == kernel.id && at != s.params.end())
        values.insert(at->second);
    if (values.size() > 1) turned.push_back(spec.id);
    if (!is_cache_policy(spec) && record.request.run.params.count(spec.id) == 0) own.push_back(spec.id);
  }
  // The kernel's own parameters come first. Cache policies are shown only if there are no others.
  std::vector<std::string> ids = own;
  for (const std::string& id : turned)
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  ids.resize(2);
  // Reguly & Giles vary coop and repeat, so the block size comes last.
  if (own.size() > 2 && ids[1] == "block_size") ids[1] = own[2];
  return {ids[0], ids[1]};
}

Plot tune_plane_figure(const TuneRecord& record, const KernelInfo& kernel, const TunePlaneStyle& style,
                       const Theme& theme) {
  const auto [x, y] = tune_axes(record, kernel);
  const std::string path = path_of(record, style);
  Plane p = plane_of(record, kernel, style.x.empty() ? x : style.x, style.y.empty() ? y : style.y);
  Plot plot;
  plot.title = "Tuning " + (kernel.label.empty() ? kernel.id : kernel.label);
  plot.subtitle = subtitle_of(p, path);
  plot.x = axis_of(p.x), plot.y = axis_of(p.y);
  add_cells(plot, p, theme);
  add_colorbar(plot, p, theme);
  add_failures(plot, p);
  if (style.running) add_now(plot, p, path, theme);
  add_path(plot, p, path, theme);
  add_best(plot, p, path, theme);
  add_table(plot, record);
  return plot;
}

}  // namespace warpspy::plot
