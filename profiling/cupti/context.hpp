// The CUDA context and the chip that are profiled. Private to the folder; in builds with CUPTI's headers only.
#pragma once

#include <string>

#include "profiling/cupti/functions.hpp"

namespace warpspy::cupti {

// The runtime's, of the device that is current on this thread. Throws CounterFailure.
CUcontext current_context();
// "GH100". Throws CounterFailure.
std::string chip_of(const Functions& f, int ordinal);

// A fat binary, loaded into the current context as long as this lives; where the driver refuses it, nothing.
class LoadedModule {
 public:
  explicit LoadedModule(const void* fat_binary);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  // Asks for one of its kernels; what it does not have is left alone.
  void load(const std::string& function) const;

 private:
  CUmodule module_ = nullptr;
};

}  // namespace warpspy::cupti
