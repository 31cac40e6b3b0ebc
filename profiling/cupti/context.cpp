#if defined(WARPSPY_HAVE_CUPTI_HEADER)

#include "profiling/cupti/context.hpp"

#include <dlfcn.h>

#include "kernels/device/cuda.hpp"
#include "profiling/cupti/failure.hpp"

namespace warpspy::cupti {
namespace {

// Asked for by name: that saves linking the driver.
template <class Function>
Function of_driver(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver ? reinterpret_cast<Function>(dlsym(driver, name)) : nullptr;
}

}  // namespace

CUcontext current_context() {
  cuda::check(cudaFree(nullptr), "starting CUDA");
  const auto get = of_driver<CUresult (*)(CUcontext*)>("cuCtxGetCurrent");
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

LoadedModule::LoadedModule(const void* fat_binary) {
  const auto load = of_driver<CUresult (*)(CUmodule*, const void*)>("cuModuleLoadData");
  if (!load || load(&module_, fat_binary) != CUDA_SUCCESS) module_ = nullptr;
}

void LoadedModule::load(const std::string& function) const {
  const auto get = of_driver<CUresult (*)(CUfunction*, CUmodule, const char*)>("cuModuleGetFunction");
  CUfunction unused = nullptr;
  if (module_ && get) get(&unused, module_, function.c_str());
}

LoadedModule::~LoadedModule() {
  const auto unload = of_driver<CUresult (*)(CUmodule)>("cuModuleUnload");
  if (module_ && unload) unload(module_);
}

}  // namespace warpspy::cupti

#endif
