// The sets of counters, and nvprof's names.
#include "profiling/cupti/plan.hpp"

namespace warpspy {

const std::vector<CounterSetInfo>& counter_sets() {
  static const std::vector<CounterSetInfo> table = {
      {"quick", "Quick", "DRAM bytes, read and written: one more product."},
      {"roofline", "Roofline", "Bytes at DRAM, L2 and L1, and both hit rates: what the roofline shows."},
      {"full", "Full",
       "Also sectors and requests by level and operation, divergence, occupancy, instructions, flops, stall reasons, "
       "and the share of each level's peak."},
  };
  return table;
}

// nvprof's names are from its user guide; the pairs follow "Metric Comparison" in NVIDIA's Nsight Compute guide. Since
// Volta, loads through the texture path and plain loads share one L1, and L2 does not distinguish them.
const std::vector<NvprofName>& nvprof_names() {
  static constexpr const char* one_path = "since Volta texture and plain loads share one L1 and one way to L2";
  static const std::vector<NvprofName> table = {
      {"dram_read_throughput", "dram_read_bytes", "dram_read_bytes / time", "EVC-HYB Figs. 6, 9 and Table 4"},
      {"dram_write_throughput", "dram_write_bytes", "dram_write_bytes / time"},
      {"dram_read_bytes", "dram_read_bytes", ""},
      {"dram_write_bytes", "dram_write_bytes", ""},
      {"dram_read_transactions", "dram_read_sectors", ""},
      {"dram_write_transactions", "dram_write_sectors", ""},
      {"dram_utilization", "dram_throughput", "dram_throughput / 10, on nvprof's scale of 0 to 10"},
      {"l2_read_throughput", "l2_read_sectors", "32 * l2_read_sectors / time", "EVC-HYB Figs. 6, 9 and Table 4"},
      {"l2_write_throughput", "l2_write_sectors", "32 * l2_write_sectors / time"},
      {"l2_texture_read_throughput", "l2_read_sectors", "32 * l2_read_sectors / time", one_path},
      {"l2_texture_read_hit_rate", "l2_hit_rate", "", one_path},
      {"l2_l1_read_hit_rate", "l2_hit_rate", "", one_path},
      {"l2_tex_read_hit_rate", "l2_hit_rate", ""},
      {"l2_tex_write_hit_rate", "l2_write_hit_rate", ""},
      {"l2_read_transactions", "l2_read_sectors", ""},
      {"l2_write_transactions", "l2_write_sectors", ""},
      {"l2_utilization", "l2_throughput", "l2_throughput / 10, on nvprof's scale of 0 to 10"},
      {"tex_cache_hit_rate", "l1_hit_rate", "", one_path},
      {"l1_cache_global_hit_rate", "l1_hit_rate", "", one_path},
      {"global_hit_rate", "l1_hit_rate", ""},
      {"tex_cache_throughput", "l1_bytes", "l1_bytes / time", one_path},
      {"gld_transactions", "l1_load_sectors", ""},
      {"gst_transactions", "l1_store_sectors", ""},
      {"gld_transactions_per_request", "sectors_per_request", "", "here of loads, stores and atomics together"},
      {"global_load_requests", "l1_load_requests", ""},
      {"global_store_requests", "l1_store_requests", ""},
      {"achieved_occupancy", "achieved_occupancy", "achieved_occupancy / 100"},
      {"inst_executed", "instructions", ""},
      {"ipc", "instructions_per_cycle", ""},
      {"issue_slot_utilization", "issue_active", ""},
      {"warp_execution_efficiency", "threads_per_instruction", "100 * threads_per_instruction / 32"},
      {"branch_efficiency", "divergent_branches", "100 - divergent_branches", "Reguly & Giles Table 2: divergence"},
      {"flop_count_sp", "flops_f32", ""},
      {"flop_count_dp", "flops_f64", ""},
      {"stall_memory_dependency", "stall_long_scoreboard", "", "nvprof gave percent of all stalls"},
      {"stall_exec_dependency", "stall_wait", "stall_wait + stall_short_scoreboard"},
      {"stall_memory_throttle", "stall_lg_throttle", ""},
      {"stall_pipe_busy", "stall_math_pipe_throttle", ""},
      {"stall_sync", "stall_barrier", ""},
      {"stall_inst_fetch", "stall_no_instruction", ""},
      {"stall_not_selected", "stall_not_selected", ""},
  };
  return table;
}

}  // namespace warpspy
