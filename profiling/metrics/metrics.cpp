#include "profiling/metrics/metrics.hpp"

#include <algorithm>

#include "core/run/no_l2.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

using Value = std::optional<double>;

Value share_of(double part, double whole) {
  if (!(whole > 0)) return std::nullopt;
  return 100 * part / whole;
}

constexpr const char* no_l1 = "no load of this run goes through a cache of the SM on this GPU";
constexpr const char* no_l2 = no_l2_reason;
constexpr const char* no_load = "the run loads nothing";
constexpr const char* no_l2_texture =
    "this GPU has no L2 cache below a texture cache apart from L1, or no load goes there";
constexpr const char* no_texture = "no load of this run goes through a texture cache apart from L1 on this GPU";

// CUPTI's names, piece by piece. L1: requests of global loads, stores and atomics. L2: requests of the SMs.
// lts__t_sectors alone would also count the traffic between the two partitions of L2.
std::string l1(const std::string& what, const char* operation, const char* found = "") {
  return "l1tex__t_" + what + "_pipe_lsu_mem_global_op_" + operation + found + ".sum";
}
std::string l1_all(const std::string& what) {
  return l1(what, "ld") + " + " + l1(what, "st") + " + " + l1(what, "red") + " + " + l1(what, "atom");
}
std::string l2(const std::string& operation = "", const char* found = "") {
  return "lts__t_sectors_srcunit_tex" + operation + found + ".sum";
}
std::string share(const std::string& part, const std::string& whole) {
  return "100 * (" + part + ") / (" + whole + ")";
}
std::string flops(const char* add, const char* multiply, const char* both) {
  const auto of = [](const char* op) {
    return std::string("smsp__sass_thread_inst_executed_op_") + op + "_pred_on.sum";
  };
  return of(add) + " + " + of(multiply) + " + 2 * " + of(both);
}

constexpr const char* hit = "_lookup_hit";
constexpr const char* miss = "_lookup_miss";
// Of hits and misses, as Nsight Compute has it: the two are counted side by side in one pass. Together they are more
// than look-ups where single sectors of a pair miss: by 12 % for CSR vector on a 27-point Laplacian (H200, cold).
std::string hit_share(const std::vector<std::string>& operations) {
  std::string hits, both;
  for (const std::string& o : operations) {
    hits += (hits.empty() ? "" : " + ") + l2(o, hit);
    both += (both.empty() ? "" : " + ") + l2(o, hit) + " + " + l2(o, miss);
  }
  return share(hits, both);
}

// Counting begins before the launch and ends after it, so only cycles in which an SM works belong to the product.
std::string of_peak(const char* unit) {
  return std::string(unit) +
         "__throughput.avg.pct_of_peak_sustained_elapsed * sm__cycles_elapsed.max / sm__cycles_active.max";
}

// Resident warps of an SM: as many as fit, or all that there are.
double resident_warps(const Simulation& s, const GpuSpec& gpu) {
  const double grid_warps = static_cast<double>(s.shape.grid) * ((s.shape.block + 31) / 32);
  return std::min<double>(s.occupancy.warps, grid_warps / gpu.sm_count);
}

