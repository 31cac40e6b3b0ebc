// Arrays of a format that stay on a CUDA device between products: a search for parameters runs many products of one
// format, and copying the format takes far longer than a product. Only builds with CUDA define it.
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
#include "kernels/device/device.hpp"

namespace warpspy {

// Arrays that a kernel makes from a format before its first product. They are the same for all products with the same
// parameters of the kernel. They stand in the order in which its layout asks for them.
struct PreparedArrays {
  std::vector<std::shared_ptr<const void>> results;  // made on the host
  std::vector<cuda::DeviceBytes> arrays;             // their copies on the device
  std::vector<std::shared_ptr<const void>> there;    // made on the device (prepared.hpp)
};

class DeviceArrays {
 public:
  explicit DeviceArrays(std::shared_ptr<const Format> format, std::vector<ThereArray> made = {});

  // The device's copy of the array at `host`; it is copied when first asked for, if it was not made there. nullptr if
  // it is no array of the format, since another array may later lie at the same host address.
  void* find(const void* host, std::size_t bytes);
  void copy_all();  // those that are not there
  // Returns the arrays that a kernel has prepared. `of` names the kernel with its parameters, or an array that does not
  // depend on these. They are empty when first asked for. The last few are kept.
  std::shared_ptr<PreparedArrays> prepared(const std::string& of);
  // A new, empty place on the device for the arrays of the same format. It shares the arrays that kernels made on the
  // host.
  std::shared_ptr<DeviceArrays> elsewhere() const;
  // Shares the format's arrays, but not the arrays that kernels have prepared from them.
  std::shared_ptr<DeviceArrays> unprepared() const;

 private:
  std::shared_ptr<const Format> format_;  // kept alive, since another format's arrays could get the same addresses
  std::set<const void*> of_format_;
  struct There {
    std::shared_ptr<void> memory;
    std::size_t bytes = 0;
  };
  std::map<const void*, There> there_;
  std::vector<std::pair<std::string, std::shared_ptr<PreparedArrays>>> prepared_;  // the last used stand at the end
};

}  // namespace warpspy
