#include <algorithm>
#include <array>
#include <memory>

#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"
#include "core/plot/warp_figure.hpp"

namespace warpspy::plot {
namespace {

// No screen has more pixels for them.
constexpr std::size_t axis_columns = 2048;
// pixel rows for each warp; the last one stays empty to separate the warps
constexpr std::size_t lines_of_warp = 6;

std::uint32_t axis_pixel(Color c) {
  return 0xff000000u | static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.g) << 8 | c.r;
}

enum class Doing : std::uint8_t { issuing, ready, none, l1, l2, dram, lanes };
struct AxisLook {
  Doing doing;
  const char* name;
  Color color;
};
std::vector<AxisLook> looks(const Theme& theme) {
  return {{Doing::issuing, "issues", theme.ink},
          {Doing::ready, "ready, another one issues", kWarning},
          {Doing::l1, "waits for L1", mix(kL1, theme.ground, 0.45)},
          {Doing::l2, "waits for L2", mix(kL2, theme.ground, 0.45)},
          {Doing::dram, "waits for DRAM", mix(kDram, theme.ground, 0.45)},
          {Doing::lanes, "waits for its lanes", mix(kShared, theme.ground, 0.45)}};
}
Doing doing_of(SmWait wait) {
  constexpr Doing of[] = {Doing::none, Doing::l1, Doing::l2, Doing::dram, Doing::lanes};
  return of[static_cast<int>(wait)];
}

// A pixel mixes the colours of what its warp does in that time, by their shares. If the warp issues once in that time,
// the pixel shows it, even if its share is tiny. If it issues more often, the shares decide.
class AxisPicture {
 public:
  AxisPicture(const SmAxis& axis, const Theme& theme)
      : axis_(axis),
        looks_(looks(theme)),
        empty_(theme.panel),
        rgba_(axis_columns * axis.warps.size() * lines_of_warp) {
    std::fill(rgba_.begin(), rgba_.end(), axis_pixel(empty_));
    if (axis.end_ns <= 0) return;
    for (std::size_t w = 0; w < axis.warps.size(); ++w) draw(w);
  }
  Image image() && {
    Image i;
    i.x0 = 0, i.x1 = axis_.end_ns / 1000;
    i.y0 = -0.5, i.y1 = static_cast<double>(axis_.warps.size()) - 0.5;
    i.width = static_cast<int>(axis_columns), i.height = static_cast<int>(axis_.warps.size() * lines_of_warp);
    i.rgba = std::make_shared<const std::vector<std::uint32_t>>(std::move(rgba_));
    return i;
  }

 private:
  // A column of pixels: the share of each colour, and how often the warp begins to issue.
  struct Column {
    std::array<double, 6> share{};
    int issues = 0;
  };

  void draw(std::size_t w) {
    columns_.assign(axis_columns, {});
    double done = 0;
    for (const SmSpan& s : axis_.warps[w].spans) {
      const auto begin = static_cast<double>(s.begin_ns), issued = static_cast<double>(s.issued_ns);
      const auto end = static_cast<double>(s.end_ns);
      add(done, begin, Doing::ready);
      add(begin, issued, Doing::issuing);
      add(issued, end, doing_of(s.wait));
      ++columns_[std::min(axis_columns - 1, static_cast<std::size_t>(column_of(begin)))].issues;
      done = end;
    }
    for (std::size_t c = 0; c < axis_columns; ++c) {
      const std::uint32_t pixel = axis_pixel(color_of(columns_[c]));
      for (std::size_t line = w * lines_of_warp; line < (w + 1) * lines_of_warp - 1; ++line)
        rgba_[line * axis_columns + c] = pixel;
    }
  }

  double column_of(double ns) const { return ns / axis_.end_ns * static_cast<double>(axis_columns); }

  void add(double from_ns, double to_ns, Doing doing) {
    const auto look = std::find_if(looks_.begin(), looks_.end(), [&](const AxisLook& l) { return l.doing == doing; });
    if (look == looks_.end()) return;
    const auto k = static_cast<std::size_t>(look - looks_.begin());
    const double from = column_of(from_ns), to = column_of(to_ns);
    for (auto c = static_cast<std::size_t>(from); c < axis_columns && static_cast<double>(c) < to; ++c)
      columns_[c].share[k] += std::min(to, static_cast<double>(c + 1)) - std::max(from, static_cast<double>(c));
  }

