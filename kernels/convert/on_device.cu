// Conversions on a CUDA device.
#include "kernels/convert/device_stage.cuh"
#include "kernels/convert/list.hpp"
#include "kernels/convert/on_device.hpp"

namespace warpspy::convert {
namespace {

// Takes the time of each launch that reads values, on the device.
template <class T>
class ValuesTimed : public DeviceStage<T> {
 public:
  ValuesTimed(DeviceArrays& csr, const cuda::Stream& stream, const PinnedNumbers& pinned)
      : DeviceStage<T>(csr, stream, pinned), stream_(stream) {}
  template <class Code>
  void launch_of_values(const LaunchSpec& spec, const Code& code) {
    const auto& [before, after] = events_.emplace_back();
    before.record(stream_);
    DeviceStage<T>::launch_of_values(spec, code);
    after.record(stream_);
  }
  double us() const {
    stream_.synchronize();
    double sum = 0;
    for (const auto& [before, after] : events_) sum += 1e3 * after.milliseconds_since(before);
    return sum;
  }

 private:
  const cuda::Stream& stream_;
  std::vector<std::pair<cuda::Event, cuda::Event>> events_;
};

template <class T, class LayOut>
std::optional<double> values_us(DeviceArrays& csr, const LayOut& lay_out) try {
  const cuda::Stream stream;
  const PinnedNumbers pinned;
  ValuesTimed<T> stage(csr, stream, pinned);
  lay_out(stage);
  return stage.us();
} catch (const DeviceLost&) {
  throw;
} catch (const Error&) {  // no memory for the format a second time
  return std::nullopt;
}

}  // namespace

template <class To>
DeviceConversion on_device(const ConversionInputs& in) {
  const auto params = params_of_conversion<To>(in.params);
  const auto csr = in.csr_there ? in.csr_there : std::make_shared<DeviceArrays>(in.csr);
  const auto lay_out = [&](auto& stage) { To::lay_out(*in.csr, *in.facts, params, stage); };
  const bool f32 = in.csr->precision() == Precision::f32;
  if (in.again) {
    MadeThere made = f32 ? made_again<float>(*csr, lay_out, in.again) : made_again<double>(*csr, lay_out, in.again);
    return {std::move(made.arrays), made.us, made.bytes, made.us, std::move(made.kept)};
  }
  const bool keep = in.keep && !counts_values<To>;
  MadeThere made = f32 ? made_there<float>(*csr, lay_out, keep) : made_there<double>(*csr, lay_out, keep);
  DeviceConversion conversion{std::move(made.arrays), made.us, made.bytes, {}, std::move(made.kept)};
  if (in.values_apart) conversion.values_us = f32 ? values_us<float>(*csr, lay_out) : values_us<double>(*csr, lay_out);
  return conversion;
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
