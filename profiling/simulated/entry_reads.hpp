// Finds which thread reads which entry of the matrix. It emulates a product, and finds the matrix entry of each access.
#pragma once

#include "core/formats/format.hpp"
#include "core/gpu/gpu_spec.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/entry_trace.hpp"
#include "kernels/product/product.hpp"

namespace warpspy {

struct TracedProduct {
  EmulatedProduct& product;
  const Format& format;
  const Csr& matrix;
  Operation operation = Operation::product;
};

// Fills in the reads of the rows [to.row_begin, to.row_end): entries, parts, share, notes. Blocks run in order through
// the caches of the GPU, which are empty at the start. If all blocks exceed the limits, only some run, evenly spread,
// without effect on y. If the kernel does not say which rows a block has, they come from the whole matrix. The result
// is deterministic. Throws Cancelled, Error if memory is short, and the emulator's Error.
void trace_reads(const TracedProduct& traced, const GpuSpec& gpu, const TraceLimits& limits, EntryTrace& to,
                 Progress& progress);

// For a kernel that cannot be emulated: lists every entry with its part of the format, as if the blocks had not run.
void trace_storage(const Format& format, const Csr& matrix, const TraceLimits& limits, EntryTrace& to,
                   Progress& progress);

}  // namespace warpspy
