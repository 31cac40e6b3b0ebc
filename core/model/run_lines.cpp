#include "core/model/run_lines.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/csv.hpp"

namespace warpspy {
namespace {

using Run = std::shared_ptr<const RunRecord>;

bool succeeded(const RunRecord& r) { return r.status == RunStatus::ok && !(r.check && !r.check->passed); }

const ParamSpec* spec_of(const RunRecord& r, const Catalog& catalog, const std::string& id) {
  const KernelInfo* k = catalog.kernel(r.request.kernel);
  const FormatInfo* f = k ? catalog.format(k->format) : nullptr;
  if (k)
    for (const ParamSpec& p : k->params)
      if (p.id == id) return &p;
  if (f)
    for (const ParamSpec& p : f->params)
      if (p.id == id) return &p;
  return nullptr;
}

std::optional<double> number_in(const RunRecord& r, const std::string& id) {
  if (id == "nnz") return static_cast<double>(r.nnz);
  if (id == "rows") return static_cast<double>(r.rows);
  if (id == "parts") return static_cast<double>(r.request.parts);
  for (const ParamSet* set : {&r.request.params, &r.request.format_params})
    if (const auto at = set->find(id); at != set->end()) return at->second;
  return std::nullopt;
}

// What distinguishes runs except for the axis: pairs of name and value.
using Traits = std::map<std::string, std::string>;

Traits traits_of(const RunRecord& r, const Catalog& catalog, const std::string& x) {
  Traits t;
  const KernelInfo* k = catalog.kernel(r.request.kernel);
  t["0"] = k ? k->label : r.request.kernel;
  if (r.request.solver != Solver::none) {  // an iteration
    t["0"] = std::string(solver_info(r.request.solver).label) + " with " + t["0"];
    t["0 precond"] = std::string("preconditioner ") + name_of(r.request.preconditioner);
    if (r.request.preconditioner == Preconditioner::chebyshev)
      t["0 degree"] = "degree " + std::to_string(r.request.degree);
    if (r.request.solver == Solver::gmres) t["0 restart"] = "restart " + std::to_string(r.request.restart);
  }
  if (x != "nnz" && x != "rows") t["1"] = r.matrix_name;
  t["2"] = name_of(r.request.precision);
  t["3"] = r.device_name.empty() ? r.request.device : r.device_name;
  t["4"] = name_of(r.request.cache_state);
  if (x != "parts" && r.request.parts != 1) t["4 parts"] = std::to_string(r.request.parts) + " parts";
  if (x == "parts" || r.request.parts != 1) t["4 split"] = std::string("split by ") + name_of(r.request.split);
  for (const ParamSet* set : {&r.request.params, &r.request.format_params})
    for (const auto& [id, value] : *set) {
      if (id == x) continue;
      const ParamSpec* spec = spec_of(r, catalog, id);
      const auto choice = static_cast<std::size_t>(std::max(0.0, value));
      const bool word = spec && spec->type == ParamSpec::Type::choice && choice < spec->choices.size();
      t["5 " + id] = id + " " + (word ? spec->choices[choice] : csv::number(value));
    }
  return t;
}

// The median of the runs at one place.
RunLines::Point median_of(double x, std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a->time.value < b->time.value; });
  const RunRecord& r = *runs[(runs.size() - 1) / 2];
  return {x, r.gflops.value, r.time.value, r.id, runs.size(), r.gflops.provenance, runs[(runs.size() - 1) / 2]};
}

double best_of(const RunLines::Curve& c) {
  double best = 0;
  for (const RunLines::Point& p : c.points) best = std::max(best, p.gflops);
  return best;
}

// "gen:laplace5" of a generator's matrix; a file is of its own.
std::string origin_of(const RunRecord& r) { return r.request.matrix.substr(0, r.request.matrix.find('?')); }

// Whether values grow by factors and not by equal steps.
bool grows_by_factors(const std::set<double>& values) {
  if (values.size() < 3 || *values.begin() <= 0) return false;
  const double last = *values.rbegin(), before = *std::next(values.rbegin()), first = *values.begin(),
               second = *std::next(values.begin());
  return last - before > 1.7 * (second - first) && last / first >= 4;
}

}  // namespace

