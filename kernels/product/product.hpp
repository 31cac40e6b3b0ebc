// One product made ready to run, in the emulator or on a CUDA device: y = alpha A x + beta y, or what the kernel's
// Operation says instead.
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
  std::span<const double> y{};  // what y holds before, with beta != 0: output_size() numbers
  // On a device: where arrays of the format stay between products. None: each product has its own.
  std::shared_ptr<DeviceArrays> kept = {};
  // In the emulator: what a compiler for GPUs made of the code. nullptr: nobody tells.
  const MachineCode* machine_code = nullptr;
};

// A block with a long row, column or slice of the matrix: few rows may be most of a product's time, and a sample of its
// blocks misses them.
struct LongestSegment {
  std::int64_t block = 0;
  std::int64_t entries = 0;  // stored ones
};

struct LaunchShape {
  std::int64_t grid = 0;           // blocks
  int block = 0;                   // threads per block
  int shared_bytes = 0;            // per block
  int registers = 0;               // per thread; 0: nobody told, as of code that was never compiled for a GPU
  std::string code = {};           // its name in MachineCode; "": nobody told
  bool overlap = false;            // with the launch before, where the device can
  int loads_in_flight = 4;         // of one array, of a warp, as its loop was compiled
  int matrix_in_flight = 0;        // of those that lead nowhere; 0: as many
  double instructions = 7;         // of a warp, for each memory or warp-wide one and each access to shared memory
  double shared_instructions = 0;  // for the latter, where they are others; 0: as many
  // The longest one, then shorter ones, each of another length; none where the kernel does not tell. Where the first
  // would take more than a sample may, another one tells of it.
  std::vector<LongestSegment> longest = {};
  // Entries and rows (or columns, slices) of each block: what it does is about so much. nullptr, or none: blocks do
  // about the same, or nobody told.
  std::shared_ptr<const std::vector<double>> block_sizes = {};
  // The first block of each further section of the grid that does another kind of work than those before it, so that a
  // sample has blocks of each.
  std::vector<std::int64_t> sections = {};
};

// A product, ready to run launch by launch and block by block in the emulator. A launch begins when all blocks of the
// one before have run. Blocks of a launch are independent: emulate_block may be called from several threads for
// different ones. y is NaN where no block has written it (and beta is 0).
class EmulatedProduct {
 public:
  virtual ~EmulatedProduct() = default;
  virtual const std::vector<LaunchShape>& launches() const = 0;
  virtual const std::vector<simt::ArrayInfo>& arrays() const = 0;
  // Grows while blocks run; stable once they are done. Numbers are given as lines are first seen: sort by Site to
  // print.
  virtual const std::vector<simt::Site>& sites() const = 0;
  // Executes one block; appends its accesses to *trace when given, and puts its atomic additions into *later when
  // given. Throws Error on an out-of-bounds access (kernel, line, array, index, size), on lanes that wait for ever, and
  // on races with a thread of this block or of one that ran before (both lines and threads, array, index).
  virtual void emulate_block(int launch, std::int64_t block, simt::BlockTrace* trace,
                             simt::Additions* later = nullptr) = 0;
  // These warps of a block, for a sample inside it; the warps outside run up to the first block barrier, if there is
  // one, and what the trace has of them is of that. False, and nothing of the trace is of use, when the warps cannot do
  // without the others.
  virtual bool emulate_warps(int /*launch*/, std::int64_t /*block*/, simt::WarpRange /*warps*/,
                             simt::BlockTrace* /*trace*/, simt::Additions* /*later*/) {
    return false;
  }
  // Rows [first, second) whose y is complete once this block of the only launch (and nothing else) ran; nothing for a
  // kernel whose rows are completed by several blocks or launches.
  virtual std::optional<std::pair<index_t, index_t>> rows_of_block(std::int64_t block) const = 0;
  virtual std::vector<double> y() const = 0;
  // Microseconds that this machine spent once, before the first product, beyond the format itself.
  virtual double setup_us() const { return 0; }
};

// The same with its arrays on a CUDA device. y is NaN where no launch has written it (and beta is 0).
class DeviceProduct {
 public:
  virtual ~DeviceProduct() = default;
  virtual const std::vector<LaunchShape>& launches() const = 0;  // registers as compiled; empty for a library's kernel
  // Enqueues one product. `stream` is a cudaStream_t.
  virtual void launch(void* stream) = 0;
  // Enqueues launch `index` of launches() alone: together, in order, they are the product.
  virtual void launch_one(std::size_t /*index*/, void* /*stream*/) {}
  virtual std::vector<double> y() = 0;  // synchronises and copies back
  // Of all that it reads and writes there, arrays that it shares with others of the same format among them.
  virtual std::size_t device_bytes() const = 0;
  // Microseconds that were spent once, before the first product, beyond the format itself (a library's analysis, an
  // order of rows).
  virtual double setup_us() const { return 0; }
  // Of its matrix, what L2 is asked to let go last (0 to 1). Such lines outlive the product by far.
  virtual double evict_last_share() const { return 0; }
};

}  // namespace warpspy
