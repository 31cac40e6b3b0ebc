#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/numbers.hpp"
#include "core/model/analysis_parts.hpp"
#include "core/plot/analysis_figures.hpp"
#include "core/plot/text.hpp"
#include "core/run/no_l2.hpp"
#include "core/run/store.hpp"

namespace warpspy::plot {
namespace {

using analysis::Part;

std::string bytes_text(double bytes) {
  const auto [value, unit] = scaled_bytes(bytes);
  return significant(value, 3) + " " + unit;
}

// One path of loads to the SM: through L1, through a texture cache, or past both.
struct Way {
  std::string cache;  // name of the box; empty: none
  Part bytes, hits;   // out of that cache, and its hit rate
  Part l2_bytes, l2_hits;
};

struct Flow {
  std::vector<Way> ways;
  Part stores, dram_reads, dram_writes;
  bool l2 = true;  // false: the GPU has none, and the SMs ask DRAM
};

Part less(const Part& a, const Part& b) {
  return analysis::combine({a, b}, [&] { return std::max(0.0, *a - *b); });
}

// The rate of the rest, when a part with its own rate is subtracted.
Part rate_of_rest(const Part& all, const Part& rate, const Part& part, const Part& part_rate) {
  return analysis::combine({all, rate, part, part_rate}, [&] {
    return std::clamp((*all * *rate - *part * *part_rate) / (*all - *part), 0.0, 100.0);
  });
}

Flow flow_of(const RunRecord* run) {
  using analysis::counter;
  Flow f;
  f.stores = counter(run, "l2_store_bytes");
  f.dram_reads = counter(run, "dram_read_bytes"), f.dram_writes = counter(run, "dram_write_bytes");
  f.l2 = f.stores.reason != no_l2_reason;
  Way l1{"L1", counter(run, "l1_load_bytes"), counter(run, "l1_hit_rate"), counter(run, "l2_load_bytes"),
         counter(run, "l2_hit_rate")};
  const Part texture = counter(run, "texture_load_bytes");
  if (texture && *texture > 0) {
    const Way tex{"Texture", texture, counter(run, "texture_hit_rate"), counter(run, "l2_texture_load_bytes"),
                  counter(run, "l2_texture_hit_rate")};
    l1.hits = rate_of_rest(l1.bytes, l1.hits, tex.bytes, tex.hits);
    l1.bytes = less(l1.bytes, tex.bytes);
    l1.l2_hits = rate_of_rest(l1.l2_bytes, l1.l2_hits, tex.l2_bytes, tex.l2_hits);
    l1.l2_bytes = less(l1.l2_bytes, tex.l2_bytes);
    f.ways = {l1, tex};
  } else {
    f.ways = {l1};
  }
  // Loads that no cache of the SM serves go past it.
  if (f.ways[0].bytes && *f.ways[0].bytes == 0) f.ways[0].cache.clear();
  return f;
}

// Of the picture for narrow pages: 100 wide, data flows upwards. Loads are on the left, stores on the right.
constexpr double kTallRun = 33, kTallLoads = 6, kTallStores = 58, kTallRoom = 40;
constexpr double kTallSm = 4.6, kTallL1 = 12.6, kTallL2 = 19.6, kTallDram = 26.6;  // tops of the boxes
constexpr double kTallBox = 2.2, kTallBoxOfTwo = 3.6;                              // their heights

// Positions of the boxes. The picture is 100 units wide.
constexpr double kBox = 12, kStep = (100 - kBox) / 3, kRun = 34;
constexpr double kSm = 0, kL1At = kStep, kL2At = 2 * kStep, kDramAt = 3 * kStep;

// A line between two points in the wide picture, and the same in the tall one.
struct Route {
  Point from, to, tall_from, tall_to;
  double tall_room = kTallRoom;
};

class Chart {
 public:
  Chart(Plot& plot, double most) : plot_(plot), wide_(*plot.diagram), tall_(*plot.tall), most_(most) {}

