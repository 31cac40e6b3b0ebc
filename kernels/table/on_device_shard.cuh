// One shard of the list's kernels for CUDA, in a source of its own that CMake writes: all that nvcc compiles.
#pragma once

#include "kernels/device/device_product.cuh"
#include "kernels/table/list.hpp"
#include "kernels/table/shards.hpp"

namespace warpspy {
namespace {

template <std::size_t place>
constexpr CudaLauncher at() {
  if constexpr (place % WARPSPY_SHARDS == WARPSPY_SHARD)
    return on_device<std::tuple_element_t<place, KernelList>>;
  else
    return nullptr;
}

template <std::size_t... place>
CudaLauncher find(std::size_t wanted, std::index_sequence<place...>) {
  constexpr CudaLauncher all[] = {at<place>()...};
  return all[wanted];
}

}  // namespace

template <>
CudaLauncher cuda_shard<WARPSPY_SHARD>(std::size_t place) {
  return find(place, std::make_index_sequence<std::tuple_size_v<KernelList>>());
}

}  // namespace warpspy
