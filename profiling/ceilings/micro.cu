#include <algorithm>
#include <cstdio>

#include "kernels/device/cuda.hpp"
#include "profiling/ceilings/micro.hpp"

namespace warpspy::micro {
namespace {

constexpr int block = 512;
constexpr int chains = 8;  // independent multiply-adds per thread, enough to hide their latency
constexpr int fma_rounds = 2048;
constexpr int cache_rounds = 256;
constexpr int gathers = 8, gather_rounds = 64, doubles_of_sector = 4;

// Results are stored only if they are a number that never occurs: so the compiler cannot remove the loads.
__device__ void keep(float4 v, float* out) {
  if (v.x + v.y + v.z + v.w == 1.2345e30f) *out = v.x;
}
__device__ void add(float4& sum, float4 v) { sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w; }

// Four loads are in flight at a time; loads and stores are streaming, since no line is accessed again.
__global__ void copy_kernel(const float4* from, float4* to, std::size_t n) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  for (; i + 3 * threads < n; i += 4 * threads) {
    const float4 a = __ldcs(from + i), b = __ldcs(from + i + threads), c = __ldcs(from + i + 2 * threads),
                 d = __ldcs(from + i + 3 * threads);
    __stcs(to + i, a), __stcs(to + i + threads, b), __stcs(to + i + 2 * threads, c), __stcs(to + i + 3 * threads, d);
  }
  for (; i < n; i += threads) to[i] = from[i];
}

__global__ void triad_kernel(float4* a, const float4* b, const float4* c, float s, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const float4 x = b[i], y = c[i];
    a[i] = {x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w};
  }
}

// Four loads are in flight at a time. If n is no multiple of 4 x the grid's threads, the rest is read one by one.
__global__ void read_kernel(const float4* from, std::size_t n, int rounds, float* out) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  float4 sum{};
  for (int r = 0; r < rounds; ++r) {
    std::size_t i = first;
    for (; i + 3 * threads < n; i += 4 * threads) {
      const float4 a = __ldcg(from + i), b = __ldcg(from + i + threads), c = __ldcg(from + i + 2 * threads),
                   d = __ldcg(from + i + 3 * threads);
      add(sum, a), add(sum, b), add(sum, c), add(sum, d);
    }
    for (; i < n; i += threads) add(sum, __ldcg(from + i));
  }
  keep(sum, out);
}

// Eight loads are in flight at a time, each of another sector. The numbers come from a linear congruence, scrambled so
// that neighbouring lanes are far apart. `mask`: sectors - 1.
__global__ void gather_kernel(const double* from, std::uint32_t mask, int rounds, double* out) {
  std::uint32_t state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  double sum = 0;
  for (int r = 0; r < rounds; ++r) {
    double v[gathers];
#pragma unroll
    for (int k = 0; k < gathers; ++k) {
      state = state * 747796405u + 2891336453u;
      const std::uint32_t word = (state >> ((state >> 28) + 4) ^ state) * 277803737u;
      v[k] = from[std::size_t{(word >> 22 ^ word) & mask} * doubles_of_sector];
    }
#pragma unroll
    for (int k = 0; k < gathers; ++k) sum += v[k];
  }
  if (sum == 1.2345e30) *out = sum;
}

// Volatile assembly is neither moved out of the loop nor merged, although every round has the same address.
__global__ void l1_kernel(const float4* from, int per_block, int rounds, float* out) {
  const float4* mine = from + std::size_t{blockIdx.x} * per_block;
  float4 sum{};
  for (int r = 0; r < rounds; ++r)
    for (int i = threadIdx.x; i < per_block; i += blockDim.x) {
      float4 v;
      asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3}, [%4];"
                   : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                   : "l"(mine + i));
      add(sum, v);
    }
  keep(sum, out);
}

