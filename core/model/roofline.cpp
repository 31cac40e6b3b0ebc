#include "core/model/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <utility>

namespace warpspy {
namespace {

// If every roof is used less than this share, no bandwidth limits the run.
constexpr double bound_share = 0.6;

const char* name_of_level(Level level) {
  const auto* at = std::find_if(std::begin(memory_levels), std::end(memory_levels),
                                [&](const MemoryLevel& l) { return l.level == level; });
  return at == std::end(memory_levels) ? "compute" : at->name;
}

std::string with_digits(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, value < 10 ? "%.2g %s" : "%.0f %s", value, unit);
  return text;
}

const Roof* find_roof(const std::vector<Roof>& roofs, Level level) {
  const auto at = std::find_if(roofs.begin(), roofs.end(), [&](const Roof& r) { return r.level == level; });
  return at == roofs.end() ? nullptr : &*at;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
  return text;
}

// Adds the highest of these measured figures as a roof; adds nothing if none was measured.
void add_roof(std::vector<Roof>& to, const MeasuredRoofs& m, Level level, const char* name,
              std::initializer_list<const char*> ids, const char* unit) {
  const MeasuredFigure* best = nullptr;
  for (const char* id : ids)
    if (const MeasuredFigure* f = m.figure(id); f && (!best || f->value > best->value)) best = f;
  if (!best) return;
  char text[64];
  std::snprintf(text, sizeof text, "%s %.0f %s", name, best->value, unit);
  to.push_back({level, text, best->value, Provenance::measured, m.origin() + ": " + best->how});
}

// A point with the name of its roof, which may be the ceiling.
struct Placed {
  RooflinePoint point;
  std::string roof;  // "DRAM", "compute"
  double share = 0;  // share of that roof; 0: no roof
  bool minimum = false;
};

Placed place(const RunRecord& run, const std::vector<Roof>& roofs, Level level, double flops, double bytes,
             Provenance provenance) {
  const double seconds = run.time.value * 1e-6;
  Placed p;
  p.point.run = run.id;
  p.point.level = level;
  p.point.intensity = flops / bytes;
  p.point.gflops = flops / seconds * 1e-9;
  p.point.gbs = bytes / seconds * 1e-9;
  p.point.provenance = provenance;
  const Roof* slope = find_roof(roofs, level);
  if (!slope) return p;
  const Roof* ceiling = find_roof(roofs, Level::compute);
  const double by_slope = p.point.intensity * slope->value;
  const bool flat = ceiling && ceiling->value < by_slope;
  p.point.roof_gflops = flat ? ceiling->value : by_slope;
  p.roof = flat ? "compute" : name_of_level(level);
  p.share = p.point.roof_gflops > 0 ? p.point.gflops / p.point.roof_gflops : 0;
  return p;
}

// All points of a run have the same sentence, so they cannot contradict each other.
std::string limit_of(const Placed& lowest) {
  if (lowest.roof.empty()) return "no roof is known for this device";
  const std::string share = percent(lowest.share) + " of the " + lowest.roof + " roof";
  if (lowest.share > 1.0005) return "above the " + lowest.roof + " roof (" + share + "): a cache served part of it";
  if (lowest.share < bound_share) return "below every roof: " + share;
  return lowest.roof + (lowest.roof == "compute" ? " peak: " : " bandwidth: ") + share;
}

}  // namespace

std::vector<Roof> roofs_of(const GpuSpec& gpu, Precision precision) {
  const auto source = [&](const char* figure) {
    const auto at = gpu.sources.find(figure);
    return at == gpu.sources.end() ? std::string() : at->second;
  };
  std::vector<Roof> roofs;
  const auto add = [&](Level level, const char* name, double value, const char* unit, std::string from) {
    if (value <= 0) return;
    roofs.push_back(
        {level, name + std::string(" ") + with_digits(value, unit), value, Provenance::modelled, std::move(from)});
  };
  const double l1 = gpu.l1_bytes_per_clock_per_sm * gpu.sm_count * gpu.clock_mhz * 1e-3;
  add(Level::l1, "L1", l1, "GB/s", source("l1_bytes_per_clock_per_sm"));
  add(Level::l2, "L2", gpu.l2_gbs, "GB/s", source("l2_gbs"));
  add(Level::dram, "DRAM", gpu.dram_gbs, "GB/s", source("dram_gbs"));
  const bool f32 = precision == Precision::f32;
  add(Level::compute, f32 ? "f32 peak" : "f64 peak", f32 ? gpu.peak_f32_gflops : gpu.peak_f64_gflops, "GFLOP/s",
      source(f32 ? "peak_f32_gflops" : "peak_f64_gflops"));
  return roofs;
}

