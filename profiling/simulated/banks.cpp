#include "profiling/simulated/banks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>
#include <vector>

namespace warpspy {

int banks_of(const GpuSpec& gpu) { return gpu.coalesce_lanes < 32 ? 16 : 32; }

std::uint8_t bank_wavefronts(std::span<const std::int64_t> elements, std::uint32_t active, std::size_t element_bytes,
                             bool atomic, int banks) {
  const auto words = static_cast<std::int64_t>(std::max<std::size_t>(1, element_bytes / 4));
  const int together = std::max(1, banks / static_cast<int>(words));  // lanes
  int wavefronts = 0;
  std::size_t next = 0;
  for (int first = 0; first < 32; first += together) {
    std::array<int, 32> of_bank{};
    std::set<std::int64_t> seen;
    for (int lane = first; lane < std::min(32, first + together); ++lane) {
      if (!(active >> lane & 1)) continue;
      const std::int64_t element = elements[next++];
      if (!atomic && !seen.insert(element).second) continue;
      for (std::int64_t w = element * words; w < (element + 1) * words; ++w)
        ++of_bank[static_cast<std::size_t>(w % banks)];
    }
    wavefronts += *std::max_element(of_bank.begin(), of_bank.end());
  }
  return static_cast<std::uint8_t>(std::min(wavefronts, 255));
}

SharedAdditions shared_additions_of(const simt::WarpTrace& warp, int banks) {
  SharedAdditions all;
  std::vector<std::int64_t> elements;
  for (std::size_t k = 0;; ++k) {
    std::uint32_t active = 0;
    elements.clear();
    for (std::size_t lane = 0; lane < warp.shared_additions.size(); ++lane) {
      if (k >= warp.shared_additions[lane].size()) continue;
      active |= 1u << lane;
      elements.push_back(warp.shared_additions[lane][k]);
    }
    if (!active) return all;
    // The two halves of a warp whose elements have 8 bytes each take a round, in one loop.
    const std::uint64_t rounds = bank_wavefronts(elements, active, warp.addition_bytes, true, banks);
    const std::uint64_t words = std::max<std::uint64_t>(1, warp.addition_bytes / 4);
    all.rounds += rounds;
    all.loops += (rounds + words - 1) / words;
  }
}

}  // namespace warpspy
