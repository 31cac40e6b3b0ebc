// What the preparations on a CUDA device share.
#pragma once

#include "kernels/convert/device_stage.cuh"
#include "kernels/device/prepared.hpp"

namespace warpspy {

// The device's copy of an array of the format.
template <class E>
simt::Array<const E> array_there(std::span<const E> host, DeviceArrays& format) {
  return {static_cast<const E*>(format.find(host.data(), host.size_bytes())), static_cast<std::int64_t>(host.size())};
}
template <class E>
DeviceArray<E> taken(const simt::Array<E>& array) {
  return {array.data, static_cast<std::size_t>(array.size)};
}

}  // namespace warpspy
