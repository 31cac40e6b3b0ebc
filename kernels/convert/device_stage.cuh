// The stage of a CUDA device: each launch begins when it is laid out, and a number that was counted is read back.
#pragma once

#include <chrono>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/device/cuda.hpp"
#include "kernels/device/device_arrays.hpp"
#include "kernels/device/device_product.cuh"

namespace warpspy::convert {

template <class Order>
struct Places {
  simt::Array<Order> places;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < places.size; i += grid * threads)
      simt::st(places, i, static_cast<Order>(i));
  }
};

// Memory of the device's pool, where an allocation waits for nothing. Small arrays share a chunk, since each allocation
// takes about as long as a launch. A chunk lives as long as one of its arrays, and no launch may use them any more
// then.
class Chunks {
 public:
  explicit Chunks(cudaStream_t stream) : stream_(stream) {}
  std::shared_ptr<void> take(std::size_t bytes) {
    constexpr std::size_t line = 256, of_chunk = std::size_t{32} << 20, large = of_chunk / 4;
    if (bytes == 0) return nullptr;
    const std::size_t whole = (bytes + line - 1) / line * line;
    if (whole >= large) return taken(whole);
    if (!chunk_ || used_ + whole > of_chunk) chunk_ = taken(of_chunk), used_ = 0;
    return {chunk_, static_cast<char*>(chunk_.get()) + std::exchange(used_, used_ + whole)};
  }

 private:
  std::shared_ptr<void> taken(std::size_t bytes) {
    void* memory = nullptr;
    cuda::check(cudaMallocAsync(&memory, bytes, stream_), "taking memory for a conversion");
    return {memory, [](void* p) { cudaFreeAsync(p, nullptr); }};
  }
  cudaStream_t stream_;
  std::shared_ptr<void> chunk_;
  std::size_t used_ = 0;
};

// A few numbers of the host that the device can write at once.
class PinnedNumbers {
 public:
  static constexpr std::size_t bytes = 4096;
  PinnedNumbers() {
    void* memory = nullptr;
    cuda::check(cudaMallocHost(&memory, bytes), "taking memory of the host");
    memory_ = cuda::Owner<void*, cudaFreeHost>(memory);
  }
  void* data() const { return memory_.get(); }

 private:
  cuda::Owner<void*, cudaFreeHost> memory_;
};

// Runs a conversion: each launch begins when it is laid out, and a number that was counted is read back. `again`: what
// the conversion of a matrix with the same entries has left; then only launches that read values run.
template <class T>
class DeviceStage {
 public:
  using Value = T;
  DeviceStage(DeviceArrays& csr, const cuda::Stream& stream, const PinnedNumbers& pinned,
              std::shared_ptr<KeptConversion> again = nullptr)
      : csr_(csr),
        stream_(stream.get()),
        pinned_(pinned),
        chunks_(stream_),
        again_(again != nullptr),
        kept_(again ? std::move(again) : std::make_shared<KeptConversion>()) {}
  DeviceStage(const DeviceStage&) = delete;
  DeviceStage& operator=(const DeviceStage&) = delete;
  ~DeviceStage() { cudaStreamSynchronize(stream_); }

  template <class F>
  void typed(const CsrFormat& a, const F& f) {
    with_typed_arrays<T>(a, [this]<class E>(const char*, std::span<const E> host) { return there(host); }, f);
  }
  template <class E>
  simt::Array<E> scratch(const char*, index_t count) {
    if (again_) return {static_cast<E*>(kept_->memory.at(next_memory_++).get()), count};
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(E);
    kept_->bytes += bytes;
    return {static_cast<E*>(kept_->memory.emplace_back(chunks_.take(bytes)).get()), count};
  }
  template <class E>
  simt::Array<E> out(const char* name, index_t count) {
    const simt::Array<E> array = scratch<E>(name, count);
    if (count > 0 && !again_)
      kept_->made.push_back({name, kept_->memory.back(), static_cast<std::size_t>(count) * sizeof(E)});
    return array;
  }
  template <class E, class Fill>
  simt::Array<E> scratch(const char* name, index_t count, const Fill&) {
    return scratch<E>(name, count);
  }
  template <class Code>
  void launch(const LaunchSpec& spec, const Code& code) {
    if (!again_) launch_of_values(spec, code);
  }
  template <class Code>
  void launch_of_values(const LaunchSpec& spec, const Code& code) {
    kernel_of<Code>()<<<static_cast<unsigned>(spec.grid), static_cast<unsigned>(spec.block),
                        static_cast<std::size_t>(spec.shared_bytes), stream_>>>(code, false);
    cuda::check(cudaGetLastError(), "a launch of a conversion");
  }
  template <class Foreseen>
  index_t counted(const simt::Array<std::int64_t>& array, const Foreseen&) {
    return read<std::int64_t>(array.data, 1).front();
  }
  template <class Foreseen>
  std::vector<index_t> counted_all(const simt::Array<std::int32_t>& array, const Foreseen&) {
    return read<std::int32_t>(array.data, static_cast<std::size_t>(array.size));
  }
  // Equal keys stay in the order in which they stand. The keys are less than key_count.
  template <class Order, class Key>
  Sorted<Order, Key> sorted(const simt::Array<const Key>& keys, index_t key_count) {
    const auto places = scratch<Order>("places", keys.size), order = scratch<Order>("order", keys.size);
    const auto sorted_keys = scratch<Key>("sorted keys", keys.size);
    if (again_) return ++next_memory_, Sorted<Order, Key>{order, sorted_keys};  // behind the space of the sort
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
    return {order, sorted_keys};
  }

