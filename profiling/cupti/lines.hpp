// Counts per instruction, and what they make per source line. Needs no device.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "profiling/cupti/source.hpp"

namespace warpspy {

// What one instruction of a kernel did, all warps together.
struct InstructionCounts {
  std::string function;                            // mangled
  std::uint32_t pc = 0;                            // bytes from the function's start
  double requests = 0;                             // warps that executed it, if it accesses global memory
  double sectors = 0;                              // of 32 bytes, in global memory
  double lanes = 0;                                // that took part
  double w1 = 0, w2 = 0, w4 = 0, w8 = 0, w16 = 0;  // warps, by the bytes that a lane asks for
};

// THE list of CUPTI's counts per instruction that are read, and where each goes.
struct InstructionMetric {
  const char* name;
  double InstructionCounts::* member;
};
const std::vector<InstructionMetric>& instruction_metrics();

// The counts per instruction that CUPTI has for a chip. Throws CounterFailure for a chip that has none.
std::vector<std::string> instruction_metrics_of(const std::string& chip);
// Throws CounterFailure, naming it, where one of the list is missing among `available`.
void require_instruction_metrics(const std::string& chip, const std::vector<std::string>& available);

// Traffic by line, in the order of files and lines. `site` tells the line of an instruction, "csr_vector.hpp:41", or
// "".
struct FoldedLines {
  std::vector<Traffic> lines;
  double placed = 0, elsewhere = 0;  // sectors with a line, and without
  std::string stranger;              // a function of those without; mangled
};
using SiteOf = std::function<std::string(const InstructionCounts&)>;
FoldedLines fold_lines(const std::vector<InstructionCounts>& counts, const SiteOf& site);

// As a source hands it on. Throws CounterFailure where nothing could be put to a line.
LineReading reading_of(FoldedLines folded);

}  // namespace warpspy
