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
  // Begins a block with this many warps. nullptr: there is no log.
  void begin(ConvergenceLog* log, std::size_t warps);
  bool asked() const { return log_ != nullptr; }

  // Records an access of the running lane. `before`: how many accesses to global memory the lane has recorded since its
  // warp's last collective.
  void keep(const Shadow& shadow, const char* name, std::int64_t index, Op op, const Where& where,
            std::uint32_t before);

  // Called at a collective of the warp. Writes its accesses to shared memory since the last one, each after the
  // accesses to global memory that its lanes made before it. `others`: the warp's memory instructions; those since the
  // last collective begin at `first`. `from`: see merge_lanes.
  void flush(std::size_t warp, const std::vector<Access>& others, std::size_t first, const Where* from,
             SiteCache& sites, const SiteRegistry& registry);

 private:
  // A lane's accesses since its warp's last collective, and for each of them how many records of global memory came
  // before.
  struct OfLane {
    std::vector<detail::LaneRecord> records;
    std::vector<std::uint32_t> before;
  };
  ConvergenceLog* log_ = nullptr;
  std::array<OfLane, warp_size> lanes_;
};

}  // namespace warpspy::simt
