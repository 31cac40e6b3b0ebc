#if defined(WARPSPY_HAVE_CUPTI_HEADER)

#include "profiling/cupti/context.hpp"

#include <dlfcn.h>

#include "kernels/device/cuda.hpp"
#include "profiling/cupti/failure.hpp"

namespace warpspy::cupti {

CUcontext current_context() {
  cuda::check(cudaFree(nullptr), "starting CUDA");
  // Looked up by name, so that the program need not be linked with the driver.
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  using GetCurrent = CUresult (*)(CUcontext*);
  const auto get = driver ? reinterpret_cast<GetCurrent>(dlsym(driver, "cuCtxGetCurrent")) : nullptr;
  CUcontext context = nullptr;
  if (!get || get(&context) != CUDA_SUCCESS || !context)
    throw CounterFailure("the CUDA driver tells no context to profile", "start Warpspy again", true);
  return context;
}

std::string chip_of(const Functions& f, int ordinal) {
  WARPSPY_CUPTI_PARAMS(CUpti_Device_GetChipName, p);
  p.deviceIndex = static_cast<std::size_t>(ordinal);
  check(f.chip_name(&p), "asking for the chip's name");
  return p.pChipName;
}

}  // namespace warpspy::cupti

#endif
