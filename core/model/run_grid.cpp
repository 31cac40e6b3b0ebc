#include "core/model/run_grid.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/run/preparation.hpp"
#include "core/run/run_name.hpp"

namespace warpspy {
namespace {

// Two runs with the same Way on a matrix are in the same column, so only the better one is shown.
struct Way {
  std::size_t kernel = 0;  // position in the catalog, so that columns are in its order
  std::string kernel_id;   // for a kernel that is not in the catalog
  Precision precision = Precision::f32;
  std::string device;
  CacheState cache = CacheState::warm;
  std::string group;  // the device, if columns are grouped by device
  auto key() const { return std::tie(group, kernel, kernel_id, device, precision, cache); }
  bool operator<(const Way& o) const { return key() < o.key(); }
};

Way way_of(const RunRecord& r, const Catalog& catalog, const GridOrder& order) {
  const auto wanted = std::find(order.kernels.begin(), order.kernels.end(), r.request.kernel);
  auto place = static_cast<std::size_t>(wanted - order.kernels.begin());
  if (wanted == order.kernels.end())
    for (const KernelInfo& k : catalog.kernels) {
      if (k.id == r.request.kernel) break;
      ++place;
    }
  const std::string device = r.device.empty() ? r.request.device : r.device;
  return {place, r.request.kernel, r.request.precision, device, r.request.cache_state, order.by_device ? device : ""};
}

Operation operation_of(const RunRecord& r, const Catalog& catalog) {
  const KernelInfo* k = catalog.kernel(r.request.kernel);
  return k ? k->operation : Operation::product;
}

std::string device_name(const RunRecord& r, const Catalog& catalog) {
  const DeviceInfo* d = catalog.device(r.device.empty() ? r.request.device : r.device);
  if (d) return d->name;
  if (!r.device_name.empty()) return r.device_name;
  if (!r.device.empty()) return r.device;
  return r.request.device.empty() ? "no device" : r.request.device;  // the run failed before a device was chosen
}

std::string value_text(const ParamSpec& spec, double v) {
  const auto k = static_cast<std::size_t>(std::max(0.0, v));
  if (spec.type == ParamSpec::Type::choice && k < spec.choices.size()) return spec.choices[k];
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", v);
  return text;
}

// An iteration of a solve is none, and neither is a product of several GPUs.
bool is_product(const RunRecord& r) {
  return r.status != RunStatus::cancelled && r.request.solver == Solver::none && r.request.parts == 1;
}
bool good(const RunRecord& r) { return r.status == RunStatus::ok && !(r.check && !r.check->passed); }

// Keeps the better of the cell and one more run: the fastest, else the latest failure.
void put(RunGrid::Cell& cell, const RunRecord& r, const Catalog& catalog, const std::optional<RoofShare>& share) {
  if (!good(r)) {
    if (cell.is == RunGrid::Is::ok) return;
    cell.is = RunGrid::Is::failed;
    cell.run = r.id;
    cell.reason = r.status == RunStatus::ok ? "the result is wrong" : r.error;
    return;
  }
  if (cell.is == RunGrid::Is::ok && cell.us <= r.time.value) return;
  cell = {RunGrid::Is::ok,     r.time.value, r.gflops.value, share ? std::optional(share->share) : std::nullopt,
          r.gflops.provenance, "",           r.id,           params_text(r, catalog)};
  cell.preparation_us = preparation_of(r, catalog.format(r.format)).us;
  cell.reads_csr = r.format == "csr";
}

// Matrices of the same name get their folders added, else a number.
std::vector<std::string> unique_names(const std::vector<std::string>& names, const std::vector<std::string>& sources) {
  std::map<std::string, int> count;
  for (const std::string& n : names) ++count[n];
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string name = names[k];
    const auto slash = sources[k].find_last_of('/');
    if (count[name] > 1 && slash != std::string::npos && slash > 0) {
      const auto before = sources[k].find_last_of('/', slash - 1);
      const auto from = before == std::string::npos ? 0 : before + 1;
      name = sources[k].substr(from, slash - from) + "/" + name;
    }
    for (int n = 2; !taken.insert(name).second; ++n) name = names[k] + " (" + std::to_string(n) + ")";
    out.push_back(name);
  }
  return out;
}

}  // namespace

