// What ranks of MPI tell each other of their parts, as bytes (profiling/wire).
#pragma once

#include <tuple>

#include "core/partition/iteration_time.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/wire/archive.hpp"

namespace warpspy::wire {

template <>
inline constexpr int values_of<IterationStep::Work> = 4;
template <>
inline constexpr int values_of<Provenance> = 3;
template <>
inline constexpr auto parts<IterationStep> = std::tuple(
    &IterationStep::work, &IterationStep::us, &IterationStep::halo_us, &IterationStep::sums, &IterationStep::hidden);
template <>
inline constexpr auto parts<Waits> =
    std::tuple(&Waits::dram, &Waits::l2, &Waits::l1, &Waits::instructions, &Waits::loops);
template <>
inline constexpr auto parts<BlockCost> =
    std::tuple(&BlockCost::waits, &BlockCost::steps, &BlockCost::warps, &BlockCost::sectors, &BlockCost::lines,
               &BlockCost::addition_rounds, &BlockCost::times);
template <>
inline constexpr auto parts<LongBlock> = std::tuple(&LongBlock::block, &LongBlock::waits);
template <>
inline constexpr auto parts<IssuedByWarp> = std::tuple(&IssuedByWarp::once, &IssuedByWarp::each_step);
template <>
inline constexpr auto parts<Traffic> =
    std::tuple(&Traffic::name, &Traffic::requests, &Traffic::sectors, &Traffic::bytes_used, &Traffic::active_lanes,
               &Traffic::provenance, &Traffic::bytes_padding, &Traffic::arrays);

}  // namespace warpspy::wire

namespace warpspy {

// A launch without what only a sample needs: its longest segments and the sizes of its blocks.
void put_launch(wire::Writer& to, const LaunchSimulation& launch);
void get_launch(wire::Reader& from, const GpuSpec& gpu, LaunchSimulation& launch);

}  // namespace warpspy
