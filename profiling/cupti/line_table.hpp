// Source lines of a kernel's machine code, as nvcc -lineinfo leaves them in the code's ELF file (cubin). Needs no CUDA.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpspy {

// A line, and the function that it stands in.
struct SourceFrame {
  std::string file;  // base name: "csr_vector.hpp"
  int line = 0;
  std::string function;  // mangled; "": the kernel itself, into which the others were inlined
};

// What holds from an instruction on.
struct LineRow {
  std::uint64_t pc = 0;
  SourceFrame frame;
  std::size_t caller = 0;  // row of the call, counted from 1; 0: not inlined
};

class LineTable {
 public:
  // Of `function` (mangled); nothing when the cubin has no such function, or no lines of it. Throws Error for a file
  // that is none, or is damaged.
  static std::optional<LineTable> of(std::span<const std::uint8_t> cubin, const std::string& function);

  // Where the instruction at byte `pc` of the function comes from: its line, the call that inlined that line, and so on
  // outwards. Empty: not told.
  std::vector<SourceFrame> frames(std::uint64_t pc) const;

 private:
  std::vector<LineRow> rows_;
};

// Those of this program's kernels, on a device of this compute capability (90).
class ProgramLines {
 public:
  explicit ProgramLines(int compute_capability) : compute_capability_(compute_capability) {}
  // nullptr when the program has no machine code of that function for the device, or the code no lines. Never throws.
  const LineTable* of(const std::string& function);

 private:
  int compute_capability_;
  std::optional<std::vector<std::vector<std::uint8_t>>> unpacked_;  // machine code that is compressed in the program
  std::map<std::string, std::optional<LineTable>> known_;
};

// The line that a memory instruction counts for, "csr_vector.hpp:41", by the rule of the emulator (kernels/simt): an
// accessor, and whoever hands a simt::Where on to one, stands for the line that calls it. "" without frames.
std::string site_of(const std::vector<SourceFrame>& frames);

}  // namespace warpspy
