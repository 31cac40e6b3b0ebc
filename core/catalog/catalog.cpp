#include "core/catalog/catalog.hpp"

#include <algorithm>

#include "core/catalog/host.hpp"

namespace warpspy {
namespace {

template <class Info>
const Info* by_id(const std::vector<Info>& list, const std::string& id) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const Info& i) { return i.id == id; });
  return at == list.end() ? nullptr : &*at;
}

}  // namespace

const FormatInfo* Catalog::format(const std::string& id) const { return by_id(formats, id); }
const KernelInfo* Catalog::kernel(const std::string& id) const { return by_id(kernels, id); }
const MetricInfo* Catalog::metric(const std::string& id) const { return by_id(metrics, id); }
const DeviceInfo* Catalog::device(const std::string& id) const { return by_id(devices, id); }
const StrategyInfo* Catalog::strategy(const std::string& id) const { return by_id(strategies, id); }
const SourceFile* Catalog::source(const std::string& name) const {
  for (const SourceFile& f : sources)
    if (f.name == name) return &f;
  return nullptr;
}

const KernelInfo& Catalog::require_kernel(const std::string& id) const {
  if (const KernelInfo* k = kernel(id)) return *k;
  std::string known;
  for (const KernelInfo& k : kernels) known += (known.empty() ? "" : ", ") + k.id;
  throw Error("unknown kernel " + id, {}, "known: " + known);
}

std::string Catalog::why_not(const KernelInfo& kernel, const DeviceInfo& device) const {
  if (kernel.library.empty()) return {};
  if (device.simulated) return kernel.library + "'s code cannot be emulated: it runs on CUDA devices only";
  if (!host_of(device.id).empty()) return {};  // the run says which libraries another machine has
  for (const LibraryInfo& l : libraries)
    if (l.name == kernel.library && !l.available) return l.name + ": " + l.reason + "; " + l.remedy;
  return {};
}

}  // namespace warpspy
