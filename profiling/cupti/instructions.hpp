// Counts per instruction on the device that is current on this thread, by CUPTI's SASS metrics: CUPTI patches a
// kernel's code so that it counts itself. Private to the folder; in builds with CUPTI's headers only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profiling/cupti/functions.hpp"
#include "profiling/cupti/line_table.hpp"
#include "profiling/cupti/lines.hpp"

namespace warpspy::cupti {

// What `launch`, which runs one kernel to its end, does. Nothing else may count on the device meanwhile. Throws
// CounterFailure, and whatever launch() throws.
std::vector<InstructionCounts> count_instructions(const Functions& f, CUcontext context, int ordinal,
                                                  const std::function<void()>& launch);

// Line tables of kernels of this program. The driver unpacks its fat binaries once more for this, and CUPTI shows what
// comes out; so it does not matter when the kernels themselves were loaded.
class ProgramLines {
 public:
  explicit ProgramLines(const Functions& f) : f_(f) {}
  // nullptr when no code of this program has lines of that function. Throws CounterFailure.
  const LineTable* of(const std::string& function);

 private:
  const Functions& f_;
  std::map<std::string, std::optional<LineTable>> known_;
};

}  // namespace warpspy::cupti