__global__ void shared_kernel(int rounds, float* out) {
  __shared__ float4 tile[2 * block];
  for (int i = threadIdx.x; i < 2 * block; i += blockDim.x) tile[i] = {1.f * i, 2.f, 3.f, 4.f};
  __syncthreads();
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  float4 sum{};
  for (int r = 0; r < rounds; ++r)
    for (int i = threadIdx.x; i < 2 * block; i += blockDim.x) {
      float4 v;
      asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                   : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                   : "r"(base + 16u * static_cast<unsigned>(i)));
      add(sum, v);
    }
  keep(sum, out);
}

template <class T>
__global__ void fma_kernel(T factor, T term, int rounds, T* out) {
  T v[chains];
  for (int k = 0; k < chains; ++k) v[k] = static_cast<T>(threadIdx.x + k);
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < chains; ++k) v[k] = v[k] * factor + term;
  T sum = 0;
  for (int k = 0; k < chains; ++k) sum += v[k];
  if (sum == static_cast<T>(1.2345e30)) *out = sum;
}

__global__ void empty_kernel() {}

// Up to three arrays of zeros, and a launch that uses them.
template <class Launch>
class Kernel final : public DeviceProduct {
 public:
  Kernel(std::size_t bytes, int arrays, Launch launch, unsigned grid, int threads)
      : launch_(std::move(launch)), out_(16) {
    for (int a = 0; a < arrays; ++a) {
      arrays_.emplace_back(bytes);
      cuda::check(cudaMemset(arrays_.back().data(), 0, bytes), "clearing the memory of a micro-benchmark");
    }
    cuda::await_copies("clearing the memory of a micro-benchmark");
    shapes_.push_back({.grid = grid, .block = threads});
  }
  const std::vector<LaunchShape>& launches() const override { return shapes_; }
  void launch(void* stream) override {
    launch_(*this, static_cast<cudaStream_t>(stream));
    cuda::check(cudaGetLastError(), "launching a micro-benchmark");
  }
  std::vector<double> y() override { return {}; }
  std::size_t device_bytes() const override {
    std::size_t sum = 0;
    for (const cuda::DeviceBytes& a : arrays_) sum += a.bytes();
    return sum;
  }
  float4* array(int k) const { return static_cast<float4*>(arrays_[static_cast<std::size_t>(k)].data()); }
  template <class T>
  T* out() const {
    return static_cast<T*>(out_.data());
  }
  unsigned grid() const { return static_cast<unsigned>(shapes_[0].grid); }

 private:
  Launch launch_;
  std::vector<cuda::DeviceBytes> arrays_;
  cuda::DeviceBytes out_;
  std::vector<LaunchShape> shapes_;
};

template <class Launch>
Benchmark benchmark(double amount, std::string how, std::size_t bytes, int arrays, unsigned grid, int threads,
                    Launch launch) {
  Benchmark b;
  b.product = std::make_unique<Kernel<Launch>>(bytes, arrays, std::move(launch), grid, threads);
  b.amount = amount;
  b.how = std::move(how);
  return b;
}

std::string megabytes(double bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g MB", bytes * 1e-6);
  return text;
}

// Enough threads to fill every SM, however many blocks it holds.
unsigned full(const Shape& s) { return static_cast<unsigned>(4 * s.sms); }

}  // namespace

Benchmark copy(std::size_t bytes, const Shape& s) {
  const std::size_t n = bytes / 16;
  return benchmark(2.0 * static_cast<double>(n * 16),
                   "16-byte loads and stores, " + megabytes(static_cast<double>(bytes)) + " to another", n * 16, 2,
                   full(s), block, [n](const auto& k, cudaStream_t stream) {
                     copy_kernel<<<k.grid(), block, 0, stream>>>(k.array(0), k.array(1), n);
                   });
}

Benchmark read(std::size_t bytes, const Shape& s) {
  const std::size_t n = bytes / 16;
  return benchmark(static_cast<double>(n * 16), "16-byte loads of " + megabytes(static_cast<double>(bytes)), n * 16, 1,
                   full(s), block, [n](const auto& k, cudaStream_t stream) {
                     read_kernel<<<k.grid(), block, 0, stream>>>(k.array(0), n, 1, k.template out<float>());
                   });
}

