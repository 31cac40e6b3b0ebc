#include "profiling/engine/made_on_gpu.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/base/numbers.hpp"
#include "kernels/device/device.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

std::string difference_of(const std::vector<MadeArray>& made, const Format& host) {
  for (const ArrayView& array : host.arrays()) {
    if (array.bytes() == 0) continue;
    const auto at = std::find_if(made.begin(), made.end(), [&](const MadeArray& m) { return m.name == array.name; });
    if (at == made.end() || at->bytes.size() != array.bytes() ||
        std::memcmp(at->bytes.data(), array.data, array.bytes()) != 0)
      return array.name;
  }
  return {};
}

MadeOnGpu modelled(const ConversionRow& row, const GpuSpec& gpu, const ConversionInputs& in, const Format& host,
                   Progress& progress) {
  if (row.sorts)
    throw Error(row.format + " is made by a sort of the CUDA toolkit, which is not emulated", {},
                "make it on a GPU to know its time");
  if (std::max(in.csr->nnz(), host.slots()) > most_modelled_entries)
    throw Error(
        "a conversion is modelled whole, for at most " + grouped(most_modelled_entries) + " entries with their padding",
        {}, "take a smaller matrix, or a GPU");
  if (in.csr->precision() == Precision::f64 && gpu.peak_f64_gflops <= 0)
    throw Error(gpu.name + " has no double precision", {}, "ask in f32, or for another GPU");
  progress.stage("making " + row.format);
  ConversionInputs known = in;
  known.foreseen = &host;
  const auto conversion = row.emulate(known);
  SimulateOptions how;
  how.budget = std::numeric_limits<double>::infinity();
  const Simulation s = simulate(*conversion, gpu, how, progress);
  const TimeEstimate time = estimate_time(s, gpu, in.csr->precision(), 0);
  conversion->made();  // throws if a size is not what the host had foreseen
  return {time.total, Provenance::modelled, std::to_string(conversion->launches().size()) + " launches; " + time.how, 0,
          ""};
}

}  // namespace

MadeOnGpu make_on_gpu(const ConversionRow& row, const DeviceInfo& device, const std::shared_ptr<const CsrFormat>& csr,
                      const FormatFacts& facts, const Format& host, const ParamSet& params, Progress& progress) {
  const ConversionInputs in{csr, &facts, params};
  if (device.simulated) return modelled(row, device.spec, in, host, progress);
  if (!row.on_device) throw Error("this build has no CUDA", {}, "ask for a simulated GPU");
  progress.stage("making " + row.format + " on " + device.name);
  use_device(*cuda_number(device.id));
  const DeviceConversion made = row.on_device(in);
  return {made.us, Provenance::measured, "the second of two runs, by the host's clock", made.device_bytes,
          difference_of(downloaded(made.made), host)};
}

}  // namespace warpspy
