// One product y = A x made ready to run, in the emulator or on a CUDA device.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/matrix/types.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

struct LaunchShape {
  std::int64_t grid = 0;  // blocks
  int block = 0;          // threads per block
  int shared_bytes = 0;   // per block
  int registers = 32;     // per thread; an estimate in the emulator
};

// y = A x, ready to run block by block in the emulator. Blocks are independent: emulate_block may be called from
// several threads for different blocks. y is NaN where no block has written it.
class EmulatedProduct {
 public:
  virtual ~EmulatedProduct() = default;
  virtual LaunchShape shape() const = 0;
  virtual const std::vector<simt::ArrayInfo>& arrays() const = 0;
  // Grows while blocks run; stable once they are done. Numbers are given as lines are first seen: sort by Site to
  // print.
  virtual const std::vector<simt::Site>& sites() const = 0;
  // Executes one block; appends its accesses to *trace when given. Throws Error on an out-of-bounds access (kernel,
  // line, array, index, size) and on lanes that wait for ever.
  virtual void emulate_block(std::int64_t block, simt::BlockTrace* trace) = 0;
  // Rows [first, second) whose y is complete once this block (and nothing else) ran.
  virtual std::pair<index_t, index_t> rows_of_block(std::int64_t block) const = 0;
  virtual std::vector<double> y() const = 0;
};

// y = A x with its arrays on a CUDA device. y is NaN where no launch has written it.
class DeviceProduct {
 public:
  virtual ~DeviceProduct() = default;
  virtual LaunchShape shape() const = 0;  // registers as compiled
  // Enqueues one product. `stream` is a cudaStream_t.
  virtual void launch(void* stream) = 0;
  virtual std::vector<double> y() = 0;  // synchronises and copies back
  virtual std::size_t device_bytes() const = 0;
};

}  // namespace warpspy
