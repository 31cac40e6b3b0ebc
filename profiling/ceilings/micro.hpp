// The kernels of the micro-benchmarks, each one as a product that the timer can take. Builds with CUDA only.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kernels/product/product.hpp"

namespace warpspy::micro {

// A kernel, and how much one launch of it does.
struct Benchmark {
  std::unique_ptr<DeviceProduct> product;
  double amount = 0;  // per launch: bytes, or flops
  std::string how;    // one line
};

// The facts about a device that the kernels need.
struct Shape {
  int sms = 1;
  std::size_t l1_chunk = 16 << 10;  // bytes that each block reads again and again; two blocks per SM
};

// The next functions throw Error when CUDA reports a failure or the device has too little memory.
Benchmark copy(std::size_t bytes, const Shape& s);  // `bytes` of each of the two arrays
Benchmark read(std::size_t bytes, const Shape& s);
Benchmark triad(std::size_t bytes, const Shape& s);  // `bytes` of each of the three arrays
// All blocks read the same `bytes` past L1 (ld.global.cg), over and over until about `total` bytes were read.
Benchmark read_again(std::size_t bytes, double total, const Shape& s);
// Reads 8 bytes each of random 32-byte sectors within `bytes` (a power of two). The amount counts whole sectors.
Benchmark gather(std::size_t bytes, const Shape& s);
Benchmark l1_read(const Shape& s);
Benchmark shared_read(const Shape& s);
Benchmark fma_f32(const Shape& s);
Benchmark fma_f64(const Shape& s);
Benchmark empty();  // a kernel that does nothing; amount 0

}  // namespace warpspy::micro
