// Makes the row of a kernel from its file.
#pragma once

#include "kernels/product/row.hpp"
#include "kernels/spmv/spmv.hpp"
#include "kernels/table/shards.hpp"

namespace warpspy {

// Makes the row. `emulate` and `on_device` make products from the compiled versions of its code; nullptr: there is
// none.
template <class Kernel>
KernelRow row_of(Emulator emulate, CudaLauncher on_device) {
  KernelRow row{.info = kernel_info<Kernel>(), .emulate = emulate, .on_device = on_device};
  if constexpr (requires { Kernel::reads_pointers; }) row.reads_pointers = Kernel::reads_pointers;
  if constexpr (requires { Kernel::reads_indices; }) row.reads_indices = Kernel::reads_indices;
  row.common = [](const ParamSet& params) { return read_fields(common_fields_of<Kernel>(), params); };
  using Params = typename Kernel::Params;
  if constexpr (requires(const Params& p) { Kernel::rows_per_block(p); })
    row.rows_per_block = [](const ParamSet& p) { return Kernel::rows_per_block(read_fields(Kernel::fields(), p)); };
  if constexpr (requires(const Params& p) { Kernel::stride(p); })
    row.stride = [](const ParamSet& p) { return Kernel::stride(read_fields(Kernel::fields(), p)); };
  return row;
}

}  // namespace warpspy
