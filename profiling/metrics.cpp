#include "profiling/metrics.hpp"

#include <algorithm>

namespace warpspy {
namespace {

using Value = std::optional<double>;

Value share_of(double part, double whole) {
  if (!(whole > 0)) return std::nullopt;
  return 100 * part / whole;
}

constexpr const char* no_l1 = "no load of this run goes through a cache of the SM on this GPU";
constexpr const char* no_l2 = "this GPU has no L2 cache for global memory";
constexpr const char* no_load = "the run loads nothing";
constexpr const char* no_l2_texture = "this GPU has no L2 cache below a texture cache apart from L1, or no load goes there";
constexpr const char* no_texture = "no load of this run goes through a texture cache apart from L1 on this GPU";

}  // namespace

const std::vector<MetricRow>& metrics() {
  static const std::vector<MetricRow> table = {
      {{"requests", "Requests", "1", "Memory instructions of warps (on GT200: of half-warps).", Level::none},
       [](const Simulation& s, const GpuSpec&) { return Value(s.requests); }},
      {{"sectors", "Sectors", "1", "32-byte sectors that the requests touch.", Level::l1},
       [](const Simulation& s, const GpuSpec&) { return Value(s.sectors); }},
      {{"sectors_per_request", "Sectors per request", "1",
        "sectors / requests. 4 for 32 neighbouring 4-byte values, 8 for 8-byte values, up to 32 for scattered lanes.",
        Level::l1},
       [](const Simulation& s, const GpuSpec&) { return s.requests > 0 ? Value(s.sectors / s.requests) : Value(); },
       no_load},
      {{"active_lanes", "Active lanes", "1",
        "Mean number of lanes, of 32, that take part in a memory or warp-wide instruction.", Level::none},
       [](const Simulation& s, const GpuSpec&) {
         return s.warp_steps > 0 ? Value(s.lane_steps / s.warp_steps) : Value();
       },
       no_load},
      {{"warps_per_sm", "Resident warps per SM", "1",
        "Warps that an SM holds at a time: limited by threads, blocks and shared memory, and by the size of the grid.",
        Level::none},
       [](const Simulation& s, const GpuSpec& gpu) {
         const double grid_warps = static_cast<double>(s.shape.grid) * ((s.shape.block + 31) / 32);
         return Value(std::min<double>(s.occupancy.warps, grid_warps / gpu.sm_count));
       }},
      {{"occupancy", "Occupancy", "%", "Warps that fit on an SM for this block / the most that the SM can hold.",
        Level::none},
       [](const Simulation& s, const GpuSpec&) { return Value(100 * s.occupancy.share); }},
      {{"l1_hit_rate", "L1 hit rate", "%",
        "Sectors of loads found in the SM's cache (L1, or texture cache) / sectors looked up there.", Level::l1},
       [](const Simulation& s, const GpuSpec&) { return share_of(s.l1_hits, s.l1_lookups); },
       no_l1},
      {{"l2_hit_rate", "L2 hit rate", "%", "Sectors of loads from the SMs that L2 held / sectors they asked of it.",
        Level::l2},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? share_of(s.l2_load_hits, s.l2_loads) : Value(); },
       no_l2},
      {{"l1_bytes", "L1 bytes", "B", "32 x sectors at the SMs' door: loads, stores and atomics.", Level::l1},
       [](const Simulation& s, const GpuSpec&) { return s.l1_lookups > 0 ? Value(s.sectors * sector_size) : Value(); },
       no_l1},
      {{"l2_bytes", "L2 bytes", "B", "32 x sectors between the SMs and L2, both ways.", Level::l2},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? Value(s.l2_sectors * sector_size) : Value(); },
       no_l2},
      {{"dram_read_bytes", "DRAM bytes read", "B",
        "What L2 fetches, in pieces of the GPU's smallest DRAM read; partly written sectors are fetched too.",
        Level::dram},
       [](const Simulation& s, const GpuSpec&) { return Value(s.dram_read_bytes); }},
      {{"dram_write_bytes", "DRAM bytes written", "B", "Sectors written back, those still in L2 at the end included.",
        Level::dram},
       [](const Simulation& s, const GpuSpec&) { return Value(s.dram_write_bytes); }},
      {{"dram_bytes", "DRAM bytes", "B", "dram_read_bytes + dram_write_bytes.", Level::dram},
       [](const Simulation& s, const GpuSpec&) { return Value(s.dram_read_bytes + s.dram_write_bytes); }},
      {{"l1_load_bytes", "L1 bytes loaded", "B",
        "32 x sectors of loads looked up in the SM's caches (L1, and the texture cache where it is apart).", Level::l1},
       [](const Simulation& s, const GpuSpec&) { return Value(s.l1_lookups * sector_size); }},
      {{"l2_load_bytes", "L2 bytes loaded", "B", "32 x sectors of loads that the SMs asked of L2.", Level::l2},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? Value(s.l2_loads * sector_size) : Value(); },
       no_l2},
      {{"l2_store_bytes", "L2 bytes stored", "B", "32 x sectors of stores and atomics from the SMs.", Level::l2},
       [](const Simulation& s, const GpuSpec&) {
         return s.has_l2 ? Value((s.l2_sectors - s.l2_loads) * sector_size) : Value();
       },
       no_l2},
      {{"texture_load_bytes", "Texture bytes loaded", "B",
        "32 x sectors of loads looked up in a texture cache that is apart from L1.", Level::l1},
       [](const Simulation& s, const GpuSpec&) {
         return s.texture_lookups > 0 ? Value(s.texture_lookups * sector_size) : Value();
       },
       no_texture},
      {{"texture_hit_rate", "Texture hit rate", "%", "Sectors found in the texture cache / sectors looked up there.",
        Level::l1},
       [](const Simulation& s, const GpuSpec&) { return share_of(s.texture_hits, s.texture_lookups); },
       no_texture},
      {{"l2_texture_load_bytes", "L2 bytes for texture", "B", "32 x sectors that the texture cache asked of L2.",
        Level::l2},
       [](const Simulation& s, const GpuSpec&) {
         return s.has_l2 && s.texture_lookups > 0 ? Value(s.l2_texture_loads * sector_size) : Value();
       },
       no_l2_texture},
      {{"l2_texture_hit_rate", "L2 hit rate for texture", "%",
        "Sectors that L2 held / sectors that the texture cache asked of it.", Level::l2},
       [](const Simulation& s, const GpuSpec&) {
         return s.has_l2 ? share_of(s.l2_texture_load_hits, s.l2_texture_loads) : Value();
       },
       no_l2_texture},
      {{"divergence", "Divergence", "%", "Idle lanes: 1 - active lanes / 32.", Level::none},
       [](const Simulation& s, const GpuSpec&) {
         return s.warp_steps > 0 ? Value(100 * (1 - s.lane_steps / s.warp_steps / 32)) : Value();
       },
       no_load},
  };
  return table;
}

std::vector<Counter> modelled_counters(const Simulation& s, const GpuSpec& gpu) {
  std::vector<Counter> counters;
  for (const MetricRow& m : metrics()) {
    Counter c;
    c.id = m.info.id;
    c.unit = m.info.unit;
    c.value = m.modelled(s, gpu);
    if (!c.value) {
      c.reason = m.missing;
      c.remedy = "choose another simulated GPU, or a cache policy that uses this cache";
    }
    counters.push_back(std::move(c));
  }
  return counters;
}

std::vector<Counter> unavailable_counters(const std::string& reason, const std::string& remedy) {
  std::vector<Counter> counters;
  for (const MetricRow& m : metrics()) {
    Counter c;
    c.id = m.info.id;
    c.unit = m.info.unit;
    c.reason = reason;
    c.remedy = remedy;
    counters.push_back(std::move(c));
  }
  return counters;
}

}  // namespace warpspy
