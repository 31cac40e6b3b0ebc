// nvcc -O3 -lineinfo -arch=sm_90 -cubin -o lines.cubin lines.cu (CUDA 13.0): accessors as in kernels/simt.
struct Where {};
__device__ __forceinline__ float ld(const float* p, int i, Where = {}) { return __ldg(p + i); }
__device__ __forceinline__ void st(float* p, int i, float v, Where = {}) { p[i] = v; }
__device__ __forceinline__ void store_twice(float* p, int i, float v, Where where = {}) {
  st(p, i, 2 * v, where);
}
__device__ __forceinline__ float difference(const float* x, int i) {
  return ld(x, i + 1) -
         ld(x, i);
}
extern "C" __global__ void derive(const float* x, float* y) {
  const int i = threadIdx.x;
  store_twice(y, i, difference(x, i));
}
extern "C" __global__ void copy(const float* x, float* y) {
  st(y, threadIdx.x, ld(x, threadIdx.x));
}