// Measured roofs come first, since a point uses the first roof of its level. Shared memory has no roof here: no run has
// a point on it, and if it is one unit with L1 the two roofs coincide.
std::vector<Roof> roofs_of(const GpuSpec& gpu, Precision precision, const MeasuredRoofs* measured) {
  std::vector<Roof> sheet = roofs_of(gpu, precision);
  if (!measured) return sheet;
  const MeasuredRoofs& m = *measured;
  const bool f32 = precision == Precision::f32;
  std::vector<Roof> roofs;
  add_roof(roofs, m, Level::l1, "L1", {"l1_read"}, "GB/s");
  add_roof(roofs, m, Level::l2, "L2", {"l2_read"}, "GB/s");
  add_roof(roofs, m, Level::dram, "DRAM", {"dram_read", "dram_copy", "dram_triad"}, "GB/s");
  add_roof(roofs, m, Level::compute, f32 ? "f32 peak" : "f64 peak", {f32 ? "fma_f32" : "fma_f64"}, "GFLOP/s");
  for (Roof& r : sheet) {
    const bool beside = std::any_of(roofs.begin(), roofs.end(), [&](const Roof& o) { return o.level == r.level; });
    if (beside) r.label = "data sheet " + r.label;
    roofs.push_back(std::move(r));
  }
  return roofs;
}

std::optional<double> flops_of(const RunRecord& run, FlopCount count) {
  // The useful flops of the run: 2 nnz for a product, another number for an axpy.
  if (count == FlopCount::useful) return run.gflops.value * run.time.value * 1e3;
  const Quantity* executed = run.detail("executed_flops");
  return executed ? std::optional<double>(executed->value) : std::nullopt;
}

std::vector<ByteCount> byte_counts(const RunRecord& run, FlopCount count) {
  const auto flops = flops_of(run, count);
  if (run.status != RunStatus::ok || !flops || !(*flops > 0)) return {};
  std::vector<ByteCount> counts;
  const auto add = [&](const char* id, const char* label, const char* source, const Quantity* q) {
    if (q && q->value > 0) counts.push_back({id, label, source, q->value, *flops / q->value});
  };
  add("minimum", "minimum", "Reguly & Giles 2012, equation 4: each array once", &run.minimum_bytes);
  add("effective", "effective", "Reguly & Giles 2012, equation 2: every access of x counts, no cache",
      run.detail("effective_bytes"));
  add("caching", "caching", "Reguly & Giles 2012, section 5.5: each block loads every line it touches once",
      run.detail("caching_bytes"));
  add("table1", "Table 1", "Bell & Garland 2008, Table 1: bytes per flop of the format", run.detail("table1_bytes"));
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  return counts;
}

std::vector<RooflinePoint> roofline_points(const RunRecord& run, const std::vector<Roof>& roofs, FlopCount count) {
  if (run.status != RunStatus::ok || !(run.gflops.value > 0) || !(run.time.value > 0)) return {};
  if (!run.parts.empty()) return {};  // the roofs are those of one GPU
  const auto flops = flops_of(run, count);
  if (!flops) return {};
  std::vector<Placed> placed;
  for (const MemoryLevel& level : memory_levels) {
    const Counter* c = run.counter(level.counter);
    if (c && c->value) {
      if (*c->value > 0) placed.push_back(place(run, roofs, level.level, *flops, *c->value, c->provenance));
      continue;
    }
    if (level.level != Level::dram || !(run.minimum_bytes.value > 0)) continue;
    // A measured time divided by computed bytes is derived; a modelled time stays modelled.
    const Provenance from = run.time.provenance == Provenance::modelled ? Provenance::modelled : Provenance::derived;
    placed.push_back(place(run, roofs, level.level, *flops, run.minimum_bytes.value, from));
    placed.back().minimum = true;
  }
  const auto lowest = std::max_element(placed.begin(), placed.end(),
                                       [](const Placed& a, const Placed& b) { return a.share < b.share; });
  std::vector<RooflinePoint> points;
  for (const Placed& p : placed) {
    points.push_back(p.point);
    std::string& limit = points.back().limit;
    limit = limit_of(*lowest);
    if (&p != &*lowest && !p.roof.empty()) limit += "; here " + percent(p.share) + " of the " + p.roof + " roof";
    if (p.minimum) limit += "; bytes are the minimum, each array once, not counted";
  }
  return points;
}

}  // namespace warpspy