  const std::shared_ptr<KeptConversion>& kept() const { return kept_; }

 private:
  template <class E>
  std::vector<index_t> read(const E* from, std::size_t count) {
    if (again_) return kept_->counted.at(next_counted_++);
    std::vector<E> numbers(count);
    const std::size_t bytes = count * sizeof(E);
    void* const by_way = bytes <= PinnedNumbers::bytes ? pinned_.data() : numbers.data();
    cuda::check(cudaMemcpyAsync(by_way, from, bytes, cudaMemcpyDeviceToHost, stream_), "reading counts");
    cuda::check(cudaStreamSynchronize(stream_), "reading counts");
    if (by_way != numbers.data()) std::memcpy(numbers.data(), by_way, bytes);
    return kept_->counted.emplace_back(numbers.begin(), numbers.end());
  }
  template <class E>
  simt::Array<const E> there(std::span<const E> host) {
    return {static_cast<const E*>(csr_.find(host.data(), host.size_bytes())), static_cast<std::int64_t>(host.size())};
  }

  DeviceArrays& csr_;
  cudaStream_t stream_;
  const PinnedNumbers& pinned_;
  Chunks chunks_;
  bool again_;
  std::shared_ptr<KeptConversion> kept_;
  std::size_t next_memory_ = 0, next_counted_ = 0;  // of what was kept
};

// While it lives, the pool keeps what it has, so that a second run waits for no memory of the driver.
class KeptPool {
 public:
  KeptPool() {
    int device = 0;
    cuda::check(cudaGetDevice(&device), "asking for the device");
    cuda::check(cudaDeviceGetDefaultMemPool(&pool_, device), "asking for the pool of memory");
    keep(UINT64_MAX);
  }
  KeptPool(const KeptPool&) = delete;
  KeptPool& operator=(const KeptPool&) = delete;
  ~KeptPool() {
    keep(0);
    cudaMemPoolTrimTo(pool_, 0);
  }

 private:
  void keep(std::uint64_t bytes) { cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &bytes); }
  cudaMemPool_t pool_{};
};

struct MadeThere {
  std::vector<ThereArray> arrays;
  double us = 0;          // of the second of two runs
  std::size_t bytes = 0;  // of all that stood there at once, without what it is made from
  std::shared_ptr<KeptConversion> kept = {};
};

// Runs what lay_out(stage) lays out, twice: the first run loads the code, fills the pool, and copies what is not there.
// `keep`: what a matrix with other values needs is kept.
template <class T, class LayOut>
MadeThere made_there(DeviceArrays& from, const LayOut& lay_out, bool keep = false) {
  const KeptPool pool;
  const cuda::Stream stream;
  const PinnedNumbers pinned;
  {
    DeviceStage<T> first(from, stream, pinned);
    lay_out(first);
    stream.synchronize();
  }
  DeviceStage<T> stage(from, stream, pinned);
  const auto start = std::chrono::steady_clock::now();
  lay_out(stage);
  stream.synchronize();
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  const KeptConversion& made = *stage.kept();
  return {made.made, spent.count(), made.bytes, keep ? stage.kept() : nullptr};
}
// Runs the launches that read values once more, for other values of the same entries.
template <class T, class LayOut>
MadeThere made_again(DeviceArrays& from, const LayOut& lay_out, const std::shared_ptr<KeptConversion>& again) {
  const cuda::Stream stream;
  const PinnedNumbers pinned;
  DeviceStage<T> stage(from, stream, pinned, again);
  const auto start = std::chrono::steady_clock::now();
  lay_out(stage);
  stream.synchronize();
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  return {again->made, spent.count(), again->bytes, again};
}

}  // namespace warpspy::convert
