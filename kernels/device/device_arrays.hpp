// Arrays of a format that stay on a CUDA device between products: a search for parameters makes many of one format, and
// copying it there takes far longer than a product. Only builds with CUDA define it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>

#include "core/formats/format.hpp"
#include "kernels/device/cuda.hpp"

namespace warpspy {

class DeviceArrays {
 public:
  explicit DeviceArrays(std::shared_ptr<const Format> format);

  // Where the array that begins at `host` lies on the device, copied there when it is first asked for; nullptr for what
  // is no array of the format, since another one may later lie at the same place of the host.
  void* find(const void* host, std::size_t bytes);

 private:
  std::shared_ptr<const Format> format_;  // lives as long, or another one's arrays could lie where its were
  std::set<const void*> of_format_;
  std::map<const void*, cuda::DeviceBytes> there_;
};

}  // namespace warpspy
