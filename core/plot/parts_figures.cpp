#include "core/plot/parts_figures.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/plot/cell_colours.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

using Runs = std::vector<std::shared_ptr<const RunRecord>>;
constexpr std::size_t kMostDivided = 6;    // runs, the last ones
constexpr std::size_t kMostLanes = 32;     // of all runs together
constexpr std::size_t kLeastLanes = 4;     // of a run
constexpr std::size_t kMostSpeedUps = 12;  // the most that can be distinguished
constexpr std::size_t kNamedSpeedUps = 4;  // with more curves, names are in the legend

// What a GPU does. The link works beside the others, so its bar lies below theirs.
struct Work {
  const char* name;
  std::size_t rank;  // of its colour, of kPartColours; kPartColours: grey
  double top, bottom;
};
constexpr std::size_t kPartColours = 4;
constexpr Work kLocal{"local product", 0, -0.32, 0.1}, kLink{"halo on its way", 2, 0.16, 0.36},
    kWait{"waits", kPartColours, -0.32, 0.1}, kHalo{"product with the halo", 3, -0.32, 0.1},
    kOwn{"vectors and sums", 1, -0.32, 0.1};
constexpr const Work* kWorks[] = {&kLocal, &kLink, &kWait, &kHalo, &kOwn};

Runs over_parts(const Runs& runs) {
  Runs some;
  for (const auto& r : runs)
    if (!r->parts.empty() && r->status == RunStatus::ok) some.push_back(r);
  return some;
}

std::string gpus(const RunRecord& r) { return std::to_string(r.parts.size()) + " GPUs by " + name_of(r.request.split); }

// "CSR vector over 4 GPUs by metis"; the matrix where runs differ in it.
std::string name_of_run(const RunRecord& r, const Runs& all) {
  std::string name = r.kernel_label + " over " + gpus(r);
  const auto differ = [&](const auto& of) {
    return std::any_of(all.begin(), all.end(), [&](const auto& o) { return of(*o) != of(r); });
  };
  if (differ([](const RunRecord& o) { return o.matrix_name; })) name += ", " + r.matrix_name;
  if (differ([](const RunRecord& o) { return o.device_name; })) name += ", " + r.device_name;
  return name;
}

// The lanes that are drawn, by part: all of them, or the slowest.
std::vector<std::size_t> lanes_of(const RunRecord& r, std::size_t runs) {
  std::vector<std::size_t> lanes(r.parts.size());
  for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] = k;
  const std::size_t most = std::max(kLeastLanes, kMostLanes / runs);
  if (lanes.size() <= most) return lanes;
  std::stable_sort(lanes.begin(), lanes.end(), [&](std::size_t a, std::size_t b) {
    return is_slower(r.parts[a], r.parts[b], r.solve.has_value());
  });
  lanes.resize(most);
  std::sort(lanes.begin(), lanes.end());
  return lanes;
}

class Lanes {
 public:
  Lanes(Plot& plot, const Theme& theme) : plot_(plot), theme_(theme) {}

  void head(const std::string& name) {
    plot_.y.categories.emplace_back();
    plot_.notes.push_back({.x = 0,
                           .y = static_cast<double>(row_++) + 0.2,
                           .text = name,
                           .color = theme_.ink,
                           .gives_way = true,
                           .align = Align::left});
  }
  void lane(const RunRecord& r, std::size_t part) {
    const PartResult& p = r.parts[part];
    plot_.y.categories.push_back("GPU " + std::to_string(part + 1));
    bar(r, part, kLocal, 0, p.local_us);
    bar(r, part, kLink, 0, p.link_us);
    bar(r, part, kWait, p.local_us, p.waiting_us);
    bar(r, part, kHalo, p.local_us + p.waiting_us, p.halo_us);
    const double products_us = p.local_us + p.waiting_us + p.halo_us, own_us = p.vectors_us + p.dots_us;
    bar(r, part, kOwn, products_us, own_us);
    bar(r, part, kWait, products_us + own_us, p.dots_waiting_us);
    ++row_;
  }
  std::size_t rows() const { return row_; }

