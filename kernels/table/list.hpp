// THE list of kernels: one line each. The emulator's table and the CUDA launchers are both made from it.
#pragma once

#include <cstddef>
#include <tuple>

#include "kernels/spmv/csr_scalar.hpp"
#include "kernels/spmv/csr_vector.hpp"
#include "kernels/spmv/ell.hpp"
#include "kernels/table/table.hpp"

namespace warpspy {

using KernelList = std::tuple<CsrScalar, CsrVector, Ell>;

// The CUDA launcher of the kernel at this place of the list; nullptr when built without CUDA.
decltype(KernelRow::on_device) cuda_launcher(std::size_t place);

}  // namespace warpspy