std::string params_text(const RunRecord& r, const Catalog& catalog) {
  std::string text;
  const auto add = [&](const std::vector<ParamSpec>& specs, const ParamSet& set) {
    for (const ParamSpec& p : specs)
      if (const auto v = set.find(p.id); v != set.end() && v->second != p.def)
        text += (text.empty() ? "" : ", ") + p.id + " " + value_text(p, v->second);
  };
  const KernelInfo* k = catalog.kernel(r.request.kernel);
  if (k) add(k->params, r.request.params);
  if (const FormatInfo* f = k ? catalog.format(k->format) : nullptr) add(f->params, r.request.format_params);
  return text;
}

std::optional<RoofShare> roof_share(const std::vector<RooflinePoint>& points) {
  std::optional<RoofShare> nearest;
  for (const RooflinePoint& p : points) {
    if (!(p.roof_gflops > 0)) continue;
    const double share = p.gflops / p.roof_gflops;
    if (!nearest || share > nearest->share) nearest = RoofShare{share, p.level, p.provenance};
  }
  return nearest;
}

std::optional<double> RunGrid::best_us(std::size_t matrix, std::size_t column) const {
  std::optional<double> best;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (const Cell& cell = at(matrix, c); cell.is == Is::ok && rivals(c, column) && (!best || cell.us < *best))
      best = cell.us;
  return best;
}

std::optional<double> RunGrid::preparation(std::size_t matrix, std::size_t column) const {
  const Cell& own = at(matrix, column);
  if (own.is != Is::ok || !own.preparation_us) return std::nullopt;
  std::optional<double> product;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (const Cell& cell = at(matrix, c);
        cell.is == Is::ok && cell.reads_csr && rivals(c, column) && (!product || cell.us < *product))
      product = cell.us;
  return product ? in_products(*own.preparation_us, *product) : std::nullopt;
}

