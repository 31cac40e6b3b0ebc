// Chooses which parameters the benchmark tries for a kernel: combinations of the values in ParamSpec::tried.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/product/row.hpp"

namespace warpspy {

struct BenchCandidate {
  ParamSet params, format_params;  // complete: every parameter of the kernel and of its format
  bool operator==(const BenchCandidate&) const = default;
};
// The defaults stand first, then the sets that differ least from them; the list is short and not exhaustive. `format`
// is the kernel's, nullptr for a kernel that reads no matrix. `device`: where they run. `in_order`: without sets that
// let the next product begin early.
std::vector<BenchCandidate> candidates_of(const KernelRow& kernel, const FormatInfo* format, const DeviceScale& device,
                                          bool in_order = false);
// Whether a compact format takes so many bytes less than its plain format (FormatInfo::compact_of) that it may be
// faster. bytes(id, params) returns the size of a format. The plain format's parameters are plain_params
// (core/formats/compact.hpp).
bool compact_gains(const FormatInfo& compact, const ParamSet& params,
                   const std::function<double(const std::string& id, const ParamSet& params)>& bytes);

}  // namespace warpspy