std::string axis_label(const Catalog& catalog, const std::string& id) {
  if (id == "nnz") return "entries of the matrix";
  if (id == "rows") return "rows of the matrix";
  if (id == "parts") return "parts, each on a GPU of its own";
  const auto label_in = [&](const auto& owners) {
    for (const auto& owner : owners)
      for (const ParamSpec& p : owner.params)
        if (p.id == id && !p.label.empty()) return p.label;
    return std::string();
  };
  std::string label = label_in(catalog.kernels);
  if (label.empty()) label = label_in(catalog.formats);
  return label.empty() ? id : label;
}

std::vector<std::string> turned_in(const std::vector<Run>& runs, const Catalog& catalog) {
  // For each parameter, the most values that it has on one matrix with one kernel.
  std::map<std::string, std::map<std::string, std::set<double>>> values;
  std::set<double> nnz, rows;
  std::map<Solver, std::set<std::uint64_t>> parts;
  for (const Run& r : runs) {
    if (!succeeded(*r)) continue;
    nnz.insert(static_cast<double>(r->nnz)), rows.insert(static_cast<double>(r->rows));
    parts[r->request.solver].insert(r->request.parts);
    for (const ParamSet* set : {&r->request.params, &r->request.format_params})
      for (const auto& [id, value] : *set) values[id][r->request.kernel].insert(value);
  }
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& [id, of] : values) {
    std::size_t most = 0;
    for (const auto& [kernel, set] : of) most = std::max(most, set.size());
    const bool word = std::any_of(runs.begin(), runs.end(), [&, name = id](const Run& r) {
      const ParamSpec* spec = spec_of(*r, catalog, name);
      return spec && spec->type == ParamSpec::Type::choice;
    });
    if (most > 1) found.emplace_back(word ? 1 : most, id);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> ids;
  for (auto& [most, id] : found) ids.push_back(std::move(id));
  if (std::any_of(parts.begin(), parts.end(), [](const auto& of) { return of.second.size() > 1; }))
    ids.emplace_back("parts");
  if (nnz.size() > 1) ids.emplace_back("nnz");
  if (rows.size() > 1) ids.emplace_back("rows");
  return ids;
}

RunLines lines_of(const std::vector<Run>& runs, const Catalog& catalog, const std::string& x) {
  RunLines out;
  out.x = x;
  out.x_label = axis_label(catalog, x);
  std::map<Traits, std::map<double, std::vector<Run>>> curves;
  std::map<std::string, std::set<std::string>> seen;  // values of each trait
  std::set<double> places;
  std::set<std::string> origins;
  out.by_size = x == "nnz" || x == "rows";
  for (const Run& r : runs) {
    const bool iteration = r->request.solver != Solver::none;  // comparable only over parts
    if (r->status == RunStatus::cancelled || (iteration && x != "parts")) continue;
    const auto value = number_in(*r, x);
    if (!value) continue;
    if (!succeeded(*r)) {
      ++out.failed;
      continue;
    }
    const ParamSpec* spec = spec_of(*r, catalog, x);
    if (spec && spec->type == ParamSpec::Type::choice) out.words = spec->choices;
    curves[traits_of(*r, catalog, x)][*value].push_back(r);
    origins.insert(origin_of(*r));
  }
  std::erase_if(curves, [](const auto& c) { return c.second.size() < 2; });
  for (const auto& [traits, points] : curves) {
    for (const auto& [id, value] : traits) seen[id].insert(value);
    for (const auto& [place, at] : points) places.insert(place);
  }
  for (const auto& [traits, points] : curves) {
    RunLines::Curve c;
    // Parameters distinguish curves of the same kernel; other kernels do not have them.
    for (const auto& [id, value] : traits)
      if (seen[id].size() > 1) c.name += (c.name.empty() ? "" : ", ") + value;
    if (c.name.empty()) c.name = traits.at("0");
    for (const auto& [place, at] : points) c.points.push_back(median_of(place, at));
    out.curves.push_back(std::move(c));
  }
  std::stable_sort(out.curves.begin(), out.curves.end(),
                   [](const auto& a, const auto& b) { return best_of(a) > best_of(b); });
  for (const auto& [id, values] : seen)
    if (values.size() == 1 && id[0] < '5') out.conditions += (out.conditions.empty() ? "" : ", ") + *values.begin();
  out.joined = !out.by_size || origins.size() == 1;
  // Sizes of matrices need not grow evenly.
  const bool far = out.by_size && !places.empty() && *places.begin() > 0 && *places.rbegin() / *places.begin() >= 4;
  out.doubling = out.words.empty() && (far || grows_by_factors(places));
  return out;
}

}  // namespace warpspy
