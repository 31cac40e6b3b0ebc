// The members of the structs that a window and its engine send to each other. A struct with a member that is not listed
// does not compile.
#pragma once

#include <tuple>

#include "core/catalog/catalog.hpp"
#include "core/gpu/bench_machine.hpp"
#include "core/gpu/gpu_spec.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/entry_trace.hpp"
#include "core/run/in_turn.hpp"
#include "core/run/warp_trace.hpp"
#include "profiling/remote/messages.hpp"
#include "profiling/wire/archive.hpp"

namespace warpspy::wire {

template <>
inline constexpr int values_of<WarpOp> = 10;
template <>
inline constexpr int values_of<LaneState> = lane_states;
template <>
inline constexpr int values_of<SectorSource> = sector_sources;
template <>
inline constexpr int values_of<SmWait> = sm_waits;
template <>
inline constexpr int values_of<XSource> = 6;
template <>
inline constexpr int values_of<WarpMeasure> = 3;
template <>
inline constexpr int values_of<WarpWanted::By> = 5;
template <>
inline constexpr int values_of<InSearch::As> = 3;

// Devices.
template <>
inline constexpr auto parts<GpuSpec> = std::tuple(
    &GpuSpec::id, &GpuSpec::name, &GpuSpec::architecture, &GpuSpec::year, &GpuSpec::compute_capability,
    &GpuSpec::sm_count, &GpuSpec::clock_mhz, &GpuSpec::memory_bytes, &GpuSpec::dram_gbs, &GpuSpec::dram_stream_gbs,
    &GpuSpec::l2_bytes, &GpuSpec::l2_partitions, &GpuSpec::l2_gbs, &GpuSpec::l1_bytes_per_sm,
    &GpuSpec::l1_bytes_per_clock_per_sm, &GpuSpec::texture_bytes_per_sm, &GpuSpec::shared_bytes_per_sm,
    &GpuSpec::shared_bytes_per_block, &GpuSpec::line_bytes, &GpuSpec::sector_bytes, &GpuSpec::dram_granule_bytes,
    &GpuSpec::l1_caches_global, &GpuSpec::ecc_in_memory, &GpuSpec::coalesce_lanes, &GpuSpec::max_threads_per_sm,
    &GpuSpec::max_blocks_per_sm, &GpuSpec::max_threads_per_block, &GpuSpec::peak_f32_gflops, &GpuSpec::peak_f64_gflops,
    &GpuSpec::dram_latency_ns, &GpuSpec::l2_latency_ns, &GpuSpec::l1_latency_ns, &GpuSpec::launch_us,
    &GpuSpec::issues_per_step, &GpuSpec::loads_in_flight, &GpuSpec::sources);
template <>
inline constexpr auto parts<CounterAccess> =
    std::tuple(&CounterAccess::open, &CounterAccess::obstacle, &CounterAccess::reason, &CounterAccess::remedy,
               &CounterAccess::chip, &CounterAccess::passes);
template <>
inline constexpr auto parts<DeviceInfo> =
    std::tuple(&DeviceInfo::id, &DeviceInfo::name, &DeviceInfo::simulated, &DeviceInfo::available, &DeviceInfo::reason,
               &DeviceInfo::counters, &DeviceInfo::spec, &DeviceInfo::access);
template <>
inline constexpr auto parts<Hello> = std::tuple(&Hello::program, &Hello::host, &Hello::devices);

// Calls.
template <>
inline constexpr auto parts<SourceFacts> =
    std::tuple(&SourceFacts::name, &SourceFacts::location, &SourceFacts::field, &SourceFacts::symmetry,
               &SourceFacts::entries_in_file, &SourceFacts::duplicates, &SourceFacts::warnings);
template <>
inline constexpr auto parts<MatrixRef> = std::tuple(&MatrixRef::key, &MatrixRef::facts);
template <>
inline constexpr auto parts<MatrixShape> =
    std::tuple(&MatrixShape::key, &MatrixShape::rows, &MatrixShape::cols, &MatrixShape::nnz, &MatrixShape::wide,
               &MatrixShape::complex, &MatrixShape::elements, &MatrixShape::nodes, &MatrixShape::wide_map);
template <>
inline constexpr auto parts<WarpPlace> = std::tuple(&WarpPlace::launch, &WarpPlace::block, &WarpPlace::warp);
template <>
inline constexpr auto parts<WarpWanted> =
    std::tuple(&WarpWanted::by, &WarpWanted::row, &WarpWanted::column, &WarpWanted::place, &WarpWanted::measure,
               &WarpWanted::alone, &WarpWanted::first);
template <>
inline constexpr auto parts<InSearch> = std::tuple(&InSearch::as, &InSearch::far_us, &InSearch::most_bytes);
template <>
inline constexpr auto parts<CopyBandwidth> =
    std::tuple(&CopyBandwidth::gbs, &CopyBandwidth::noise, &CopyBandwidth::bytes);
template <>
inline constexpr auto parts<L2Bandwidth> =
    std::tuple(&L2Bandwidth::read_gbs, &L2Bandwidth::gather_gbs, &L2Bandwidth::bytes, &L2Bandwidth::sms);
template <>
inline constexpr auto parts<BenchMachine> =
    std::tuple(&BenchMachine::library, &BenchMachine::library_version, &BenchMachine::driver_version,
               &BenchMachine::copy, &BenchMachine::l2);
template <>
inline constexpr auto parts<Sign> = std::tuple(&Sign::fraction, &Sign::stage, &Sign::quiet_s);
template <>
inline constexpr auto parts<Refusal> = std::tuple(&Refusal::reason, &Refusal::where, &Refusal::remedy);

// The threads that read each entry.
template <>
inline constexpr auto parts<EntryRead> =
    std::tuple(&EntryRead::position, &EntryRead::block, &EntryRead::group, &EntryRead::warp, &EntryRead::launch,
               &EntryRead::lane, &EntryRead::part, &EntryRead::x, &EntryRead::value_sectors, &EntryRead::value_lanes,
               &EntryRead::x_sectors, &EntryRead::x_lanes);
template <>
inline constexpr auto parts<EntryTrace::Part> =
    std::tuple(&EntryTrace::Part::name, &EntryTrace::Part::group, &EntryTrace::Part::padding);
template <>
inline constexpr auto parts<EntryTrace> = std::tuple(
    &EntryTrace::kernel, &EntryTrace::format, &EntryTrace::gpu, &EntryTrace::row_begin, &EntryTrace::row_end,
    &EntryTrace::entries, &EntryTrace::parts, &EntryTrace::warps_per_block, &EntryTrace::share, &EntryTrace::notes);

// One warp.
template <>
inline constexpr auto parts<SmSpan> =
    std::tuple(&SmSpan::begin_ns, &SmSpan::issued_ns, &SmSpan::end_ns, &SmSpan::requests, &SmSpan::wait);
template <>
inline constexpr auto parts<SmWarp> = std::tuple(&SmWarp::block, &SmWarp::warp, &SmWarp::spans);
template <>
inline constexpr auto parts<SmAxis> = std::tuple(&SmAxis::warps, &SmAxis::watched, &SmAxis::end_ns, &SmAxis::issuing,
                                                 &SmAxis::hidden, &SmAxis::schedulers, &SmAxis::cut);
template <>
inline constexpr auto parts<LineEvictor> = std::tuple(&LineEvictor::array, &LineEvictor::warp, &LineEvictor::block);
template <>
inline constexpr auto parts<WarpLine> =
    std::tuple(&WarpLine::line, &WarpLine::words, &WarpLine::sectors, &WarpLine::l1_first, &WarpLine::l1_again,
               &WarpLine::from, &WarpLine::l1_evictor, &WarpLine::l2_evictor);
template <>
inline constexpr auto parts<LaneAccess> = std::tuple(&LaneAccess::element, &LaneAccess::row, &LaneAccess::column,
                                                     &LaneAccess::value, &LaneAccess::entry, &LaneAccess::padding);
template <>
inline constexpr auto parts<WarpStep> = std::tuple(
    &WarpStep::op, &WarpStep::site, &WarpStep::array, &WarpStep::shared, &WarpStep::bytes, &WarpStep::requests,
    &WarpStep::times, &WarpStep::wavefronts, &WarpStep::ideal_wavefronts, &WarpStep::active, &WarpStep::used_bytes,
    &WarpStep::first_access, &WarpStep::first_line, &WarpStep::lines, &WarpStep::lanes);
template <>
inline constexpr auto parts<WarpTraffic> =
    std::tuple(&WarpTraffic::name, &WarpTraffic::requests, &WarpTraffic::sectors, &WarpTraffic::least_sectors,
               &WarpTraffic::bytes, &WarpTraffic::lanes, &WarpTraffic::from);
template <>
inline constexpr auto parts<LaneLedger> = std::tuple(&LaneLedger::lanes, &LaneLedger::instructions);
template <>
inline constexpr auto parts<WarpTrace::Site> =
    std::tuple(&WarpTrace::Site::file, &WarpTrace::Site::line, &WarpTrace::Site::text);
template <>
inline constexpr auto parts<WarpTrace::Array> = std::tuple(&WarpTrace::Array::base, &WarpTrace::Array::element_bytes);
template <>
inline constexpr auto parts<WarpTrace> = std::tuple(
    &WarpTrace::kernel, &WarpTrace::kernel_label, &WarpTrace::format, &WarpTrace::gpu, &WarpTrace::rows,
    &WarpTrace::cols, &WarpTrace::first, &WarpTrace::place, &WarpTrace::launches, &WarpTrace::warps_of_block,
    &WarpTrace::blocks, &WarpTrace::why, &WarpTrace::warm, &WarpTrace::share, &WarpTrace::alone, &WarpTrace::notes,
    &WarpTrace::sites, &WarpTrace::array_places, &WarpTrace::arrays, &WarpTrace::lines, &WarpTrace::shared_arrays,
    &WarpTrace::ledger, &WarpTrace::waited_ns, &WarpTrace::shared_accesses, &WarpTrace::axis, &WarpTrace::steps,
    &WarpTrace::steps_in_all, &WarpTrace::accesses, &WarpTrace::requested);

}  // namespace warpspy::wire
