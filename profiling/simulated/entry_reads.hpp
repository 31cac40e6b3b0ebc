// Who reads which entry: a product in the emulator, its accesses followed back to the entries of the matrix.
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

// Fills in what is read of the rows [to.row_begin, to.row_end): entries, parts, share, notes. Blocks run in order
// through the caches of the GPU, which begin empty. Where all of them would be more than the limits allow, some run,
// evenly spread, without effect on y; of a kernel that does not tell which rows a block has, these are of the whole
// matrix. Deterministic. Throws Cancelled, Error where the memory does not do, and the emulator's Error.
void trace_reads(const TracedProduct& traced, const GpuSpec& gpu, const TraceLimits& limits, EntryTrace& to,
                 Progress& progress);

// The parts of the format alone, where the kernel cannot be emulated: every entry, as if its block had not run.
void trace_storage(const Format& format, const Csr& matrix, const TraceLimits& limits, EntryTrace& to,
                   Progress& progress);

}  // namespace warpspy