Benchmark triad(std::size_t bytes, const Shape& s) {
  const std::size_t n = bytes / 16;
  return benchmark(3.0 * static_cast<double>(n * 16),
                   "a = b + s c, three arrays of " + megabytes(static_cast<double>(bytes)), n * 16, 3, full(s), block,
                   [n](const auto& k, cudaStream_t stream) {
                     triad_kernel<<<k.grid(), block, 0, stream>>>(k.array(0), k.array(1), k.array(2), 3.f, n);
                   });
}

Benchmark read_again(std::size_t bytes, double total, const Shape& s) {
  const std::size_t n = bytes / 16;
  const int rounds = std::max(2, static_cast<int>(total / static_cast<double>(bytes)));
  return benchmark(static_cast<double>(n * 16) * rounds,
                   "16-byte loads past L1 of " + megabytes(static_cast<double>(bytes)) + ", " + std::to_string(rounds) +
                       " times over",
                   n * 16, 1, full(s), block, [n, rounds](const auto& k, cudaStream_t stream) {
                     read_kernel<<<k.grid(), block, 0, stream>>>(k.array(0), n, rounds, k.template out<float>());
                   });
}

Benchmark gather(std::size_t bytes, const Shape& s) {
  const auto mask = static_cast<std::uint32_t>(bytes / (doubles_of_sector * sizeof(double)) - 1);
  const double loads = 1.0 * full(s) * block * gathers * gather_rounds;
  return benchmark(loads * doubles_of_sector * sizeof(double),
                   "8 bytes of sectors of 32 anywhere within " + megabytes(static_cast<double>(bytes)), bytes, 1,
                   full(s), block, [mask](const auto& k, cudaStream_t stream) {
                     gather_kernel<<<k.grid(), block, 0, stream>>>(reinterpret_cast<const double*>(k.array(0)), mask,
                                                                   gather_rounds, k.template out<double>());
                   });
}

Benchmark l1_read(const Shape& s) {
  const int per_block = static_cast<int>(s.l1_chunk / 16);
  const auto grid = static_cast<unsigned>(2 * s.sms);
  const std::size_t bytes = s.l1_chunk * grid;
  return benchmark(static_cast<double>(bytes) * cache_rounds,
                   "each of two blocks per SM reads " + megabytes(static_cast<double>(s.l1_chunk)) + " of its own, " +
                       std::to_string(cache_rounds) + " times over",
                   bytes, 1, grid, block, [per_block](const auto& k, cudaStream_t stream) {
                     l1_kernel<<<k.grid(), block, 0, stream>>>(k.array(0), per_block, cache_rounds,
                                                               k.template out<float>());
                   });
}

Benchmark shared_read(const Shape& s) {
  const auto grid = static_cast<unsigned>(2 * s.sms);
  return benchmark(32.0 * block * grid * cache_rounds, "16-byte loads without bank conflicts, two blocks per SM", 16, 1,
                   grid, block, [](const auto& k, cudaStream_t stream) {
                     shared_kernel<<<k.grid(), block, 0, stream>>>(cache_rounds, k.template out<float>());
                   });
}

namespace {

template <class T>
Benchmark fma(const Shape& s) {
  const unsigned grid = full(s);
  return benchmark(
      2.0 * chains * fma_rounds * block * grid,
      std::to_string(chains) + " independent multiply-adds per thread, " + std::to_string(fma_rounds) + " times", 16, 1,
      grid, block, [](const auto& k, cudaStream_t stream) {
        fma_kernel<T><<<k.grid(), block, 0, stream>>>(T(0.5), T(1), fma_rounds, k.template out<T>());
      });
}

}  // namespace

Benchmark fma_f32(const Shape& s) { return fma<float>(s); }
Benchmark fma_f64(const Shape& s) { return fma<double>(s); }

Benchmark empty() {
  return benchmark(0, "an empty kernel", 16, 1, 1, 32,
                   [](const auto&, cudaStream_t stream) { empty_kernel<<<1, 32, 0, stream>>>(); });
}

}  // namespace warpspy::micro
