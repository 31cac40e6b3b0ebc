// Compiles one part (shard) of the list of kernels for the emulator. CMake writes a source file for each shard, which
// includes this header.
#pragma once

#include "kernels/spmv/emulated_product.hpp"
#include "kernels/table/list.hpp"
#include "kernels/table/shards.hpp"

namespace warpspy {
namespace {

template <std::size_t place>
constexpr Emulator at() {
  if constexpr (place % WARPSPY_SHARDS == WARPSPY_SHARD)
    return emulate<std::tuple_element_t<place, KernelList>>;
  else
    return nullptr;
}

template <std::size_t... place>
Emulator find(std::size_t wanted, std::index_sequence<place...>) {
  constexpr Emulator all[] = {at<place>()...};
  return all[wanted];
}

}  // namespace

template <>
Emulator emulator_shard<WARPSPY_SHARD>(std::size_t place) {
  return find(place, std::make_index_sequence<std::tuple_size_v<KernelList>>());
}

}  // namespace warpspy
