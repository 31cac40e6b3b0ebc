// Turns counts per instruction into counts per source line. Needs no device.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profiling/cupti/source.hpp"

namespace warpspy {

// The counts of one instruction of a kernel, over all warps.
struct InstructionCounts {
  std::string function;                            // mangled
  std::uint32_t pc = 0;                            // bytes from the function's start
  double requests = 0;                             // warps that executed it, if it accesses global memory
  double sectors = 0;                              // 32-byte sectors of global memory
  double lanes = 0;                                // that took part
  double w1 = 0, w2 = 0, w4 = 0, w8 = 0, w16 = 0;  // warps, by the bytes that a lane asks for
};

// The one list of CUPTI's counts per instruction that are read, and the member that gets each.
struct InstructionMetric {
  const char* name;
  double InstructionCounts::* member;
};
const std::vector<InstructionMetric>& instruction_metrics();

// The counts per instruction that CUPTI has for a chip. Throws CounterFailure if it has none.
std::vector<std::string> instruction_metrics_of(const std::string& chip);
// Throws CounterFailure with the name of a count of the list that is not in `available`.
void require_instruction_metrics(const std::string& chip, const std::vector<std::string>& available);

// Traffic by source line, in the order of files and lines. `site` returns the line of an instruction,
// "csr_vector.hpp:41", or "".
struct FoldedLines {
  std::vector<Traffic> lines;
  double placed = 0, elsewhere = 0;  // sectors with a line, and without
  std::string stranger;              // a function whose sectors have no line; mangled
};
using SiteOf = std::function<std::string(const InstructionCounts&)>;
FoldedLines fold_lines(const std::vector<InstructionCounts>& counts, const SiteOf& site);

// Makes a LineReading of it. Throws CounterFailure if no sector has a line.
LineReading reading_of(FoldedLines folded);

}  // namespace warpspy
