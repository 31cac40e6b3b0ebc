// What nvcc made of the kernels' code. The emulator, which runs another compiler's, asks here.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace warpspy {

// Instructions of a part of a kernel's code: all of them, and those that are steps of a trace.
struct CodePart {
  int instructions = 0;
  int memory = 0, shared = 0, between = 0;  // to memory; to shared memory; between lanes
  int steps() const { return memory + shared + between; }
  bool operator==(const CodePart&) const = default;
};

// Of compute capability 9.0, where loads ask nothing of the caches (CachePolicy::plain).
struct MachineCode {
  std::string toolkit;                                // nvcc's: "13.0.88"
  std::map<std::string, std::string> kernels;         // kernel_code() of each when it was compiled
  std::map<std::string, int, std::less<>> registers;  // of a thread, by code_name()
  // The whole, then each loop without those inside it (profiling/cupti/code_parts.hpp), by code_name().
  std::map<std::string, std::vector<CodePart>, std::less<>> parts = {};

  // 0: this code is not there.
  int registers_of(std::string_view code) const {
    const auto at = registers.find(code);
    return at == registers.end() ? 0 : at->second;
  }
};

// What a kernel's code is called, whoever compiled it: "CsrVector::Code<float, int, int, 8, plain>".
// `code`: the type that the emulator runs.
std::string code_name(const std::type_info& code);
// Of a function in machine code, by its mangled name; empty where it is none of a kernel's, or a version of it whose
// loads ask something of the caches.
std::string code_name(const std::string& function);

}  // namespace warpspy
