// Conversions on a CUDA device.
#include <chrono>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "kernels/convert/list.hpp"
#include "kernels/convert/on_device.hpp"
#include "kernels/device/cuda.hpp"
#include "kernels/device/device_arrays.hpp"
#include "kernels/device/device_product.cuh"

namespace warpspy::convert {
namespace {

template <class Order>
struct Places {
  simt::Array<Order> places;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < places.size; i += grid * threads)
      simt::st(places, i, static_cast<Order>(i));
  }
};

// Memory of the device's pool: an allocation there waits for nothing.
class PoolBytes {
 public:
  PoolBytes(std::size_t bytes, cudaStream_t stream) : bytes_(bytes), stream_(stream) {
    if (bytes > 0) cuda::check(cudaMallocAsync(&memory_, bytes, stream), "taking memory for a conversion");
  }
  PoolBytes(PoolBytes&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_), stream_(other.stream_) {}
  PoolBytes& operator=(PoolBytes&&) = delete;
  ~PoolBytes() {
    if (memory_) cudaFreeAsync(memory_, stream_);
  }
  void* data() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
  cudaStream_t stream_;
};

// Runs a conversion: each launch begins when it is laid out, and a number that was counted is read back.
template <class T>
class DeviceStage {
 public:
  using Value = T;
  DeviceStage(DeviceArrays& csr, const cuda::Stream& stream) : csr_(csr), stream_(stream.get()) {}

  template <class F>
  void typed(const CsrFormat& a, const F& f) {
    a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
      a.columns().visit([&]<class Col>(std::span<const Col> columns) {
        if constexpr (sizeof(Col) == 4)  // to keep nvcc's work small
          f(TypedArrays<T, Ptr, Col>{there(row_ptr), there(columns), there(a.values().template as<T>())});
        else
          throw Error("no format is made on a device for 64-bit column indices", {}, "make it on the host");
      });
    });
  }
  template <class E>
  simt::Array<E> scratch(const char*, index_t count) {
    const PoolBytes& own = memory_.emplace_back(static_cast<std::size_t>(count) * sizeof(E), stream_);
    return {static_cast<E*>(own.data()), count};
  }
  template <class E>
  simt::Array<E> out(const char* name, index_t count) {
    const simt::Array<E> array = scratch<E>(name, count);
    out_.push_back({name, array.data, static_cast<std::size_t>(count) * sizeof(E)});
    return array;
  }
  template <class E, class Fill>
  simt::Array<E> scratch(const char* name, index_t count, const Fill&) {
    return scratch<E>(name, count);
  }
  template <class Code>
  void launch(const LaunchSpec& spec, const Code& code) {
    kernel_of<Code>()<<<static_cast<unsigned>(spec.grid), static_cast<unsigned>(spec.block),
                        static_cast<std::size_t>(spec.shared_bytes), stream_>>>(code, false);
    cuda::check(cudaGetLastError(), "a launch of a conversion");
  }
  template <class Foreseen>
  index_t counted(const simt::Array<std::int64_t>& array, const Foreseen&) {
    std::int64_t number = 0;
    cuda::check(cudaMemcpyAsync(&number, array.data, sizeof number, cudaMemcpyDeviceToHost, stream_), "reading a size");
    cuda::check(cudaStreamSynchronize(stream_), "reading a size");
    return number;
  }

  template <class Foreseen>
  std::vector<index_t> counted_all(const simt::Array<std::int32_t>& array, const Foreseen&) {
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(array.size));
    cuda::check(cudaMemcpyAsync(numbers.data(), array.data, numbers.size() * sizeof(std::int32_t),
                                cudaMemcpyDeviceToHost, stream_),
                "reading counts");
    cuda::check(cudaStreamSynchronize(stream_), "reading counts");
    return std::vector<index_t>(numbers.begin(), numbers.end());
  }
  // Places of the keys in rising order, equal ones in the order in which they stand.
  template <class Order, class Key>
  simt::Array<Order> sorted(const simt::Array<const Key>& keys, index_t key_count) {
    const auto places = scratch<Order>("places", keys.size), order = scratch<Order>("order", keys.size);
    const auto sorted_keys = scratch<Key>("sorted keys", keys.size);
    const LaunchSpec grid = strided_grid(keys.size);
    launch(grid, Places<Order>{places, grid.grid});
    int bits = 1;
    while (bits < 63 && (index_t{1} << bits) < key_count) ++bits;
    std::size_t bytes = 0;
    const auto sort = [&](void* space) {
      cuda::check(cub::DeviceRadixSort::SortPairs(space, bytes, keys.data, sorted_keys.data, places.data, order.data,
                                                  keys.size, 0, bits, stream_),
                  "sorting entries");
    };
    sort(nullptr);  // says how much space it needs
    sort(scratch<std::byte>("space", static_cast<index_t>(bytes)).data);
    return order;
  }

  std::vector<MadeArray> made() const {
    std::vector<MadeArray> all;
    for (const Out& o : out_) {
      if (o.bytes == 0) continue;
      all.push_back({o.name, std::vector<std::byte>(o.bytes)});
      cuda::check(cudaMemcpyAsync(all.back().bytes.data(), o.data, o.bytes, cudaMemcpyDeviceToHost, stream_),
                  "reading the format");
    }
    cuda::check(cudaStreamSynchronize(stream_), "reading the format");
    return all;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const PoolBytes& m : memory_) sum += m.bytes();
    return sum;
  }

 private:
  template <class E>
  simt::Array<const E> there(std::span<const E> host) {
    return {static_cast<const E*>(csr_.find(host.data(), host.size_bytes())), static_cast<std::int64_t>(host.size())};
  }

  struct Out {
    std::string name;
    const void* data;
    std::size_t bytes;
  };
  DeviceArrays& csr_;
  cudaStream_t stream_;
  std::vector<PoolBytes> memory_;
  std::vector<Out> out_;
};

