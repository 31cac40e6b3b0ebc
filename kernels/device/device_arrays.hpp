// Arrays of a format that stay on a CUDA device between products: a search for parameters makes many of one format, and
// copying it there takes far longer than a product. Only builds with CUDA define it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/format.hpp"
#include "kernels/device/cuda.hpp"

namespace warpspy {

// What a kernel makes of a format before its first product: the same for all products with the same parameters of its
// own. In the order in which its layout asks for it.
struct PreparedArrays {
  std::vector<std::shared_ptr<const void>> results;
  std::vector<cuda::DeviceBytes> arrays;
};

class DeviceArrays {
 public:
  explicit DeviceArrays(std::shared_ptr<const Format> format);

  // Where the array that begins at `host` lies on the device, copied there when it is first asked for; nullptr for what
  // is no array of the format, since another one may later lie at the same place of the host.
  void* find(const void* host, std::size_t bytes);
  // Of a kernel with its parameters, or with one of its arrays that do not hang on these; empty when it is asked for
  // the first time. The last few stay.
  std::shared_ptr<PreparedArrays> prepared(const std::string& of);
  // Another place for the arrays of the same format, with nothing in it yet. It shares what kernels made on the host.
  std::shared_ptr<DeviceArrays> elsewhere() const;

 private:
  std::shared_ptr<const Format> format_;  // lives as long, or another one's arrays could lie where its were
  std::set<const void*> of_format_;
  std::map<const void*, cuda::DeviceBytes> there_;
  std::vector<std::pair<std::string, std::shared_ptr<PreparedArrays>>> prepared_;  // used last: at the end
};

}  // namespace warpspy
