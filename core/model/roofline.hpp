// Computes the roofs of a device and the points of a run for the roofline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/gpu/gpu_spec.hpp"
#include "core/gpu/measured_roofs.hpp"
#include "core/run/record.hpp"

namespace warpspy {

struct Roof {
  Level level = Level::dram;  // dram, l2, l1: a slope; compute: a ceiling
  std::string label;          // "DRAM 4800 GB/s"
  double value = 0;           // GB/s for a slope, GFLOP/s for a ceiling
  Provenance provenance = Provenance::modelled;
  std::string source;
  bool operator==(const Roof&) const = default;
};

// The memory levels that have points and roofs, and the counter with the bytes of each level.
struct MemoryLevel {
  Level level;
  const char* name;
  const char* counter;
};
inline constexpr MemoryLevel memory_levels[] = {
    {Level::dram, "DRAM", "dram_bytes"}, {Level::l2, "L2", "l2_bytes"}, {Level::l1, "L1", "l1_bytes"}};

// Returns the roofs of a device at a precision: one slope per memory level, and one ceiling. If a number of the device
// is not known, its roof is missing.
std::vector<Roof> roofs_of(const GpuSpec& gpu, Precision precision);
// The roofs of a device with measured ones first, if `measured` is not nullptr. Points are placed under measured roofs.
std::vector<Roof> roofs_of(const GpuSpec& gpu, Precision precision, const MeasuredRoofs* measured);

// Tells what counts as work: 2 per entry of the matrix, or 2 per slot that the format stores, padding included.
enum class FlopCount : std::uint8_t { useful, executed };
constexpr const char* name_of(FlopCount f) { return f == FlopCount::useful ? "useful" : "executed"; }
// The flops of one product of the run; nothing if the record does not say how many slots its format stores.
std::optional<double> flops_of(const RunRecord& run, FlopCount count);

// Bytes that a paper's formula gives for a run, to compare with the counted bytes.
struct ByteCount {
  std::string id, label, source;  // "minimum", "minimum (eq. 4)", paper and equation
  double bytes = 0;
  double intensity = 0;  // flop/byte
};
// The counts that the record has (details minimum, effective, caching, table1), the least first; none for a failed run.
std::vector<ByteCount> byte_counts(const RunRecord& run, FlopCount count = FlopCount::useful);

struct RooflinePoint {
  std::uint64_t run = 0;
  Level level = Level::dram;
  double intensity = 0;  // flop/byte: flops, useful or executed, / bytes moved at this level
  double gflops = 0;
  double gbs = 0;          // bytes at this level / time
  double roof_gflops = 0;  // min(intensity * bandwidth of the level, peak); 0 when the device has no such roof
  Provenance provenance = Provenance::modelled;
  std::string limit;  // what limits: "DRAM bandwidth", "below every roof: 31 % of the DRAM roof", ...
};

// One point per memory level whose bytes the run knows (counters dram_bytes, l2_bytes, l1_bytes). When the run has no
// DRAM bytes, the DRAM point uses minimum_bytes and its limit says so. Empty for a failed run, for one over several
// GPUs (the roofs are those of one), and for executed flops
// when the record does not know them.
std::vector<RooflinePoint> roofline_points(const RunRecord& run, const std::vector<Roof>& roofs,
                                           FlopCount count = FlopCount::useful);

}  // namespace warpspy
