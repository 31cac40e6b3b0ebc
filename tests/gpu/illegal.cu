// A kernel that no test machine should have to run twice: it loses its device.
#include <cuda_runtime.h>

namespace warpspy::testing {

__global__ void write_to_nothing(double* nothing) { nothing[threadIdx.x] = 1; }

void launch_illegal(void* stream) {
  write_to_nothing<<<1, 32, 0, static_cast<cudaStream_t>(stream)>>>(reinterpret_cast<double*>(8));
}

}  // namespace warpspy::testing