RunGrid grid_of(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                const ShareOf& share_of, const GridOrder& order) {
  std::map<Operation, std::size_t> operations;
  for (const auto& r : runs)
    if (is_product(*r)) ++operations[operation_of(*r, catalog)];
  operations.erase(Operation::axpy);  // an axpy has no matrix
  if (operations.empty()) return {};
  const auto most = std::max_element(operations.begin(), operations.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  RunGrid grid;
  std::vector<std::shared_ptr<const RunRecord>> shown;
  for (const auto& r : runs)
    if (is_product(*r) && operation_of(*r, catalog) == most->first) shown.push_back(r);
  for (const auto& [operation, n] : operations)
    if (operation != most->first)
      grid.notes.push_back(counted(static_cast<index_t>(n), "run") + " left out: of a " + name_of(operation) + ".");

  std::vector<std::string> names;
  std::map<Way, std::size_t> ways;
  std::set<Precision> precisions;
  std::set<std::string> devices;
  std::set<CacheState> caches;
  for (const auto& r : shown) {
    if (std::find(grid.sources.begin(), grid.sources.end(), r->request.matrix) == grid.sources.end()) {
      grid.sources.push_back(r->request.matrix);
      names.push_back(r->matrix_name.empty() ? r->request.matrix : r->matrix_name);
    }
    const Way way = way_of(*r, catalog, order);
    ways[way] = 0;
    precisions.insert(way.precision), devices.insert(way.device), caches.insert(way.cache);
  }
  grid.matrices = unique_names(names, grid.sources);
  grid.ordered = !order.kernels.empty();
  std::set<std::pair<std::size_t, std::string>> complex_ones;
  for (const auto& r : shown)
    if (const std::string view = real_view_of(*r); !view.empty())
      complex_ones.insert(
          {static_cast<std::size_t>(std::find(grid.sources.begin(), grid.sources.end(), r->request.matrix) -
                                    grid.sources.begin()),
           view});
  for (const auto& [row, view] : complex_ones)
    grid.notes.push_back(grid.matrices[row] + " is complex: its products ran on the " + view + ".");
  std::size_t column = 0;
  for (auto& [way, at] : ways) {
    at = column++;
    const auto any = std::find_if(shown.begin(), shown.end(), [&, w = &way](const auto& r) {
      const Way other = way_of(*r, catalog, order);
      return !(other < *w) && !(*w < other);
    });
    const KernelInfo* info = catalog.kernel(way.kernel_id);
    std::string label = info ? info->label : way.kernel_id;
    if (precisions.size() > 1) label += std::string(" ") + name_of(way.precision);
    if (caches.size() > 1) label += std::string(" ") + name_of(way.cache);
    if (devices.size() > 1 && !order.by_device) label += ", " + device_name(**any, catalog);
    if (devices.size() > 1 && order.by_device) {
      const std::string name = device_name(**any, catalog);
      if (grid.groups.empty() || grid.groups.back().first != name) grid.groups.emplace_back(name, 0);
      ++grid.groups.back().second;
    }
    grid.columns.push_back(label);
    if (precisions.size() > 1) grid.precisions.push_back(way.precision);
  }
  grid.cells.resize(grid.matrices.size() * grid.columns.size());
  for (const auto& r : shown) {
    const auto row = static_cast<std::size_t>(std::find(grid.sources.begin(), grid.sources.end(), r->request.matrix) -
                                              grid.sources.begin());
    put(grid.cells[row * grid.columns.size() + ways[way_of(*r, catalog, order)]], *r, catalog,
        share_of ? share_of(*r) : std::nullopt);
  }
  const auto add = [&](const std::string& words) { grid.conditions += (grid.conditions.empty() ? "" : ", ") + words; };
  if (precisions.size() == 1) add(name_of(*precisions.begin()));
  if (devices.size() == 1) add(device_name(*shown.front(), catalog));
  if (caches.size() == 1) add(name_of(*caches.begin()));
  return grid;
}

double PerformanceProfile::Curve::share(double tau) const {
  const auto solved = std::upper_bound(ratios.begin(), ratios.end(), tau) - ratios.begin();
  return matrices == 0 ? 0 : static_cast<double>(solved) / static_cast<double>(matrices);
}

PerformanceProfile profile_of(const RunGrid& grid) {
  PerformanceProfile p;
  std::vector<std::size_t> columns;
  const auto tried = [&](std::size_t m, std::size_t c) { return grid.at(m, c).is != RunGrid::Is::missing; };
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    std::size_t on = 0;
    for (std::size_t m = 0; m < grid.matrices.size(); ++m) on += tried(m, c);
    if (2 * on >= grid.matrices.size()) columns.push_back(c);
  }
  if (const std::size_t out = grid.columns.size() - columns.size(); out > 0)
    p.notes.push_back(counted(static_cast<index_t>(out), "kernel") +
                      " left out: tried on fewer than half of the matrices.");
  for (std::size_t m = 0; m < grid.matrices.size(); ++m)
    if (std::all_of(columns.begin(), columns.end(), [&](std::size_t c) { return tried(m, c); }) && !columns.empty())
      p.matrices.push_back(m);
  if (const std::size_t out = grid.matrices.size() - p.matrices.size(); out > 0)
    p.notes.push_back(counted(static_cast<index_t>(out), "matrix", "matrices") +
                      " left out: not every kernel was tried there.");
  const auto best = [&](std::size_t m, std::size_t column) {
    double least = 0;
    for (const std::size_t c : columns)
      if (const RunGrid::Cell& cell = grid.at(m, c);
          cell.is == RunGrid::Is::ok && grid.rivals(c, column) && (least == 0 || cell.us < least))
        least = cell.us;
    return least;
  };
  for (const std::size_t c : columns) {
    PerformanceProfile::Curve curve;
    curve.column = c;
    curve.matrices = p.matrices.size();
    std::vector<std::pair<double, std::size_t>> solved;
    for (const std::size_t m : p.matrices)
      if (const RunGrid::Cell& cell = grid.at(m, c); cell.is == RunGrid::Is::ok && best(m, c) > 0)
        solved.emplace_back(cell.us / best(m, c), m);
    std::sort(solved.begin(), solved.end());
    for (const auto& [ratio, m] : solved) curve.ratios.push_back(ratio), curve.rows.push_back(m);
    if (!curve.ratios.empty()) p.most = std::max(p.most, curve.ratios.back());
    p.curves.push_back(std::move(curve));
  }
  if (grid.ordered) return p;
  std::stable_sort(p.curves.begin(), p.curves.end(), [](const auto& a, const auto& b) {
    return a.share(1) != b.share(1) ? a.share(1) > b.share(1) : a.ratios.size() > b.ratios.size();
  });
  return p;
}

}  // namespace warpspy
