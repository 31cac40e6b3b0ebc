// One product that is ready to run, in the emulator or on a CUDA device: y = alpha A x + beta y, or another Operation
// of the kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/formats/format.hpp"
#include "kernels/product/machine_code.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy::simt {
class Additions;
}

namespace warpspy {

class DeviceArrays;  // kernels/device/device_arrays.hpp

struct ProductInputs {
  std::shared_ptr<const Format> format;  // the kernel's, built for `precision`; nullptr for a kernel that reads none
  Precision precision = Precision::f32;
  ParamSet params = {};         // the kernel's
  std::span<const double> x;    // input_size() numbers
  double alpha = 1, beta = 0;   // beta = 0: y is not read
  std::span<const double> y{};  // y before the product, needed if beta != 0: output_size() numbers
  // On a device: the format's arrays, which stay there between products. nullptr: each product has its own.
  std::shared_ptr<DeviceArrays> kept = {};
  // Only for the emulator: registers and instructions of nvcc's code. nullptr: not known.
  const MachineCode* machine_code = nullptr;
};

// A block with a long row, column or slice of the matrix. A few such rows may take most of a product's time, and a
// sample of blocks would miss them.
struct LongestSegment {
  std::int64_t block = 0;
  std::int64_t entries = 0;  // stored ones
};

struct LaunchShape {
  std::int64_t grid = 0;     // blocks
  int block = 0;             // threads per block
  int shared_bytes = 0;      // per block
  int registers = 0;         // per thread; 0: unknown, since the code was never compiled for a GPU
  std::string code = {};     // its name in MachineCode; "": unknown
  bool overlap = false;      // may overlap with the previous launch, if the device can
  int loads_in_flight = 4;   // of one array, of a warp, as its loop was compiled
  int matrix_in_flight = 0;  // the same for arrays without indices; 0: the same number
  IssuedByWarp issued = {};
  // The longest row (or column, slice), then shorter ones of different lengths; empty if the kernel does not tell them.
  // If the longest would take more work than a sample may, a shorter one stands for it.
  std::vector<LongestSegment> longest = {};
  // Entries plus rows (or columns, slices) of each block, about proportional to its work. nullptr or empty: all blocks
  // do about the same work, or the kernel does not tell.
  std::shared_ptr<const std::vector<double>> block_sizes = {};
  // The first block of each further section of the grid. A section does another kind of work than the ones before it,
  // and a sample has blocks of each.
  std::vector<std::int64_t> sections = {};
};

// A product, ready to run launch by launch and block by block in the emulator. A launch begins when all blocks of the
// previous launch have run. Blocks of a launch are independent: emulate_block may be called from several threads for
// different ones. y is NaN where no block has written it (and beta is 0).
class EmulatedProduct {
 public:
  virtual ~EmulatedProduct() = default;
  virtual const std::vector<LaunchShape>& launches() const = 0;
  virtual const std::vector<simt::ArrayInfo>& arrays() const = 0;
  // The source lines; the list grows while blocks run. A line gets its number when it is first reached, so sort by Site
  // to print.
  virtual const std::vector<simt::Site>& sites() const = 0;
  // Executes one block. Appends its accesses to *trace, if given. Atomic additions are put into *later, if given,
  // instead of being done. Throws Error on an access outside an array, on lanes that wait for ever, and on races with a
  // thread of this block or of an earlier one. The message names kernel, source lines, array, index and threads.
  virtual void emulate_block(int launch, std::int64_t block, simt::BlockTrace* trace,
                             simt::Additions* later = nullptr) = 0;
  // Runs some warps of a block, for a sample inside it. The other warps run only up to the first block barrier, if
  // there is one, and the trace has only that part of them. Returns false if the warps need the others after that
  // barrier; the trace must then not be used.
  virtual bool emulate_warps(int /*launch*/, std::int64_t /*block*/, simt::WarpRange /*warps*/,
                             simt::BlockTrace* /*trace*/, simt::Additions* /*later*/) {
    return false;
  }
  // The rows [first, second) whose y is complete when only this block has run. No value if a row needs several blocks
  // or launches.
  virtual std::optional<std::pair<index_t, index_t>> rows_of_block(std::int64_t block) const = 0;
  virtual std::vector<double> y() const = 0;
  // Microseconds that this machine spent once, before the first product, beyond the format itself.
  virtual double setup_us() const { return 0; }
  // Returns the array of this name that stays between products (such as a vector of a solve); empty if there is none.
  // restart() resets all such arrays, and x, to their values at the beginning.
  virtual std::vector<double> state(const std::string& /*name*/) const { return {}; }
  virtual void restart() {}
};

// A product with its arrays on a CUDA device. y is NaN where no launch has written it (and beta is 0).
class DeviceProduct {
 public:
  virtual ~DeviceProduct() = default;
  virtual const std::vector<LaunchShape>& launches() const = 0;  // with the compiled registers; empty for a library's
                                                                 // kernel
  // Enqueues one product. `stream` is a cudaStream_t.
  virtual void launch(void* stream) = 0;
  // Enqueues only launch `index` of launches(). All launches in order make the product.
  virtual void launch_one(std::size_t /*index*/, void* /*stream*/) {}
  virtual std::vector<double> y() = 0;  // synchronises and copies back
  // The bytes of all its arrays on the device, also of arrays that it shares with other products of the format.
  virtual std::size_t device_bytes() const = 0;
  // Microseconds that were spent once, before the first product, beyond the format itself (a library's analysis, an
  // order of rows).
  virtual double setup_us() const { return 0; }
  // The share of its matrix (0 to 1) that L2 is asked to evict last. Such lines stay in L2 long after the product.
  virtual double evict_last_share() const { return 0; }
  // As in EmulatedProduct. These functions wait for the device.
  virtual std::vector<double> state(const std::string& /*name*/) const { return {}; }
  virtual void restart() {}
  // Enqueues the copy of `count` elements of such an array, from `first` on, to `to` (host memory of that element's
  // type, which must stay).
  virtual void copy_state(const std::string& /*name*/, std::int64_t /*first*/, std::int64_t /*count*/, void* /*to*/,
                          void* /*stream*/) const {}
};

}  // namespace warpspy
