// Tells which thread reads which entry of a matrix in a product, and from which memory the entry's element of x comes.
// The emulator and the model of the memory system give these data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/matrix/csr.hpp"

namespace warpspy {

// Tells where the element of x that an entry is multiplied with came from.
enum class XSource : std::uint8_t {
  unknown,    // the block did not run
  passed_on,  // it came by a register or shared memory: this lane loaded it for another entry, or another lane loaded
              // it
  l1,         // or the texture cache
  l2,
  dram_first,  // the first touch of its sector
  dram_again,  // from DRAM, since it had been evicted
};

// One entry of the matrix.
struct EntryRead {
  index_t position = 0;     // index in columns() and values()
  std::int64_t block = -1;  // of its launch; -1: the block that reads it did not run
  std::int32_t group = 0;   // number of the slice, packet or block within the part, from 0
  std::uint16_t warp = 0;   // of the block
  std::uint8_t launch = 0, lane = 0;
  std::uint8_t part = 0;  // part of the format (ArrayView::part)
  XSource x = XSource::unknown;
  // A request is one memory instruction of a warp. These count the sectors and lanes of the request that loaded the
  // entry's value, and of the request that loaded its element of x. 0: the kernel makes no such request.
  std::uint8_t value_sectors = 0, value_lanes = 0, x_sectors = 0, x_lanes = 0;
  bool ran() const { return block >= 0; }
};

struct EntryTrace {
  // A part of the format, such as the ELL part of HYB. Its slices, packets or blocks are groups.
  struct Part {
    std::string name;                 // "ELL"; "CSR" of a format of one part
    std::string group;                // "slice"; empty: it is not divided
    std::vector<float> padding = {};  // for each group, the share of its slots that is padding
  };
  std::string kernel, format, gpu;  // names for people
  index_t row_begin = 0, row_end = 0;
  std::vector<EntryRead> entries;  // entries of these rows by position; a sample of them if there are too many
  std::vector<Part> parts;
  int warps_per_block = 0;  // warps per block, of the launch with the largest blocks
  double share = 1;         // share of the known blocks that read these rows and that ran
  std::vector<std::string> notes;

  // The entry at this position, or nullptr.
  const EntryRead* find(index_t position) const;
};

// Limits of a trace: how many entries it reports, and how much work the emulator does, in lane steps.
struct TraceLimits {
  index_t entries = index_t{4} << 20;
  double steps = 60e6;
};

}  // namespace warpspy
