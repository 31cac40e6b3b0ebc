// Registers and instructions of nvcc's code for the kernels. The emulator runs another compiler's code, so it reads
// them here.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace warpspy {

// Instructions of a part of a kernel's code: all, and those that are steps of a trace.
struct CodePart {
  int instructions = 0;
  int memory = 0, shared = 0, between = 0;  // accesses to memory, accesses to shared memory, exchanges between lanes
  int steps() const { return memory + shared + between; }
  bool operator==(const CodePart&) const = default;
};

// What a warp issues: so many instructions once, and so many for each step of its trace (to memory, to shared memory,
// between lanes). Of code that was never compiled for a GPU: what the kernels' loops have in the median.
struct IssuedByWarp {
  double once = 50, each_step = 6;
  double of(double warps, double steps) const { return warps * once + steps * each_step; }
  IssuedByWarp times(double factor) const { return {once * factor, each_step * factor}; }
  bool operator==(const IssuedByWarp&) const = default;
};
// By the instructions of a function and of its loops: what stands outside of loops is issued once, and a step takes
// what it does in the loops that have any. The code does not say which loop a step belongs to, which branch is not
// taken, and which loads are left out though they are issued: MachineCode::counted does, for a kernel as a whole.
IssuedByWarp issued_by(const std::vector<CodePart>& parts);

// Of compute capability 9.0, where loads ask nothing of the caches (CachePolicy::plain).
struct MachineCode {
  std::string toolkit;                                // nvcc's: "13.0.88"
  std::map<std::string, std::string> kernels;         // kernel_code() of each when it was compiled
  std::map<std::string, int, std::less<>> registers;  // registers of a thread, by code_name()
  // The whole code, then each loop without the loops inside it (profiling/cupti/code_parts.hpp), by code_name().
  std::map<std::string, std::vector<CodePart>, std::less<>> parts = {};
  // By kernel: how many times the instructions that its parts tell a GPU counted, where one did.
  std::map<std::string, double, std::less<>> counted = {};

  // 0 if this code is missing.
  int registers_of(std::string_view code) const {
    const auto at = registers.find(code);
    return at == registers.end() ? 0 : at->second;
  }
  // Of a code of a kernel, with what a GPU counted of the kernel.
  IssuedByWarp issued_by(std::string_view code, std::string_view kernel) const;
};

// The name of a kernel's code, the same for every compiler: "CsrVector::Code<float, int, int, 8, plain>". `code`: the
// type that the emulator runs.
std::string code_name(const std::type_info& code);
// The name of a function in machine code, from its mangled name. Empty if it is no kernel's, or a version with another
// cache policy than plain.
std::string code_name(const std::string& function);

}  // namespace warpspy
