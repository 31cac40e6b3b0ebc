#include "kernels/device/architectures.hpp"

#include <algorithm>

namespace warpspy {
namespace {

#if defined(WARPSPY_COMPILED_GPU_CODE)
constexpr GpuCode compiled[] = {WARPSPY_COMPILED_GPU_CODE};
#endif

std::string list_of(std::span<const GpuCode> code, bool ptx) {
  std::string text;
  for (const GpuCode& c : code)
    if (c.ptx == ptx) text += (text.empty() ? "" : ", ") + capability_text(c.capability);
  return text;
}

}  // namespace

std::span<const GpuCode> compiled_gpu_code() {
#if defined(WARPSPY_COMPILED_GPU_CODE)
  return compiled;
#else
  return {};
#endif
}

std::string compiled_by() {
#if defined(WARPSPY_CUDA_COMPILER)
  return WARPSPY_CUDA_COMPILER;
#else
  return "";
#endif
}

int used_on(std::span<const GpuCode> code, int capability) {
  int real = 0, ptx = 0;
  for (const GpuCode& c : code) {
    if (c.capability > capability) continue;
    if (c.ptx) ptx = std::max(ptx, c.capability);
    if (!c.ptx && c.capability / 10 == capability / 10) real = std::max(real, c.capability);
  }
  return real > 0 ? real : ptx;
}

bool runs_on(std::span<const GpuCode> code, int capability) { return used_on(code, capability) > 0; }

std::string capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

std::string text_of(std::span<const GpuCode> code) {
  const std::string real = list_of(code, false), ptx = list_of(code, true);
  if (real.empty() && ptx.empty()) return "none";
  return (real.empty() ? "" : "machine code of " + real) + (real.empty() || ptx.empty() ? "" : "; ") +
         (ptx.empty() ? "" : "PTX of " + ptx);
}

NoGpuCode why_no_code(std::span<const GpuCode> code, const std::string& device, int capability) {
  const std::string wanted = capability_text(capability);
  return {.reason = "this program has no code for the " + device + " (compute capability " + wanted + "; it has " +
                    text_of(code) + ")",
          .remedy = "build it on this machine, or with: cmake --preset release -DWARPSPY_GPUS=" + wanted +
                    " && cmake --build build/release"};
}

}  // namespace warpspy
