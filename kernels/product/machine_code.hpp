// Registers and instructions of the code that nvcc makes of the kernels. The emulator runs another compiler's code, so
// the model of a GPU takes these numbers from here.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace warpspy {

// Tells how many instructions a part of a kernel's code has: all, and those that the emulator records in its trace.
struct CodePart {
  int instructions = 0;
  int memory = 0, shared = 0, between = 0;  // accesses to memory, accesses to shared memory, exchanges between lanes
  int steps() const { return memory + shared + between; }
  bool operator==(const CodePart&) const = default;
};

// Tells how many instructions a warp issues: some once, and some for each step of its trace (an access to memory or
// shared memory, or an exchange between lanes). Code that was never compiled for a GPU gets the median over the
// kernels' loops.
struct IssuedByWarp {
  double once = 50, each_step = 6;
  double of(double warps, double steps) const { return warps * once + steps * each_step; }
  IssuedByWarp times(double factor) const { return {once * factor, each_step * factor}; }
  bool operator==(const IssuedByWarp&) const = default;
};
// Computes this from the instructions of a function and of its loops. Instructions outside of loops are issued once.
// Each step takes as many instructions as a step does on average in the loops that have steps. The code does not tell
// which loop a step belongs to, or which branches are taken; MachineCode::counted corrects that for a kernel as a
// whole.
IssuedByWarp issued_by(const std::vector<CodePart>& parts);

// The machine code for compute capability 9.0, in the version with plain loads (CachePolicy::plain).
struct MachineCode {
  std::string toolkit;                                // nvcc's: "13.0.88"
  std::map<std::string, std::string> kernels;         // kernel_code() of each when it was compiled
  std::map<std::string, int, std::less<>> registers;  // registers of a thread, by code_name()
  // The whole code, then each loop without the loops inside it (profiling/cupti/code_parts.hpp), by code_name().
  std::map<std::string, std::vector<CodePart>, std::less<>> parts = {};
  // By kernel: (instructions that a GPU counted) / (instructions computed from the parts), if they were counted.
  std::map<std::string, double, std::less<>> counted = {};

  // 0 if this code is missing.
  int registers_of(std::string_view code) const {
    const auto at = registers.find(code);
    return at == registers.end() ? 0 : at->second;
  }
  // The instructions of one launch's code, multiplied by the factor that a GPU counted for the kernel.
  IssuedByWarp issued_by(std::string_view code, std::string_view kernel) const;
};

// The name of a kernel's code, the same for every compiler: "CsrVector::Code<float, int, int, 8, plain>". `code`: the
// type that the emulator runs.
std::string code_name(const std::type_info& code);
// The name of a function in machine code, from its mangled name. Empty if it is no kernel's, or a version with another
// cache policy than plain.
std::string code_name(const std::string& function);

}  // namespace warpspy
