#include "profiling/engine/tracing.hpp"

#include <algorithm>
#include <vector>

#include "core/gpu/gpu_match.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/prepared_run.hpp"
#include "profiling/simulated/entry_reads.hpp"

namespace warpspy {

const DeviceInfo& modelled_device(const std::string& id, const std::vector<DeviceInfo>& devices) {
  const DeviceInfo& device = *choose_device(id, devices).device;
  if (device.simulated) return device;
  std::vector<GpuSpec> specs;
  for (const DeviceInfo& d : devices)
    if (d.simulated) specs.push_back(d.spec);
  const GpuSpec* found = spec_of_device(device.name, device.spec.compute_capability, specs);
  for (const DeviceInfo& d : devices)
    if (d.simulated && (!found || d.spec.id == found->id)) return d;
  return device;
}

EntryTrace trace_by_emulator(const EngineParts& parts, Preparation& preparation, const RunRequest& request,
                             const Matrix& matrix, index_t row_begin, index_t row_end, Progress& progress) {
  if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
  const KernelRow& kernel = parts.kernel(request.kernel);
  if (kernel.info.format.empty())
    throw Error("kernel " + kernel.info.id + " reads no matrix", {}, "choose one that does");
  const DeviceInfo& device = modelled_device(request.device, parts.devices);
  const Csr& a = *matrix.csr;
  EntryTrace to;
  to.kernel = kernel.info.label;
  to.format = format_row(kernel.info.format).info.label;
  to.gpu = device.name;
  to.row_begin = std::clamp<index_t>(row_begin, 0, a.rows());
  to.row_end = std::clamp<index_t>(row_end, to.row_begin, a.rows());
  const auto format = preparation.format(matrix, kernel.info.format, request, device, progress);
  if (!kernel.emulate) {
    to.notes.push_back(kernel.info.library + "'s kernels cannot be emulated: the format alone is shown");
    trace_storage(*format, a, {}, to, progress);
    return to;
  }
  const PreparedRun run{request,
                        matrix.csr,
                        kernel,
                        device,
                        checked_params(kernel.info.params, request.params),
                        format,
                        preparation.vectors(matrix.csr, kernel.info, request),
                        nullptr,
                        parts.model.get()};
  const auto product = kernel.emulate(run.inputs());
  trace_reads({*product, *format, a, kernel.info.operation}, device.spec, {}, to, progress);
  return to;
}

}  // namespace warpspy
