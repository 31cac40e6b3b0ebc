// Compares the speed of a solve's iterations with that of a copy. The share is (least bytes of an iteration / its time)
// / (bandwidth of a long copy on that GPU).
#pragma once

#include <optional>
#include <string>

#include "core/gpu/gpu_spec.hpp"
#include "core/gpu/measured_roofs.hpp"
#include "core/run/record.hpp"

namespace warpspy {

struct CopyShare {
  std::optional<double> share = {};  // 1: as fast as a copy; more: the data lie in L2. Nothing: `reason` says why
  double gbs = 0, copy_gbs = 0;      // GB/s (1e9 B/s), of the iteration and of the copy
  bool copy_measured = false;        // on this device; else the copy's bandwidth is that of the GPU's data file
  std::string reason = {};
  Provenance provenance = Provenance::derived;
};

// Computes the share. `gpu` describes the run's device; nullptr: not known. `measured` has the roofs that were measured
// there; nullptr: none.
CopyShare copy_share(const RunRecord& solve, const GpuSpec* gpu, const MeasuredRoofs* measured);

// "12.3 MB in 4.1 us: 3,000 GB/s, 77 % of a copy (3,888 GB/s, measured)"; "unavailable: ...".
std::string copy_share_text(const RunRecord& solve, const CopyShare& c);

}  // namespace warpspy
