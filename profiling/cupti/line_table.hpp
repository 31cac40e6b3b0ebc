// Finds the source line of each instruction of a kernel's machine code. nvcc -lineinfo writes these lines into the
// code's ELF file (cubin). It needs no CUDA.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpspy {

// A line, and the function that contains it.
struct SourceFrame {
  std::string file;  // base name: "csr_vector.hpp"
  int line = 0;
  std::string function;  // mangled; "": the kernel itself, into which the others were inlined
};

// An entry of the table: the source line of the instructions from this one on.
struct LineRow {
  std::uint64_t pc = 0;
  SourceFrame frame;
  std::size_t caller = 0;  // row of the call, counted from 1; 0: not inlined
};

class LineTable {
 public:
  // The table of `function` (mangled); nothing if the cubin has no such function, or no lines for it. Throws Error if
  // the file is no cubin, or is damaged.
  static std::optional<LineTable> of(std::span<const std::uint8_t> cubin, const std::string& function);

  // The source of the instruction at byte `pc` of the function: its line, the call that inlined that line, and so on
  // outwards. Empty if it is not known.
  std::vector<SourceFrame> frames(std::uint64_t pc) const;

 private:
  std::vector<LineRow> rows_;
};

// The line tables of this program's kernels, for a device of this compute capability (90).
class ProgramLines {
 public:
  explicit ProgramLines(int compute_capability) : compute_capability_(compute_capability) {}
  // nullptr if the program has no machine code of that function for the device, or the code has no lines. Never throws.
  const LineTable* of(const std::string& function);

 private:
  int compute_capability_;
  std::optional<std::vector<std::vector<std::uint8_t>>> unpacked_;  // machine code that is compressed in the program
  std::map<std::string, std::optional<LineTable>> known_;
};

// The line that a memory instruction counts for, "csr_vector.hpp:41", by the rule of the emulator (kernels/simt):
// instructions of an accessor, and of a function that passes a simt::Where to one, count for the line that calls it. ""
// without frames.
std::string site_of(const std::vector<SourceFrame>& frames);

}  // namespace warpspy
