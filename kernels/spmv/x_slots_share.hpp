// Chooses how many entries a thread block of csr_slots gets (its share). For each possible size, a few sample shares
// are examined: how much of x would they read? Host and device count this in different ways. The samples and the choice
// are the same for both, and stand here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/simt/simt.hpp"
#include "kernels/spmv/x_slots.hpp"

namespace warpspy {

// The sizes that a share may have, and the sample shares of each size. Samples and their tiles are numbered in the
// order of the sizes.
struct ShareSamples {
  static constexpr int most_of_size = 16, most_sizes = 40;
  struct Size {
    std::int64_t tiles;                     // of a share
    std::int64_t shares;                    // how many whole shares of this size the matrix has
    std::int64_t first_sample, first_tile;  // numbers of its first sample and of that one's first tile
    SIMT_ANYWHERE constexpr std::int64_t samples() const { return shares < most_of_size ? shares : most_of_size; }
    // Returns which of its shares the sample is.
    SIMT_ANYWHERE constexpr std::int64_t share_of(std::int64_t sample) const {
      const std::int64_t s = sample - first_sample;
      return shares / samples() * s + shares % samples() * s / samples();
    }
  };
  Size sizes[most_sizes];  // from the largest on
  int count = 0;
  std::int64_t samples = 0, tiles = 0;  // of all sizes

  SIMT_ANYWHERE constexpr int size_of_sample(std::int64_t sample) const {
    int i = count - 1;
    while (sizes[i].first_sample > sample) --i;
    return i;
  }
  SIMT_ANYWHERE constexpr int size_of_tile(std::int64_t tile) const {
    int i = count - 1;
    while (sizes[i].first_tile > tile) --i;
    return i;
  }
};

// Tries `blocks` shares, and 2, 4, 8 ... times as many, as long as shares do not become too small.
inline ShareSamples samples_of_shares(index_t entries, index_t tile, index_t blocks) {
  constexpr index_t least_tiles = 32;
  ShareSamples all;
  const index_t tiles = (entries + tile - 1) / tile;
  for (index_t share = std::max<index_t>(1, (tiles + blocks - 1) / blocks);; share = (share + 1) / 2) {
    const ShareSamples::Size& size = all.sizes[all.count++] = {share, entries / (share * tile), all.samples, all.tiles};
    all.samples += size.samples();
    all.tiles += size.samples() * share;
    if (share < 2 * least_tiles) return all;
  }
}

// Holds what a block reads for one share, of x and of the list of columns that x is loaded for.
struct ShareReads {
  static constexpr std::int64_t sector_bytes = 32;
  std::int64_t sectors = 0;  // sectors of x: those of listed columns are read once, others once per tile
  std::int64_t listed = 0;   // columns
  bool all_fit = true;       // whether all columns are listed

  double bytes(index_t entries) const {
    const index_t of_slot = all_fit ? sizeof(std::uint16_t) : sizeof(std::int32_t);
    const index_t index = of_slot * entries + static_cast<index_t>(sizeof(std::int32_t)) * listed;
    return static_cast<double>(sectors * sector_bytes) + static_cast<double>(index);
  }
};

// Returns the size of a share, in tiles, with which the fewest bytes are read. It is estimated from what the samples of
// each size read.
inline index_t best_share(const ShareSamples& of, index_t tile, std::span<const ShareReads> reads) {
  // Bytes that a GPU could read while a block begins and ends. It is a guess: with it FullChip, circuit5M, cage14 and
  // kron_g500-logn20 (stand-ins, H200) get about the number of shares that was fastest.
  constexpr double bytes_of_share = 60'000;
  constexpr int samples = ShareSamples::most_of_size;
  int best = 0;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < of.count; ++i) {
    const ShareSamples::Size& size = of.sizes[i];
    if (size.shares == 0) continue;
    const auto tiles = static_cast<double>(size.tiles);
    double mean = 0, most = 0;
    for (std::size_t s = 0; s < samples; ++s) {
      const std::size_t its = part_begin(static_cast<std::size_t>(size.samples()), s, samples);
      const double bytes = reads[static_cast<std::size_t>(size.first_sample) + its].bytes(size.tiles * tile);
      mean += bytes / samples, most = std::max(most, bytes);
    }
    // The GPU waits for its last block. The more blocks have run in each place before, the shorter that wait is.
    const double waited = (most - mean) * tiles / static_cast<double>(of.sizes[0].tiles);
    const double per_tile = (mean + bytes_of_share + waited) / tiles;
    if (per_tile < least) least = per_tile, best = i;
  }
  return of.sizes[best].tiles;
}

namespace detail {

// `share` must be empty; it is cleared at the end.
template <class Col>
ShareReads reads_of_share(XSlotsOfShares<Col>& share, std::size_t begin, std::size_t end, index_t room,
                          std::size_t tile, index_t value_bytes) {
  share.list(begin, end);
  std::vector<std::int32_t> slots(end - begin);
  std::vector<index_t> sectors;
  share.number(begin, end, [&](std::size_t k, std::int32_t slot) { slots[k - begin] = slot; });
  ShareReads reads{0, static_cast<std::int64_t>(share.columns.size()), share.all_fit};
  const auto count_sectors = [&] {
    std::sort(sectors.begin(), sectors.end());
    reads.sectors += std::unique(sectors.begin(), sectors.end()) - sectors.begin();
    sectors.clear();
  };
  for (const std::int32_t c : share.columns) sectors.push_back(c * value_bytes / ShareReads::sector_bytes);
  count_sectors();
  for (std::size_t first = 0; first < slots.size(); first += tile) {
    for (std::size_t k = first; k < std::min(first + tile, slots.size()); ++k)
      if (slots[k] >= room) sectors.push_back((slots[k] - room) * value_bytes / ShareReads::sector_bytes);
    count_sectors();
  }
  share.clear();
  return reads;
}

}  // namespace detail

// The input of Layout::prepare for this choice. A device chooses the same size (kernels/device/prepared.hpp).
struct ChosenShare {
  index_t tiles;
};
template <class Col>
struct XSlotsShareOf {
  std::span<const Col> columns;
  index_t cols, tile, blocks, room, value_bytes;

  ShareSamples samples() const { return samples_of_shares(static_cast<index_t>(columns.size()), tile, blocks); }
  // Returns what each sample reads.
  std::vector<ShareReads> reads(const ShareSamples& of) const {
    const auto samples = static_cast<std::size_t>(of.samples);
    const std::size_t parts =
        detail::affordable_parts(columns.size(), cols, std::min<std::size_t>(samples, ShareSamples::most_of_size));
    std::vector<ShareReads> all(samples);
    in_parallel(parts, [&](std::size_t part) {
      detail::XSlotsOfShares<Col> share(columns, cols, room);
      for (std::size_t sample = part; sample < samples; sample += parts) {
        const auto number = static_cast<std::int64_t>(sample);
        const ShareSamples::Size& size = of.sizes[of.size_of_sample(number)];
        const auto length = static_cast<std::size_t>(size.tiles * tile);
        const std::size_t begin = static_cast<std::size_t>(size.share_of(number)) * length;
        all[sample] =
            detail::reads_of_share(share, begin, begin + length, room, static_cast<std::size_t>(tile), value_bytes);
      }
    });
    return all;
  }
  ChosenShare operator()() const {
    const ShareSamples of = samples();
    ChosenShare chosen{of.sizes[0].tiles};
    if (of.count > 1) chosen.tiles = best_share(of, tile, reads(of));
    return chosen;
  }
};

}  // namespace warpspy