template <class To, class T>
DeviceConversion run(const ConversionInputs& in) {
  const auto params = params_of_conversion<To>(in.params);
  DeviceArrays csr(in.csr);
  const cuda::Stream stream;
  {  // loads the code, fills the pool, and copies the CSR
    DeviceStage<T> first(csr, stream);
    To::lay_out(*in.csr, *in.facts, params, first);
    stream.synchronize();
  }
  DeviceStage<T> stage(csr, stream);
  const auto start = std::chrono::steady_clock::now();
  To::lay_out(*in.csr, *in.facts, params, stage);
  stream.synchronize();
  const auto end = std::chrono::steady_clock::now();
  return {stage.made(), std::chrono::duration<double, std::micro>(end - start).count(), stage.bytes()};
}

// The pool keeps what it has, so that a second conversion waits for no memory of the driver.
void keep_pool() {
  int device = 0;
  cuda::check(cudaGetDevice(&device), "asking for the device");
  cudaMemPool_t pool{};
  cuda::check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for the pool of memory");
  std::uint64_t all = UINT64_MAX;
  cuda::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "asking the pool to keep memory");
}
// And gives it back afterwards.
void empty_pool() {
  int device = 0;
  cudaMemPool_t pool{};
  if (cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess)
    cudaMemPoolTrimTo(pool, 0);
}

}  // namespace

template <class To>
DeviceConversion on_device(const ConversionInputs& in) {
  keep_pool();
  struct AtEnd {
    ~AtEnd() { empty_pool(); }
  } at_end;
  return in.csr->precision() == Precision::f32 ? run<To, float>(in) : run<To, double>(in);
}

template <class... To>
auto compiled(std::tuple<To...>*) {
  return std::tuple{on_device<To>...};
}
template auto compiled(ConversionList*);

}  // namespace warpspy::convert