// A metric that only hardware can count.
MetricRow counted(MetricInfo info, std::string cupti) { return {std::move(info), nullptr, "", {std::move(cupti)}}; }
MetricRow stall(const std::string& why, const char* label, const std::string& help) {
  return counted({"stall_" + why, label, "1",
                  "Warps that wait, per instruction issued: " + help +
                      ". The sum of all stalls is a warp's mean time "
                      "between two instructions, in cycles.",
                  Level::none, "full"},
                 "smsp__average_warps_issue_stalled_" + why + "_per_issue_active.ratio");
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<MetricRow>& metrics() {
  static const std::vector<MetricRow> table = {
      {{"requests", "Requests", "1", "Memory instructions of warps (on GT200: of half-warps).", Level::none, "full"},
       [](const Simulation& s, const GpuSpec&) { return Value(s.requests); },
       "",
       {l1_all("requests")}},
      {{"sectors", "Sectors", "1", "32-byte sectors that the requests touch.", Level::l1, "full"},
       [](const Simulation& s, const GpuSpec&) { return Value(s.sectors); },
       "",
       {l1_all("sectors")}},
      {{"sectors_per_request", "Sectors per request", "1",
        "sectors / requests. 4 for 32 neighbouring 4-byte values, 8 for 8-byte values, up to 32 for scattered lanes.",
        Level::l1, "full"},
       [](const Simulation& s, const GpuSpec&) { return s.requests > 0 ? Value(s.sectors / s.requests) : Value(); },
       no_load,
       {"(" + l1_all("sectors") + ") / (" + l1_all("requests") + ")"}},
      {{"active_lanes", "Active lanes", "1",
        "Mean number of lanes, of 32, that take part in a memory or warp-wide instruction. Measured: of all that the "
        "load-store unit executes.",
        Level::none, "full"},
       [](const Simulation& s, const GpuSpec&) {
         return s.warp_steps > 0 ? Value(s.lane_steps / s.warp_steps) : Value();
       },
       no_load,
       {"smsp__thread_inst_executed_pipe_lsu_pred_on.sum / smsp__inst_executed_pipe_lsu.sum"}},
      {{"warps_per_sm", "Resident warps per SM", "1",
        "Warps that an SM holds at a time: as many as fit (theoretical occupancy), or fewer where the grid is too "
        "small "
        "to fill the GPU. Measured: the mean while the SM has any.",
        Level::none, "full"},
       [](const Simulation& s, const GpuSpec& gpu) { return Value(resident_warps(s, gpu)); },
       "",
       {"sm__warps_active.avg.per_cycle_active"}},
      {{"occupancy", "Theoretical occupancy", "%",
        "Warps that fit on an SM for this block / the most that the SM can hold. A small grid reaches less: see "
        "achieved occupancy.",
        Level::none},
       [](const Simulation& s, const GpuSpec&) { return Value(100 * s.occupancy.share); }},
      {{"achieved_occupancy", "Achieved occupancy", "%",
        "Warps resident on an SM while it has any / the most that it can hold.", Level::none, "full"},
       [](const Simulation& s, const GpuSpec& gpu) {
         return Value(100 * resident_warps(s, gpu) * 32 / gpu.max_threads_per_sm);
       },
       "",
       {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
      {{"l1_hit_rate", "L1 hit rate", "%",
        "Sectors of loads found in the SM's cache (L1, or texture cache) / sectors looked up there.", Level::l1,
        "roofline"},
       [](const Simulation& s, const GpuSpec&) { return share_of(s.l1_hits, s.l1_lookups); },
       no_l1,
       {share(l1("sectors", "ld", hit), l1("sectors", "ld"))}},
      {{"l2_hit_rate", "L2 hit rate", "%", "Sectors of loads from the SMs that L2 held / sectors they asked of it.",
        Level::l2, "roofline"},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? share_of(s.l2_load_hits, s.l2_loads) : Value(); },
       no_l2,
       {hit_share({"_op_read"})}},
      {{"l1_bytes", "L1 bytes", "B", "32 x sectors between SMs and L1: loads, stores and atomics.", Level::l1,
        "roofline"},
       [](const Simulation& s, const GpuSpec&) { return s.l1_lookups > 0 ? Value(s.sectors * sector_size) : Value(); },
       no_l1,
       {"32 * (" + l1_all("sectors") + ")"}},
      {{"l2_bytes", "L2 bytes", "B",
        "32 x sectors that L1 passes on, both ways: loads that it misses, stores, atomics.", Level::l2, "roofline"},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? Value(s.l2_sectors * sector_size) : Value(); },
       no_l2,
       // In the same set as the hit rate, L2's own count would need one more pass. The full set has it. On an H200 it
       // is 0 to 2.3 % lower, for CSR scalar up to 6 %.
       {"32 * (" + l1_all("sectors") + " - " + l1("sectors", "ld", hit) + ")", "32 * " + l2()}},
      {{"dram_read_bytes", "DRAM bytes read", "B",
        "What L2 fetches, in pieces of the GPU's smallest DRAM read; partly written sectors are fetched too, and check "
        "bits where ECC keeps them in this memory.",
        Level::dram, "quick"},
       [](const Simulation& s, const GpuSpec&) { return Value(s.dram_read_bytes); },
       "",
       {"dram__bytes_read.sum", "dram__bytes_op_read.sum"}},
      {{"dram_write_bytes", "DRAM bytes written", "B",
        "Sectors written back. Modelled: those still in L2 at the end included. Measured: those that left L2 "
        "meanwhile.",
        Level::dram, "quick"},
       [](const Simulation& s, const GpuSpec&) { return Value(s.dram_write_bytes); },
       "",
       {"dram__bytes_write.sum", "dram__bytes_op_write.sum"}},
      {{"dram_bytes", "DRAM bytes", "B", "dram_read_bytes + dram_write_bytes.", Level::dram, "quick"},
       [](const Simulation& s, const GpuSpec&) { return Value(s.dram_read_bytes + s.dram_write_bytes); },
       "",
       {"dram__bytes_read.sum + dram__bytes_write.sum", "dram__bytes_op_read.sum + dram__bytes_op_write.sum"}},

      counted({"l1_load_requests", "L1 load requests", "1", "Loads from global memory, by warp.", Level::l1, "full"},
              l1("requests", "ld")),
      counted({"l1_load_sectors", "L1 load sectors", "1", "Sectors that loads touch.", Level::l1, "full"},
              l1("sectors", "ld")),
      counted({"l1_store_requests", "L1 store requests", "1", "Stores to global memory, by warp.", Level::l1, "full"},
              l1("requests", "st")),
      counted({"l1_store_sectors", "L1 store sectors", "1", "Sectors that stores touch.", Level::l1, "full"},
              l1("sectors", "st")),
      counted({"l1_store_hit_rate", "L1 hit rate of stores", "%", "Sectors of stores that L1 held.", Level::l1, "full"},
              share(l1("sectors", "st", hit), l1("sectors", "st"))),
      counted({"l1_atomic_requests", "L1 atomic requests", "1",
               "Atomic operations on global memory, with or without a result, by warp.", Level::l1, "full"},
              l1("requests", "red") + " + " + l1("requests", "atom")),
      counted(
          {"l1_atomic_sectors", "L1 atomic sectors", "1", "Sectors that atomic operations touch.", Level::l1, "full"},
          l1("sectors", "red") + " + " + l1("sectors", "atom")),
      {{"l2_sectors", "L2 sectors", "1", "Sectors that L2 looks up for the SMs.", Level::l2, "full"},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? Value(s.l2_sectors) : Value(); },
       no_l2,
       {l2()}},
      {{"l2_requests", "L2 requests", "1",
        "Lines of 128 bytes that the SMs ask of L2; before Maxwell without those of texture caches.", Level::l2,
        "full"},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? Value(s.l2_requests) : Value(); },
       no_l2,
       {"lts__t_requests_srcunit_tex.sum"}},
      counted({"l2_read_sectors", "L2 sectors read", "1", "Sectors that the SMs load from L2.", Level::l2, "full"},
              l2("_op_read")),
      counted({"l2_read_hits", "L2 sectors read that it held", "1", "Of the sectors that the SMs load from L2.",
               Level::l2, "full"},
              l2("_op_read", hit)),
      counted({"l2_write_sectors", "L2 sectors written", "1", "Sectors that the SMs store to L2.", Level::l2, "full"},
              l2("_op_write")),
      counted({"l2_write_hit_rate", "L2 hit rate of stores", "%", "Sectors of stores that L2 held or could take whole.",
               Level::l2, "full"},
              hit_share({"_op_write"})),
      counted({"l2_atomic_sectors", "L2 atomic sectors", "1", "Sectors that atomic operations touch in L2.", Level::l2,
               "full"},
              l2("_op_red") + " + " + l2("_op_atom")),
      counted({"l2_atomic_hit_rate", "L2 hit rate of atomics", "%", "Sectors of atomic operations that L2 held.",
               Level::l2, "full"},
              hit_share({"_op_red", "_op_atom"})),
      counted({"l2_fabric_sectors", "Sectors between L2 partitions", "1",
               "Sectors that one partition of L2 asks of the other, on GPUs whose L2 has two.", Level::l2, "full"},
              "lts__t_sectors_srcunit_ltcfabric.sum"),
      {{"dram_read_sectors", "DRAM sectors read", "1", "32-byte sectors read from DRAM.", Level::dram, "full"},
       nullptr,
       "",
       {"dram__sectors_read.sum", "dram__sectors_op_read.sum"}},
      {{"dram_write_sectors", "DRAM sectors written", "1", "32-byte sectors written to DRAM.", Level::dram, "full"},
       nullptr,
       "",
       {"dram__sectors_write.sum", "dram__sectors_op_write.sum"}},

      counted(
          {"threads_per_instruction", "Threads per instruction", "1",
           "Mean number of threads, of 32, that execute an instruction: what divergence leaves.", Level::none, "full"},
          "smsp__thread_inst_executed.sum / smsp__inst_executed.sum"),
      counted({"divergent_branches", "Divergent branches", "%",
               "Branches whose active threads went different ways / branches executed.", Level::none, "full"},
              share("smsp__sass_branch_targets_threads_divergent.sum",
                    "smsp__sass_branch_targets_threads_divergent.sum + smsp__sass_branch_targets_threads_uniform.sum")),
      {{"instructions", "Instructions", "1",
        "Instructions executed, by warp. Modelled: steps of the trace x what the kernel issues for each.", Level::none,
        "full"},
       [](const Simulation& s, const GpuSpec& gpu) { return Value(instructions_of(s, gpu)); },
       "",
       {"smsp__inst_executed.sum"}},
      counted({"instructions_per_cycle", "Instructions per cycle", "1",
               "Executed by an SM per cycle in which it works.", Level::none, "full"},
              "sm__inst_executed.avg.per_cycle_active"),
      counted({"issue_active", "Issue slots used", "%", "Cycles in which a scheduler issues an instruction.",
               Level::none, "full"},
              "smsp__issue_active.avg.pct_of_peak_sustained_active"),
      counted({"flops_f32", "f32 operations", "1",
               "Additions and multiplications of 32-bit numbers by active threads; a fused one counts twice.",
               Level::compute, "full"},
              flops("fadd", "fmul", "ffma")),
      counted({"flops_f64", "f64 operations", "1", "The same of 64-bit numbers.", Level::compute, "full"},
              flops("dadd", "dmul", "dfma")),

      stall("long_scoreboard", "Stall: L1, L2 or DRAM", "for data of a load from global memory"),
      stall("short_scoreboard", "Stall: shared memory", "for shared memory, or a shuffle between lanes"),
      stall("lg_throttle", "Stall: load queue full", "for room in the queue of global loads and stores"),
      stall("mio_throttle", "Stall: shared queue full", "for room in the queue of shared memory and shuffles"),
      stall("math_pipe_throttle", "Stall: arithmetic unit", "for an arithmetic unit"),
      stall("wait", "Stall: fixed latency", "for the result of arithmetic"),
      stall("barrier", "Stall: barrier", "for other warps of the block at a barrier"),
      stall("membar", "Stall: memory fence", "for a memory fence"),
      stall("branch_resolving", "Stall: branch", "for the target of a branch"),
      stall("no_instruction", "Stall: instruction cache", "for the next instruction"),
      stall("imc_miss", "Stall: constant cache", "for a value from the constant cache"),
      stall("drain", "Stall: stores at the end", "for stores to leave before the warp ends"),
      stall("not_selected", "Stall: not selected", "for nothing: another warp was ready too"),

      counted({"dram_throughput", "DRAM, of its peak", "%",
               "Busiest part of DRAM / what it could do while the product runs.", Level::dram, "full"},
              of_peak("dram")),
      counted({"l2_throughput", "L2, of its peak", "%", "Busiest part of L2 / what it could do while the product runs.",
               Level::l2, "full"},
              of_peak("lts")),
      counted({"l1_throughput", "L1, of its peak", "%",
               "Busiest part of the SMs' L1 / what it could do while the product runs.", Level::l1, "full"},
              of_peak("l1tex")),
      counted({"sm_throughput", "SM, of its peak", "%",
               "Busiest part of the SMs / what it could do while the product runs.", Level::compute, "full"},
              of_peak("sm")),

      {{"l1_load_bytes", "L1 bytes loaded", "B",
        "32 x sectors of loads looked up in the SM's caches (L1, and the texture cache where it is apart).", Level::l1,
        "full"},
       [](const Simulation& s, const GpuSpec&) { return Value(s.l1_lookups * sector_size); },
       "",
       {"32 * " + l1("sectors", "ld")}},
      {{"l2_load_bytes", "L2 bytes loaded", "B", "32 x sectors of loads that the SMs asked of L2.", Level::l2, "full"},
       [](const Simulation& s, const GpuSpec&) { return s.has_l2 ? Value(s.l2_loads * sector_size) : Value(); },
       no_l2,
       {"32 * " + l2("_op_read")}},
      {{"l2_store_bytes", "L2 bytes stored", "B", "32 x sectors of stores and atomics from the SMs.", Level::l2,
        "full"},
       [](const Simulation& s, const GpuSpec&) {
         return s.has_l2 ? Value((s.l2_sectors - s.l2_loads) * sector_size) : Value();
       },
       no_l2,
       {"32 * (" + l2("_op_write") + " + " + l2("_op_red") + " + " + l2("_op_atom") + ")"}},
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
      {{"divergence", "Divergence", "%", "Idle lanes: 1 - active lanes / 32.", Level::none, "full"},
       [](const Simulation& s, const GpuSpec&) {
         return s.warp_steps > 0 ? Value(100 * (1 - s.lane_steps / s.warp_steps / 32)) : Value();
       },
       no_load,
       {"100 * (1 - smsp__thread_inst_executed.sum / smsp__inst_executed.sum / 32)"}},
  };
  return table;
}

std::vector<Counter> modelled_counters(const Simulation& s, const GpuSpec& gpu) {
  std::vector<Counter> counters;
  for (const MetricRow& m : metrics()) {
    if (!m.modelled) continue;
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

}  // namespace warpspy