 private:
  void bar(const RunRecord& r, std::size_t part, const Work& work, double begin, double us) {
    if (!(us > 0)) return;
    const auto at = static_cast<double>(row_);
    const PartResult& p = r.parts[part];
    Series s;
    s.kind = Series::Kind::bars, s.fill = fill_of(r.time.provenance);
    s.x = {begin, begin + us}, s.y = {at + work.top}, s.base = at + work.bottom;
    s.color = work.rank == kPartColours ? theme_.muted : color_of_rank(work.rank, kPartColours, theme_);
    if (named_.insert(work.name).second) s.name = work.name;
    s.ids = {r.id};
    s.tooltips = {"GPU " + std::to_string(part + 1) + " of " + std::to_string(r.parts.size()) + "\n" + work.name + " " +
                  significant(us, 3) + " \xC2\xB5s, of " + significant(p.time_us, 3) + " \xC2\xB5s\n" +
                  grouped(p.rows, ',') + " rows, " + grouped(p.entries, ',') + " entries\n" + grouped(p.halo_in, ',') +
                  " numbers of x from " + grouped(p.messages, ',') + (p.messages == 1 ? " GPU" : " GPUs")};
    plot_.series.push_back(std::move(s));
  }

  Plot& plot_;
  const Theme& theme_;
  std::size_t row_ = 0;
  std::set<std::string> named_;
};

void add_numbers(Plot& plot, const RunRecord& r, bool solves) {
  for (std::size_t k = 0; k < r.parts.size(); ++k) {
    const PartResult& p = r.parts[k];
    std::vector<std::string> row = {std::to_string(r.id), r.request.kernel, name_of(r.request.split),
                                    std::to_string(k + 1)};
    for (const index_t n : {p.rows, p.entries, p.boundary_rows, p.halo_in, p.halo_out, p.messages, p.sent})
      row.push_back(std::to_string(n));
    for (const double us : {p.local_us, p.link_us, p.waiting_us, p.halo_us}) row.push_back(exact(us));
    if (solves)
      for (const double us : {p.vectors_us, p.dots_us, p.dots_waiting_us}) row.push_back(exact(us));
    row.push_back(exact(p.time_us));
    row.emplace_back(name_of(r.time.provenance));
    plot.rows.push_back(std::move(row));
  }
}

void add_curve(Plot& plot, const SpeedUps::Curve& c, std::size_t k, std::size_t shown, const Theme& theme) {
  Series line, marks, efficiency;
  line.color = marks.color = efficiency.color = color_of_rank(k, shown, theme);
  line.width = 1.8, efficiency.width = 1.2, efficiency.dashed = efficiency.right_axis = true;
  marks.kind = Series::Kind::points, marks.mark = mark_in_turn(k), marks.width = 4;
  marks.fill = fill_of(c.points.back().record->time.provenance);
  for (const SpeedUps::Point& p : c.points) {
    line.x.push_back(p.parts), line.y.push_back(p.times);
    marks.x.push_back(p.parts), marks.y.push_back(p.times), marks.ids.push_back(p.record->id);
    efficiency.x.push_back(p.parts), efficiency.y.push_back(100 * p.efficiency);
    marks.tooltips.push_back(c.name + "\n" + significant(p.parts, 6) + (p.parts == 1 ? " GPU: " : " GPUs: ") +
                             significant(p.us, 3) + " \xC2\xB5s (" + name_of(p.record->time.provenance) +
                             ")\nspeed-up " + significant(p.times, 3) + ", efficiency " + percent(p.efficiency));
  }
  if (shown > 1 && shown <= kNamedSpeedUps) line.label = c.name;
  if (shown > kNamedSpeedUps) {
    Series entry;  // line and mark together
    entry.name = c.name, entry.color = line.color, entry.width = line.width, entry.mark = marks.mark;
    plot.series.push_back(std::move(entry));
  }
  plot.series.push_back(std::move(efficiency));
  plot.series.push_back(std::move(line));
  plot.series.push_back(std::move(marks));
}

}  // namespace

