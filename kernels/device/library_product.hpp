// A library's product on a CUDA device, whose x and y can lie in memory that others write and read too.
#pragma once

#include "kernels/product/product.hpp"

namespace warpspy {

class LibraryProduct : public DeviceProduct {
 public:
  // Elements of x and y: those of the matrix, and zeros behind them where the library needs whole blocks.
  virtual index_t x_size() const = 0;
  virtual index_t y_size() const = 0;
  // From now on reads x there and writes y there; its own x and y are freed. What the library prepares is made again,
  // and setup_us() is that of the last time. Throws Error when the library refuses.
  virtual void use_vectors(void* x, void* y) = 0;
};

}  // namespace warpspy
