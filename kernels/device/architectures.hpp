// Tells for which GPUs this program has code. It needs no CUDA header and works in every build.
#pragma once

#include <span>
#include <string>

namespace warpspy {

// Machine code runs on GPUs of the same major version that are not older. PTX runs on any GPU that is not older: its
// driver makes machine code from it.
struct GpuCode {
  int capability = 0;  // 86 = 8.6
  bool ptx = false;
};

// The code that CMake built; empty in a build without CUDA.
std::span<const GpuCode> compiled_gpu_code();
// The version of nvcc that compiled it: "13.0.88"; empty in a build without CUDA.
std::string compiled_by();

bool runs_on(std::span<const GpuCode> code, int capability);
// The compute capability of the code that a GPU runs: the newest machine code that fits, else the newest PTX; 0: none.
// It decides which features the sources could use.
int used_on(std::span<const GpuCode> code, int capability);
// The code in words: "machine code of 8.6, 9.0; PTX of 9.0"; "none".
std::string text_of(std::span<const GpuCode> code);
std::string capability_text(int capability);  // "8.6"

// Tells why the program has no code for a GPU, and the command that changes that; one line each.
struct NoGpuCode {
  std::string reason, remedy;
};
NoGpuCode why_no_code(std::span<const GpuCode> code, const std::string& device, int capability);

}  // namespace warpspy
