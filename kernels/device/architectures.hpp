// Which GPUs this program has code for. Needs no CUDA header and answers in every build.
#pragma once

#include <span>
#include <string>

namespace warpspy {

// Machine code runs on GPUs of its major version that are not older; PTX is made into machine code by the driver of any
// GPU that is not older.
struct GpuCode {
  int capability = 0;  // 86 = 8.6
  bool ptx = false;
};

// As CMake built it; empty in a build without CUDA.
std::span<const GpuCode> compiled_gpu_code();
// The nvcc that did: "13.0.88"; empty in a build without CUDA.
std::string compiled_by();

bool runs_on(std::span<const GpuCode> code, int capability);
// What a GPU runs of it: the newest machine code that fits, else the newest PTX. Its capability, which decides what the
// sources asked for; 0: nothing.
int used_on(std::span<const GpuCode> code, int capability);
// "machine code of 8.6, 9.0; PTX of 9.0"; "none".
std::string text_of(std::span<const GpuCode> code);
std::string capability_text(int capability);  // "8.6"

// Why a GPU gets no code from this, and the command that changes it; one line each.
struct NoGpuCode {
  std::string reason, remedy;
};
NoGpuCode why_no_code(std::span<const GpuCode> code, const std::string& device, int capability);

}  // namespace warpspy
