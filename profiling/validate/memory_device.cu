// The experiments of memory_system.hpp as CUDA kernels. They access the same addresses as the traces there.
#include <cuda_runtime.h>

#include "kernels/device/cuda.hpp"
#include "profiling/ceilings/micro.hpp"
#include "profiling/validate/memory_system.hpp"

namespace warpspy {
namespace {

constexpr int block = 256, per_warp = 8;

__device__ float load(const float* p, bool past_l1) {
  float v;
  // Volatile, so that two loads of the same address are not merged.
  if (past_l1)
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p));
  else
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}

__device__ std::uint64_t scrambled(std::uint64_t v) {
  v = (v ^ (v >> 31)) * 0x9E3779B97F4A7C15u;
  v = (v ^ (v >> 29)) * 0xBF58476D1CE4E5B9u;
  return v ^ (v >> 32);
}

__global__ void read_twice(const float* a, std::int64_t chunk, bool past_l1, float* out) {
  float sum = 0;
  for (int time = 0; time < 2; ++time)
    for (std::int64_t i = threadIdx.x; i < chunk; i += blockDim.x) sum += load(a + blockIdx.x * chunk + i, past_l1);
  if (sum == 1.2345e30f) *out = sum;
}

// Lane l of instruction i of a warp accesses word f(number of this access).
__global__ void touch(float* a, Pattern pattern, std::int64_t step, std::int64_t words, std::int64_t count,
                      float* out) {
  const std::int64_t warp = blockIdx.x * std::int64_t{block / 32} + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  float sum = 0;
  for (int i = 0; i < per_warp; ++i) {
    const std::int64_t n = (warp * per_warp + i) * 32 + lane;
    if (n >= count) break;
    switch (pattern) {
      case Pattern::gather:
        sum += load(a + scrambled(static_cast<std::uint64_t>(n) + 1) % words, false);
        break;
      case Pattern::store:
        a[n * step] = static_cast<float>(n);
        break;
      case Pattern::reduction:
        atomicAdd(a + (n / 32) % (words / 32) * 32 + lane, 1.f);
        break;
      default:
        sum += load(a + n * step, false);
    }
  }
  if (sum == 1.2345e30f) *out = sum;
}

// All blocks run at once and read `a` together.
__global__ void read_circle(const float* a, std::int64_t count, float* out) {
  float sum = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * block;
  for (std::int64_t n = blockIdx.x * std::int64_t{block} + threadIdx.x; n < count; n += step) sum += load(a + n, false);
  if (sum == 1.2345e30f) *out = sum;
}

}  // namespace

DeviceExperiment on_device(const Experiment& e, int sms, double l2_bytes) {
  const bool twice = e.pattern == Pattern::twice || e.pattern == Pattern::twice_cg;
  const bool circle = e.pattern == Pattern::one_wave;
  const bool warm = e.pattern == Pattern::sequential || e.pattern == Pattern::gather || circle;
  const bool apart = e.pattern == Pattern::stride || e.pattern == Pattern::store;
  const double accesses = accesses_of(e, sms, l2_bytes);
  const double bytes = twice ? e.bytes * sms : apart ? accesses * e.bytes : e.bytes;
  const auto memory = std::make_shared<cuda::DeviceBytes>(static_cast<std::size_t>(bytes) + 256);
  cuda::check(cudaMemset(memory->data(), 0, memory->bytes()), "clearing the memory of an experiment");
  const auto once = [=] {
    auto* a = static_cast<float*>(memory->data());
    float* out = a + memory->bytes() / 4 - 1;
    const auto count = static_cast<std::int64_t>(accesses);
    if (twice) {
      read_twice<<<static_cast<unsigned>(sms), 1024>>>(a, static_cast<std::int64_t>(e.bytes) / 4,
                                                       e.pattern == Pattern::twice_cg, out);
    } else if (circle) {
      read_circle<<<static_cast<unsigned>(sms * blocks_of_a_wave), block>>>(a, count, out);
    } else {
      const auto words = static_cast<std::int64_t>(bytes / 4);
      touch<<<static_cast<unsigned>((count + block * per_warp - 1) / (block * per_warp)), block>>>(
          a, e.pattern, apart ? static_cast<std::int64_t>(e.bytes) / 4 : 1, words, count, out);
    }
    cuda::check(cudaGetLastError(), "launching an experiment");
    cuda::check(cudaDeviceSynchronize(), "running an experiment");
  };
  // L2 reaches its steady state after some products.
  if (warm)
    return {[once] {
              for (int i = 0; i < 6; ++i) once();
            },
            once};
  // Reads far more than L2 holds. So no dirty data is left that would be written back during the experiment.
  const auto other = std::make_shared<micro::Benchmark>(micro::read(std::size_t{512} << 20, {.sms = sms}));
  return {[other] {
            other->product->launch(nullptr);
            cuda::check(cudaDeviceSynchronize(), "flushing L2");
          },
          once};
}

}  // namespace warpspy
