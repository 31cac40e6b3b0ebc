#include "profiling/engine/devices.hpp"

#include <algorithm>
#include <charconv>

#include "core/catalog/host.hpp"
#include "core/run/over_parts.hpp"
#include "profiling/engine/cuda_devices.hpp"
#include "profiling/metrics/metrics.hpp"

namespace warpspy {
namespace {

constexpr const char* fallback = "sim:h200";

const DeviceInfo* find(const std::vector<DeviceInfo>& devices, const std::string& id) {
  const auto at = std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& d) { return d.id == id; });
  return at == devices.end() ? nullptr : &*at;
}

DeviceInfo simulated(GpuSpec gpu) {
  DeviceInfo info;
  info.id = "sim:" + gpu.id;
  info.name = gpu.name;
  info.simulated = true;
  info.counters = "modelled: ";
  bool first = true;
  for (const MetricRow& m : metrics()) {
    if (!m.modelled) continue;
    info.counters += (first ? "" : ", ") + m.info.id;
    first = false;
  }
  info.spec = std::move(gpu);
  return info;
}

}  // namespace

std::optional<int> cuda_number(const std::string& id) {
  if (id == "cuda") return 0;
  int number = 0;
  const char* const end = id.data() + id.size();
  if (!id.starts_with("cuda:") || std::from_chars(id.data() + 5, end, number).ptr != end) return {};
  return number;
}

std::vector<DeviceInfo> all_devices(const std::string& assets) {
  std::vector<GpuSpec> sheets = read_gpu_specs(assets + "/gpus");
  CudaDevices cuda = cuda_devices(sheets);
  std::vector<DeviceInfo> devices = std::move(cuda.list);
  if (devices.empty()) {
    DeviceInfo none;
    none.id = "cuda:0";
    none.name = "CUDA device";
    none.available = false;
    none.reason = cuda.reason + "; kernels run on a simulated GPU instead";
    none.counters = "none: there is no such device here";
    devices.push_back(std::move(none));
  }
  for (GpuSpec& sheet : sheets) devices.push_back(simulated(std::move(sheet)));
  return devices;
}

namespace {

// "cuda:0+cuda:1": as many names as parts.
std::vector<const DeviceInfo*> named_together(const std::string& id, std::uint64_t parts,
                                              const std::vector<DeviceInfo>& devices) {
  std::vector<const DeviceInfo*> gpus;
  for (std::size_t at = 0; at <= id.size();) {
    const std::size_t end = std::min(id.find('+', at), id.size());
    gpus.push_back(choose_device(id.substr(at, end - at), devices).device);
    if (gpus.back()->simulated)
      throw Error("simulated GPUs of one run are alike, so one is named for all of them", "device",
                  "write --device " + gpus.back()->id + " --parts " + std::to_string(parts));
    at = end + 1;
  }
  if (gpus.size() != parts)
    throw Error(id + " names " + std::to_string(gpus.size()) + " GPUs, and the matrix has " + std::to_string(parts) +
                    (parts == 1 ? " part" : " parts"),
                "parts", "use --parts " + std::to_string(gpus.size()));
  return gpus;
}

}  // namespace

ChosenTogether choose_together(const std::string& id, std::uint64_t parts, const std::vector<DeviceInfo>& devices) {
  if (are_together(id)) return {named_together(id, parts, devices), ""};
  const Chosen first = choose_device(id, devices);
  if (parts <= 1 || first.device->simulated) return {{first.device}, first.note};
  ChosenTogether all{real_gpus_from(devices, first.device->id, parts), first.note};
  if (all.gpus.size() == parts) return all;
  throw Error(std::to_string(parts) + " parts need as many GPUs, and from " + first.device->id + " on there " +
                  (all.gpus.size() == 1 ? "is 1" : "are " + std::to_string(all.gpus.size())),
              "parts",
              "use fewer parts or simulated GPUs (--device sim:h200), or let parts share a GPU to try it (--device " +
                  first.device->id + "+" + first.device->id + " --parts 2)");
}

Chosen choose_device(const std::string& id, const std::vector<DeviceInfo>& devices) {
  if (are_together(id))
    throw Error("GPUs work together on products and solves over parts alone, not here", "device", "name one GPU");
  if (id == "auto") {
    const DeviceInfo* first = &devices.front();
    for (const DeviceInfo& d : devices) {
      if (d.simulated || !d.available || !host_of(d.id).empty()) continue;
      return {&d, &d == first ? "" : first->reason + " (" + d.id + " is used)"};
    }
    const DeviceInfo* instead = find(devices, fallback);
    if (!instead) throw Error("no CUDA device, and no simulated H200 to take its place", "auto", first->reason);
    return {instead, first->reason + " (the " + instead->name + ")"};
  }
  const DeviceInfo* device = find(devices, id == "cuda" ? "cuda:0" : id);
  if (!device && !host_of(id).empty())
    throw Error("the engine of the device " + id + " is not in use", {}, "name it with --engine-command");
  if (!device) {
    std::string known = "auto";
    for (const DeviceInfo& d : devices)
      if (d.available) known += ", " + d.id;
    throw Error("unknown device " + id, {}, "known: " + known);
  }
  if (!device->available) throw Error("device " + id + " is not available: " + device->reason, {}, "use --device auto");
  return {device, ""};
}

std::string mark_lost(std::vector<DeviceInfo>& devices, const std::string& id, const std::string& why) {
  const std::string reason = "it was lost in an earlier run (" + why + "); start Warpspy again to use it";
  for (DeviceInfo& d : devices) {
    if (d.id != id) continue;
    d.available = false;
    d.reason = reason;
  }
  return reason;
}

}  // namespace warpspy
