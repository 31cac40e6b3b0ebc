#include "profiling/engine/rank_words.hpp"

namespace warpspy {
namespace {

template <class Archive, class Launch>
void members(Archive& with, Launch& l) {
  static_assert(wire::member_count<LaunchSimulation>() == 29 && wire::member_count<LaunchShape>() == 12,
                "a new member of a launch is not told to the other ranks");
  auto& shape = l.shape;
  with(shape.grid, shape.block, shape.shared_bytes, shape.registers, shape.code, shape.overlap, shape.loads_in_flight,
       shape.matrix_in_flight, shape.issued);
  with(l.share, l.blocks, l.own_sm, l.warps_of_block, l.requests, l.sectors, l.l1_lookups, l.l1_hits, l.l2_sectors,
       l.l2_requests, l.l2_loads, l.l2_load_hits, l.texture_lookups, l.texture_hits, l.l2_texture_loads,
       l.l2_texture_load_hits, l.dram_read_bytes, l.dram_write_bytes, l.lane_steps, l.warp_steps, l.atomic_turns,
       l.swaps_in_a_row, l.costs, l.longest, l.has_l2, l.arrays, l.lines);
}

}  // namespace

void put_launch(wire::Writer& to, const LaunchSimulation& launch) { members(to, launch); }

void get_launch(wire::Reader& from, const GpuSpec& gpu, LaunchSimulation& launch) {
  members(from, launch);
  launch.occupancy = occupancy_of(gpu, launch.shape);
}

}  // namespace warpspy
