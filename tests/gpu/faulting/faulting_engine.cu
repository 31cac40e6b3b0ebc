// A kernel that never ends, of which no test machine should have more than one at a time.
#include <cuda_runtime.h>

namespace warpspy::testing {

__global__ void go_round(volatile int* on) {
  while (*on != 0) {
  }
}

void launch_endless(void* stream) {
  static int* on = nullptr;
  if (!on) {
    const int one = 1;
    cudaMalloc(&on, sizeof one);
    cudaMemcpy(on, &one, sizeof one, cudaMemcpyHostToDevice);
  }
  go_round<<<1, 32, 0, static_cast<cudaStream_t>(stream)>>>(on);
}

}  // namespace warpspy::testing