  void run(const RunRecord& r, const Flow& f, const Flow* first, std::size_t place) {
    run_ = &r, flow_ = &f, first_ = first;
    top_ = kRun * static_cast<double>(place), tall_top_ = kTallRun * static_cast<double>(place);
    const std::string number = r.id ? "#" + run_number(r) + "  " : "";
    const Diagram::Heading heading{
        {0, top_ + 3},
        number + (r.kernel_label.empty() ? r.request.kernel : r.kernel_label),
        r.matrix_name + ", " + name_of(r.request.precision) + ", " + r.device_name + ", " + name_of(r.provenance)};
    wide_.headings.push_back(heading);
    tall_.headings.push_back({{0, tall_top_ + 1.2}, heading.text, heading.note});
    const std::string time = significant(r.time.value, 3) + " \xC2\xB5s", speed = significant(r.gflops.value, 3);
    const std::string once = bytes_text(r.minimum_bytes.value);
    box(kSm, 6, 26, "SM", {time, speed, "GFLOP/s"}, kCompute);
    if (f.l2) box(kL2At, 6, 26, "L2", {}, kL2);
    box(kDramAt, 6, 26, "DRAM", {"arrays once", once}, kDram);
    tall_box({0, kTallSm, 100, kTallBoxOfTwo}, "SM", {time + ", " + speed + " GFLOP/s"}, kCompute);
    if (f.l2) tall_box({0, kTallL2, 100, kTallBox}, "L2", {}, kL2);
    tall_box({0, kTallDram, 100, kTallBoxOfTwo}, "DRAM", {"every array once: " + once}, kDram);
    const bool two = f.ways.size() > 1;
    for (std::size_t k = 0; k < f.ways.size(); ++k) way(k, two);
    // With two paths of loads, stores get less room.
    const double stores = two ? 74 : kTallStores, room = two ? 26 : kTallRoom;
    const double sm = kTallSm + kTallBoxOfTwo, l2 = kTallL2 + kTallBox;
    if (!f.l2) {
      const bool cached = !f.ways[0].cache.empty();
      band("DRAM reads",
           route({kDramAt, 13}, {(cached ? kL1At : kSm) + kBox, 13}, {kTallLoads, kTallDram},
                 {kTallLoads, cached ? kTallL1 + kTallBox : sm}),
           f.dram_reads, first ? &first->dram_reads : nullptr, {}, kDram);
      band("DRAM writes", route({kSm + kBox, 28.5}, {kDramAt, 28.5}, {stores, sm}, {stores, kTallDram}, room),
           f.dram_writes, first ? &first->dram_writes : nullptr, {}, kDram);
      return;
    }
    band("stores", route({kSm + kBox, 28.5}, {kL2At, 28.5}, {stores, sm}, {stores, kTallL2}, room), f.stores,
         first ? &first->stores : nullptr, {}, kL2);
    band("DRAM reads", route({kDramAt, 13}, {kL2At + kBox, 13}, {kTallLoads, kTallDram}, {kTallLoads, l2}),
         f.dram_reads, first ? &first->dram_reads : nullptr, {}, kDram);
    band("DRAM writes", route({kL2At + kBox, 28.5}, {kDramAt, 28.5}, {kTallStores, l2}, {kTallStores, kTallDram}),
         f.dram_writes, first ? &first->dram_writes : nullptr, {}, kDram);
  }
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  void box(double x, double y, double h, const char* title, std::vector<std::string> lines, Color c) {
    wide_.boxes.push_back({{x, top_ + y, kBox, h}, title, std::move(lines), c});
  }
  void tall_box(Rect at, const char* title, std::vector<std::string> lines, Color c) {
    at.y += tall_top_;
    tall_.boxes.push_back({at, title, std::move(lines), c});
  }
  // The path of this run, in coordinates of its part of the picture.
  Route route(Point from, Point to, Point tall_from, Point tall_to, double tall_room = kTallRoom) const {
    return {{from.x, top_ + from.y},
            {to.x, top_ + to.y},
            {tall_from.x, tall_top_ + tall_from.y},
            {tall_to.x, tall_top_ + tall_to.y},
            tall_room};
  }

  void way(std::size_t k, bool two) {
    const Way& w = flow_->ways[k];
    const Way* before =
        first_ && k < first_->ways.size() && first_->ways[k].cache == w.cache ? &first_->ways[k] : nullptr;
    const double y = two ? (k == 0 ? 9.5 : 18.5) : 13, h = two ? 7.5 : 16;
    const double left = k == 0 ? 0 : 36, x = left + kTallLoads, room = two ? 28 : kTallRoom;
    const double sm = kTallSm + kTallBoxOfTwo, l1 = kTallL1 + kTallBox;
    if (w.cache.empty()) {
      if (!flow_->l2) return;  // what DRAM brings goes to the SM
      band("loads past L1", route({kL2At, y}, {kSm + kBox, y}, {x, kTallL2}, {x, sm}, room), w.l2_bytes,
           before ? &before->l2_bytes : nullptr, w.l2_hits, kL2);
      return;
    }
    box(kL1At, two ? y - h / 2 : 6, h, w.cache.c_str(), {}, kL1);
    tall_box({left, kTallL1, two ? 34.0 : 46.0, kTallBox}, w.cache.c_str(), {}, kL1);
    band(w.cache + " loads", route({kL1At, y}, {kSm + kBox, y}, {x, kTallL1}, {x, sm}, room), w.bytes,
         before ? &before->bytes : nullptr, w.hits, kL1);
    if (!flow_->l2) return;
    band("L2 loads for " + w.cache, route({kL2At, y}, {kL1At + kBox, y}, {x, kTallL2}, {x, l1}, room), w.l2_bytes,
         before ? &before->l2_bytes : nullptr, w.l2_hits, kL2);
  }

