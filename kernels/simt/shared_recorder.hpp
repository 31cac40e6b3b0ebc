// What lanes do in shared memory, for who keeps a log of it. Apart from the records of global memory, so that who asks
// does not change what those are merged to.
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
  // Of a block of that many warps; nullptr: nobody asks.
  void begin(ConvergenceLog* log, std::size_t warps);
  bool asked() const { return log_ != nullptr; }

  // An access of the lane that runs now, which has made `before` records of global memory since its warp last met.
  void keep(const Shadow& shadow, const char* name, std::int64_t index, Op op, const Where& where,
            std::uint32_t before);

  // The warp meets: tells its accesses since it last did, each behind the memory instructions that its lanes had made
  // before it. `others`: the warp's memory instructions, of this stretch those from `first` on. `from`: as merge_lanes.
  void flush(std::size_t warp, const std::vector<Access>& others, std::size_t first, const Where* from,
             SiteCache& sites, const SiteRegistry& registry);

 private:
  // Of a lane, since its warp last met; and how many of its other records stood before each.
  struct OfLane {
    std::vector<detail::LaneRecord> records;
    std::vector<std::uint32_t> before;
  };
  ConvergenceLog* log_ = nullptr;
  std::array<OfLane, warp_size> lanes_;
};

}  // namespace warpspy::simt
