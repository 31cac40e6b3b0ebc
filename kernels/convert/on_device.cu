// Conversions on a CUDA device.
#include "kernels/convert/device_stage.cuh"
#include "kernels/convert/list.hpp"
#include "kernels/convert/on_device.hpp"

namespace warpspy::convert {

template <class To>
DeviceConversion on_device(const ConversionInputs& in) {
  const auto params = params_of_conversion<To>(in.params);
  const auto csr = in.csr_there ? in.csr_there : std::make_shared<DeviceArrays>(in.csr);
  const auto lay_out = [&](auto& stage) { To::lay_out(*in.csr, *in.facts, params, stage); };
  MadeThere made =
      in.csr->precision() == Precision::f32 ? made_there<float>(*csr, lay_out) : made_there<double>(*csr, lay_out);
  return {std::move(made.arrays), made.us, made.bytes};
}

template <class... To>
auto compiled(std::tuple<To...>*) {
  return std::tuple{on_device<To>...};
}
template auto compiled(ConversionList*);
template auto compiled(PreparationList*);

}  // namespace warpspy::convert

namespace warpspy {

std::vector<MadeArray> downloaded(const std::vector<ThereArray>& arrays) {
  std::vector<MadeArray> all;
  for (const ThereArray& there : arrays) {
    all.push_back({there.name, std::vector<std::byte>(there.bytes)});
    cuda::check(cudaMemcpy(all.back().bytes.data(), there.memory.get(), there.bytes, cudaMemcpyDeviceToHost),
                "reading array " + there.name);
  }
  return all;
}

}  // namespace warpspy
