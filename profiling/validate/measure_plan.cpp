#include "profiling/validate/measure_plan.hpp"

#include <algorithm>

#include "core/catalog/params.hpp"

namespace warpspy {
namespace {

constexpr std::uint64_t iterations = 20;

bool is_wanted(const KernelInfo& k, const DeviceInfo& device, const Catalog& catalog, const MeasureOptions& o) {
  const auto& chosen = o.kernels;
  if (!chosen.empty()) return std::find(chosen.begin(), chosen.end(), k.id) != chosen.end();
  return k.library.empty() && !k.format.empty() && k.operation != Operation::axpy && catalog.why_not(k, device).empty();
}

// The defaults first.
std::vector<ParamSet> parameters_of(const KernelInfo& k, const DeviceInfo& device, Precision precision) {
  std::vector<ParamSet> all{checked_params(k.params, {})};
  for (const Start& start : k.starts) {
    if (start.only_value_bytes > 0 && start.only_value_bytes != static_cast<double>(bytes_of(precision))) continue;
    const std::optional<ParamSet> params = params_on(start, k.params, scale_of(device.spec));
    if (!params) continue;
    ParamSet whole = checked_params(k.params, *params);
    if (std::find(all.begin(), all.end(), whole) == all.end()) all.push_back(std::move(whole));
  }
  return all;
}

bool is_wanted(MeasureWay way, const MeasureOptions& o) {
  return std::find(o.ways.begin(), o.ways.end(), way) != o.ways.end();
}
bool is_wanted(Precision precision, const MeasureOptions& o) {
  return is_wanted({precision, CacheState::cold}, o) || is_wanted({precision, CacheState::warm}, o);
}

std::string name_of(MeasureWay way) {
  return std::string(warpspy::name_of(way.precision)) + "-" + warpspy::name_of(way.caches);
}

}  // namespace

std::vector<MeasureWay> all_measure_ways() {
  return {{Precision::f32, CacheState::cold},
          {Precision::f32, CacheState::warm},
          {Precision::f64, CacheState::cold},
          {Precision::f64, CacheState::warm}};
}

MeasureWay measure_way(const std::string& text) {
  std::string names;
  for (const MeasureWay& way : all_measure_ways()) {
    if (name_of(way) == text) return way;
    names += (names.empty() ? "" : ", ") + name_of(way);
  }
  throw Error("'" + text + "' is no way to measure a product", "--ways", "give some of " + names);
}

std::vector<RunRequest> measure_requests(const std::vector<std::string>& matrices, const Catalog& catalog,
                                         const DeviceInfo& device, const MeasureOptions& o) {
  for (const std::string& id : o.kernels) catalog.require_kernel(id);
  std::vector<RunRequest> all, tuned, solves;
  for (const std::string& matrix : matrices) {
    RunRequest r;
    r.matrix = matrix, r.device = device.id, r.budget_s = o.budget_s, r.counters = o.counters, r.memory = o.memory;
    for (const Precision precision : {Precision::f32, Precision::f64})
      for (const KernelInfo& k : catalog.kernels) {
        if (!is_wanted(k, device, catalog, o)) continue;
        r.precision = precision, r.kernel = k.id;
        const std::vector<ParamSet> params = parameters_of(k, device, precision);
        for (std::size_t p = 0; p < params.size(); ++p)
          for (const CacheState caches : {CacheState::cold, CacheState::warm}) {
            if (!is_wanted({precision, caches}, o)) continue;
            r.params = params[p], r.cache_state = caches;
            (p == 0 ? all : tuned).push_back(r);
          }
      }
    if (o.kernels.empty())
      for (const Precision precision : {Precision::f32, Precision::f64})
        for (const Solver solver : {Solver::cg, Solver::pipelined_cg, Solver::bicgstab, Solver::gmres}) {
          if (!is_wanted(precision, o)) break;
          RunRequest& s = solves.emplace_back();  // its kernel is that of a request which names none
          s.matrix = matrix, s.device = device.id, s.budget_s = o.budget_s, s.counters = o.counters,
          s.memory = o.memory;
          s.precision = precision, s.solver = solver, s.most_iterations = iterations;
        }
  }
  all.insert(all.end(), tuned.begin(), tuned.end());
  all.insert(all.end(), solves.begin(), solves.end());
  return all;
}

}  // namespace warpspy
