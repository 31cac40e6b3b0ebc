// The CUDA launchers of every kernel of the list: the one file that nvcc compiles.
#include "kernels/device/device_product.cuh"
#include "kernels/table/list.hpp"

namespace warpspy {
namespace {

template <std::size_t... place>
decltype(KernelRow::on_device) at(std::size_t wanted, std::index_sequence<place...>) {
  constexpr decltype(KernelRow::on_device) launchers[] = {on_device<std::tuple_element_t<place, KernelList>>...};
  return launchers[wanted];
}

}  // namespace

decltype(KernelRow::on_device) cuda_launcher(std::size_t place) {
  return at(place, std::make_index_sequence<std::tuple_size_v<KernelList>>());
}

}  // namespace warpspy