Plot parts_figure(const Runs& runs, const Theme& theme) {
  const Runs all = over_parts(runs);
  const Runs some(all.end() - static_cast<std::ptrdiff_t>(std::min(all.size(), kMostDivided)), all.end());
  Plot plot;
  const bool solves = std::any_of(some.begin(), some.end(), [](const auto& r) { return r->solve.has_value(); });
  plot.title = solves ? "Where each GPU's time goes" : "What each GPU does when";
  plot.x.label = solves ? "time in an iteration, or in a product (\xC2\xB5s)" : "time in a product (\xC2\xB5s)";
  plot.columns = {"run",      "kernel",   "split", "part",     "rows",    "entries",    "boundary_rows", "halo_in",
                  "halo_out", "messages", "sent",  "local_us", "link_us", "waiting_us", "halo_us"};
  if (solves) plot.columns.insert(plot.columns.end(), {"vectors_us", "dots_us", "dots_waiting_us"});
  plot.columns.insert(plot.columns.end(), {"time_us", "provenance"});
  if (some.empty()) return plot;
  if (some.size() < all.size())
    plot.foot.push_back("The last " + std::to_string(some.size()) + " of " + std::to_string(all.size()) + " runs.");
  const RunRecord& first = *some.front();
  plot.subtitle = some.size() > 1 ? first.matrix_name + ", " + first.device_name
                                  : name_of_run(first, some) + ", " + first.matrix_name + ", " + first.device_name;
  Lanes lanes(plot, theme);
  double most = 0;
  for (const auto& r : some) {
    const std::vector<std::size_t> drawn = lanes_of(*r, some.size());
    if (some.size() > 1) lanes.head(name_of_run(*r, some));
    for (const std::size_t part : drawn) lanes.lane(*r, part);
    if (drawn.size() < r->parts.size())
      plot.foot.push_back("The " + std::to_string(drawn.size()) + " slowest of " + std::to_string(r->parts.size()) +
                          " GPUs; the numbers have all.");
    for (const PartResult& p : r->parts) most = std::max({most, p.time_us, p.link_us});
    add_numbers(plot, *r, solves);
  }
  // The legend has the order of the work, whichever GPU has it first.
  const auto place = [](const Series& s) {
    return std::find_if(std::begin(kWorks), std::end(kWorks), [&](const Work* w) { return s.name == w->name; });
  };
  std::stable_sort(plot.series.begin(), plot.series.end(),
                   [&](const Series& a, const Series& b) { return place(a) < place(b); });
  plot.x.min = 0, plot.x.max = most > 0 ? most * 1.03 : 1;
  plot.y.inverted = true, plot.y.min = -0.6, plot.y.max = static_cast<double>(lanes.rows()) - 0.4;
  plot.foot.push_back("The halo travels while the local product runs; then the product with the halo adds its part.");
  if (solves)
    plot.foot.push_back(
        "Of an iteration, work of one kind stands together: products, then vectors and sums, then "
        "the waiting in sums.");
  return plot;
}

Plot speed_up_figure(const SpeedUps& of, const Theme& theme) {
  Plot plot;
  plot.title = "Speed-up over the number of GPUs";
  plot.subtitle = of.curves.size() == 1 && of.conditions.empty() ? of.curves.front().name : of.conditions;
  plot.x.label = "GPUs";
  plot.x.integers = plot.x.from_one = true;
  plot.y.label = "speed-up";
  plot.y2 = Axis{.label = "efficiency (%), dashed", .min = 0, .max = 105, .categories = {}, .named = {}};
  plot.columns = {"curve", "parts", "speed_up", "efficiency", "time_us", "runs", "run", "provenance"};
  if (of.curves.empty()) return plot;
  const std::size_t shown = std::min(of.curves.size(), kMostSpeedUps);
  double parts = 2, times = 1;
  std::set<Provenance> kinds;
  for (const SpeedUps::Curve& c : of.curves)
    for (const SpeedUps::Point& p : c.points) {
      parts = std::max(parts, p.parts), times = std::max(times, p.times);
      kinds.insert(p.record->time.provenance);
      plot.rows.push_back({c.name, exact(p.parts), exact(p.times), exact(p.efficiency), exact(p.us),
                           std::to_string(p.runs), std::to_string(p.record->id), name_of(p.record->time.provenance)});
    }
  Series ideal;
  ideal.color = theme.muted, ideal.width = 1, ideal.dashed = true, ideal.faint = true, ideal.label = "ideal";
  ideal.x = {1, parts}, ideal.y = {1, parts};
  plot.series.push_back(std::move(ideal));
  for (std::size_t k = 0; k < shown; ++k) add_curve(plot, of.curves[k], k, shown, theme);
  const double room = 0.05 * (parts - 1);
  plot.x.min = 1 - room, plot.x.max = parts + room;
  plot.y.min = 0, plot.y.max = 1.05 * std::max(parts, times);
  plot.y2->max = std::max(
      105.0, 105 * [&] {
        double most = 0;
        for (const SpeedUps::Curve& c : of.curves)
          for (const SpeedUps::Point& p : c.points) most = std::max(most, p.efficiency);
        return most;
      }());
  if (of.curves.size() > shown)
    plot.foot.push_back("The " + std::to_string(shown) + " curves with the largest speed-ups of " +
                        std::to_string(of.curves.size()) + "; the numbers have all.");
  if (of.without_base > 0)
    plot.foot.push_back(std::to_string(of.without_base) + (of.without_base == 1 ? " run has" : " runs have") +
                        " no run of the same on one GPU, and no point.");
  for (const Provenance p : kinds)
    if (p != Provenance::measured) plot.foot.push_back(std::string("Times are ") + name_of(p) + ".");
  return plot;
}

}  // namespace warpspy::plot