  void band(const std::string& what, const Route& route, const Part& bytes, const Part* before, const Part& hits,
            Color color) {
    Diagram::Arrow a;
    a.from = route.from, a.to = route.to, a.color = color, a.id = run_->id;
    // Hit rates are written below the band, unless it does not begin at a cache.
    const bool cached = hits || !hits.reason.empty();
    if (bytes) {
      const double gbs = *bytes / run_->time.value * 1e-3;
      a.share = most_ > 0 ? *bytes / most_ : 0;
      a.fill = fill_of(bytes.provenance);
      std::string against;
      if (before && *before && **before > 0) {
        const double change = 100 * (*bytes / **before - 1);
        against = std::abs(change) < 0.05
                      ? "same bytes"
                      : (change < 0 ? "\xE2\x88\x92" : "+") + significant(std::abs(change), 2) + " %";
      }
      a.above = {bytes_text(*bytes)};
      const std::string rate = run_->time.value > 0 ? significant(gbs, 3) + " GB/s" : "";
      a.below = {against.empty() ? rate : against};
      if (cached && hits) a.below.insert(a.below.begin(), "hit " + significant(*hits, 3) + " %");
      // For a warm product that fits in L2: explains why DRAM has 0 bytes.
      if (what == "DRAM reads" && *bytes == 0) a.below = {"all in L2"};
      a.tooltip = what + "\n" + a.above[0] + " (" + name_of(bytes.provenance) + ")";
      for (const std::string& s : a.below) a.tooltip += "\n" + s;
      if (!against.empty()) a.tooltip += " against the first run\n" + rate;
    } else {
      a.missing = true;
      a.above = {"unavailable"};
      a.tooltip = what + "\nunavailable: " + bytes.reason;
      if (std::find(reasons_.begin(), reasons_.end(), bytes.reason) == reasons_.end()) reasons_.push_back(bytes.reason);
    }
    const std::string id = run_->id ? std::to_string(run_->id) : "";
    plot_.rows.push_back({id, run_->request.kernel, run_->matrix_name, run_->device_name, what,
                          bytes ? exact(*bytes) : "",
                          bytes && run_->time.value > 0 ? exact(*bytes / run_->time.value * 1e-3) : "",
                          hits ? exact(*hits) : "", bytes ? name_of(bytes.provenance) : "unavailable", bytes.reason});
    wide_.arrows.push_back(a);
    a.from = route.tall_from, a.to = route.tall_to, a.room = route.tall_room;
    tall_.arrows.push_back(std::move(a));
  }

  Plot& plot_;
  Diagram &wide_, &tall_;
  double most_;
  const RunRecord* run_ = nullptr;
  const Flow *flow_ = nullptr, *first_ = nullptr;
  double top_ = 0, tall_top_ = 0;  // where the run's part begins
  std::vector<std::string> reasons_;
};

}  // namespace

Plot memory_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Theme&) {
  constexpr std::size_t kMost = 3;
  Plot plot;
  plot.title = "Memory chart";
  plot.legend = false;
  plot.columns = {"run", "kernel", "matrix", "device", "flow", "bytes", "gbs", "hit_rate", "provenance", "reason"};
  plot.diagram = plot.tall = Diagram{};
  std::vector<std::shared_ptr<const RunRecord>> shown;
  for (const auto& r : runs)
    if (r && r->status == RunStatus::ok && shown.size() < kMost) shown.push_back(r);
  plot.diagram->width = 100;
  plot.diagram->height = kRun * static_cast<double>(std::max<std::size_t>(1, shown.size()));
  plot.tall->width = 100;
  plot.tall->height = kTallRun * static_cast<double>(std::max<std::size_t>(1, shown.size()));
  if (shown.empty()) {
    plot.subtitle = "no run";
    return plot;
  }
  std::vector<Flow> flows;
  double most = 0;
  bool modelled = false;
  const auto see = [&](const Part& p) {
    if (!p) return;
    most = std::max(most, *p);
    modelled = modelled || p.provenance == Provenance::modelled;
  };
  for (const auto& r : shown) {
    flows.push_back(flow_of(r.get()));
    for (const Way& w : flows.back().ways) see(w.bytes), see(w.l2_bytes);
    see(flows.back().stores), see(flows.back().dram_reads), see(flows.back().dram_writes);
  }
  plot.subtitle = "bytes of one product between the levels; bands as wide as their bytes";
  if (modelled) plot.subtitle += "; outlined: modelled";
  Chart chart(plot, most);
  for (std::size_t k = 0; k < shown.size(); ++k) chart.run(*shown[k], flows[k], k > 0 ? &flows[0] : nullptr, k);
  if (shown.size() > 1) plot.foot.push_back("in percent without a word: difference to the bytes of the first run");
  for (const std::string& reason : chart.reasons()) plot.foot.push_back("unavailable: " + reason);
  return plot;
}

}  // namespace warpspy::plot
