// Records accesses of lanes to shared memory, for a log. They are kept apart from records of global memory, so that a
// log does not change how those are merged.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/simt/convergence.hpp"
#include "kernels/simt/shadow.hpp"
#include "kernels/simt/simt.hpp"
#include "kernels/simt/sites.hpp"

namespace warpspy::simt {

class SharedRecorder {
 public:
  // Begins a block of so many warps; nullptr: without a log.
  void begin(ConvergenceLog* log, std::size_t warps);
  bool asked() const { return log_ != nullptr; }

  // Records an access of the running lane, which has made `before` records of global memory since its warp's last
  // collective.
  void keep(const Shadow& shadow, const char* name, std::int64_t index, Op op, const Where& where,
            std::uint32_t before);

  // Called at a collective of the warp: writes its accesses since the last one, each after the memory instructions that
  // its lanes had made before. `others`: the warp's memory instructions, of this stretch those from `first` on. `from`:
  // as merge_lanes.
  void flush(std::size_t warp, const std::vector<Access>& others, std::size_t first, const Where* from,
             SiteCache& sites, const SiteRegistry& registry);

 private:
  // Accesses of a lane since its warp's last collective; and how many of its other records came before each.
  struct OfLane {
    std::vector<detail::LaneRecord> records;
    std::vector<std::uint32_t> before;
  };
  ConvergenceLog* log_ = nullptr;
  std::array<OfLane, warp_size> lanes_;
};

}  // namespace warpspy::simt