  Color color_of(const Column& column) const {
    if (column.issues == 1) return looks_.front().color;
    double sum = 0, r = 0, g = 0, b = 0;
    const auto take = [&](Color c, double share) {
      sum += share, r += share * c.r, g += share * c.g, b += share * c.b;
    };
    for (std::size_t k = 0; k < looks_.size(); ++k) take(looks_[k].color, column.share[k]);
    take(empty_, std::max(0.0, 1 - sum));
    const auto byte = [&](double v) { return static_cast<std::uint8_t>(std::clamp(v / sum + 0.5, 0.0, 255.0)); };
    Color c = empty_;
    c.r = byte(r), c.g = byte(g), c.b = byte(b);
    return c;
  }

  const SmAxis& axis_;
  std::vector<AxisLook> looks_;
  Color empty_;
  std::vector<Column> columns_;
  std::vector<std::uint32_t> rgba_;
};

std::string name_of_warp(const SmWarp& w) { return "warp " + std::to_string(w.warp) + " of block " + grouped(w.block); }

std::string moment_text(const SmAxis& axis, double ns) {
  const SmMoment m = moment_of(axis, ns);
  std::string text = std::to_string(m.issuing) + " issuing, " + std::to_string(m.ready) + " ready";
  for (int i = 1; i < sm_waits; ++i)
    if (const int n = m.waiting[static_cast<std::size_t>(i)])
      text += ", " + std::to_string(n) + " waiting for " + name_of(static_cast<SmWait>(i));
  return text + (m.done ? ", " + std::to_string(m.done) + " done" : "");
}

}  // namespace

double time_of_step(const WarpTrace& w, std::size_t step) {
  std::uint64_t requests = 0;
  for (std::size_t i = 0; i < std::min(step, w.steps.size()); ++i) requests += w.steps[i].requests;
  return time_of_request(w.axis, requests);
}

Plot sm_axis_figure(const WarpTrace& w, std::size_t step, const Theme& theme, bool rows) {
  Plot plot;
  const SmAxis& axis = w.axis;
  plot.title = "The warps that share an SM with " + name_of_warp({w.place.block, w.place.warp, {}});
  plot.subtitle = w.kernel_label + " on " + w.gpu + ", modelled";
  plot.columns = {"block", "warp", "begin_ns", "issued_ns", "end_ns", "requests", "waits_for", "provenance"};
  plot.x.label = "time (\xC2\xB5s), modelled";
  plot.x.max = std::max(1e-3, axis.end_ns / 1000);
  plot.y.label = "warps of the SM";
  plot.y.inverted = plot.y.integers = true;
  plot.y.min = -0.5, plot.y.max = std::max(1.0, static_cast<double>(axis.warps.size())) - 0.5;
  if (axis.empty()) {
    plot.foot.emplace_back("no warp of this SM was looked at");
    return plot;
  }
  plot.images.push_back(AxisPicture(axis, theme).image());
  for (const AxisLook& look : looks(theme)) {
    Series key;
    key.kind = Series::Kind::points;
    key.mark = Mark::square;
    key.width = 5;
    key.name = look.name;
    key.color = look.color;
    plot.series.push_back(std::move(key));
  }
  for (const double edge : {-0.5, 0.5}) {  // around this warp
    if (axis.watched < 0) break;
    Series side;
    side.kind = Series::Kind::hline;
    side.y = {axis.watched + edge};
    side.color = kError;
    if (edge < 0) side.name = "this warp";
    plot.series.push_back(std::move(side));
  }
  if (const double ns = time_of_step(w, step); ns >= 0) {
    Series now;
    now.kind = Series::Kind::vline;
    now.x = {ns / 1000};
    now.color = theme.ink;
    plot.series.push_back(std::move(now));
    plot.foot.push_back("at step " + grouped(static_cast<index_t>(step)) + ": " + moment_text(axis, ns));
  }
  plot.foot.push_back(counted(static_cast<index_t>(axis.warps.size()), "warp") + " on the SM, " +
                      counted(axis.schedulers, "scheduler") + ": some warp issues " + percent(axis.issuing) +
                      " of the time; while this warp waits, another one issues " + percent(axis.hidden) + " of it");
  plot.foot.emplace_back(
      "modelled: waits are the latencies of the time model; where a bandwidth limits, all of it takes longer");
  if (!rows) return plot;
  for (const SmWarp& warp : axis.warps)
    for (const SmSpan& s : warp.spans)
      plot.rows.push_back({std::to_string(warp.block), std::to_string(warp.warp),
                           exact(static_cast<double>(s.begin_ns)), exact(static_cast<double>(s.issued_ns)),
                           exact(static_cast<double>(s.end_ns)), std::to_string(s.requests), name_of(s.wait),
                           name_of(Provenance::modelled)});
  return plot;
}

}  // namespace warpspy::plot
