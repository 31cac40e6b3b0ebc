#include "core/run/sweep.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/hash.hpp"
#include "core/base/numbers.hpp"
#include "core/run/sweep_axes.hpp"

namespace warpspy {
namespace {

// Why it cannot run at all, or "".
std::string why_not(const RunRequest& r, const KernelInfo* kernel, const Catalog& catalog) {
  const DeviceInfo* device = catalog.device(r.device);
  if (!kernel) return "there is no kernel " + r.kernel;
  if (!device) return "there is no device " + r.device;
  if (!device->available) return device->name + ": " + device->reason;
  return catalog.why_not(*kernel, *device);
}

// Fills in defaults, so that a missing parameter and its default give the same product. Returns why that is not
// possible, or "".
std::string complete(RunRequest& r, const KernelInfo& kernel, const FormatInfo* format) {
  try {
    r.params = checked_params(kernel.params, r.params);
    if (format) r.format_params = checked_params(format->params, r.format_params);
  } catch (const Error& e) {
    return e.reason + "; " + e.remedy;
  }
  return "";
}

std::string key_without_matrix(const SweepCell& cell) {
  RunRequest inputs = cell.request;
  inputs.matrix.clear();
  return hash_of_text(key_of(inputs) + "\nrepetition " + std::to_string(cell.repetition));
}

// A parameter that none of the kernels has is an error.
void check_params(const SweepPlan& plan, const std::vector<std::string>& kernels, const Catalog& catalog) {
  std::set<std::string> known;
  for (const std::string& id : kernels) {
    const KernelInfo* k = catalog.kernel(id);
    if (!k) continue;
    for (const ParamSpec& p : k->params) known.insert(p.id), known.insert(k->id + "." + p.id);
    if (const FormatInfo* f = catalog.format(k->format))
      for (const ParamSpec& p : f->params) known.insert(p.id), known.insert(f->id + "." + p.id);
  }
  for (const SweepPlan::Axis& a : plan.params) {
    if (a.values.empty()) throw Error("the parameter " + a.id + " has no values", {}, "give it one or more");
    if (known.contains(a.id)) continue;
    std::string all;
    for (const std::string& id : known)
      if (id.find('.') == std::string::npos) all += (all.empty() ? "" : ", ") + id;
    throw Error("none of the kernels has a parameter " + a.id, {}, all.empty() ? "they have none" : "known: " + all);
  }
}

}  // namespace

void SweepPlan::add(std::vector<Axis>& axes, const std::string& id, const std::string& value) {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.id == id; });
  Axis& axis = found == axes.end() ? axes.emplace_back(Axis{id, {}}) : *found;
  if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) axis.values.push_back(value);
}

std::size_t check(const SweepPlan& plan, const Catalog& catalog) {
  if (plan.matrices.empty()) throw Error("the sweep has no matrices", {}, "name files, folders or gen:NAME");
  for (const std::string& id : plan.kernels) catalog.require_kernel(id);
  for (const std::string& id : plan.formats)
    if (!catalog.format(id)) {
      std::string known;
      for (const FormatInfo& f : catalog.formats) known += (known.empty() ? "" : ", ") + f.id;
      throw Error("unknown format " + id, {}, "known: " + known);
    }
  const std::vector<std::string> kernels = kernels_of(plan, catalog);
  if (kernels.empty()) throw Error("the sweep has no kernels", {}, "name kernels, or formats whose kernels all run");
  if (plan.repetitions < 1) throw Error("a sweep has at least one repetition", {}, "leave it out, or say 1 or more");
  check_params(plan, kernels, catalog);
  for (const SweepPlan::Axis& a : plan.options)
    if (a.values.empty()) throw Error("the option " + a.id + " has no values", {}, "give it one or more");
  const double per_kernel = static_cast<double>(requests_of(plan.options, catalog).size()) * plan.repetitions *
                            static_cast<double>(plan.matrices.size());
  double cells = 0;
  for (const std::string& id : kernels) {
    const KernelInfo* k = catalog.kernel(id);
    cells += per_kernel * (k ? static_cast<double>(params_of(plan, *k, catalog.format(k->format)).size()) : 1);
  }
  if (cells > static_cast<double>(kMostSweepCells))
    throw Error("the sweep has " + grouped(static_cast<index_t>(std::min(cells, 1e15))) + " products; at most " +
                    grouped(static_cast<index_t>(kMostSweepCells)) + " are one sweep",
                {}, "take fewer values, or make several");
  return static_cast<std::size_t>(cells);
}

std::string key_of(const RunRequest& request) {
  RunRequest inputs = request;
  inputs.budget_s = RunRequest{}.budget_s;
  inputs.live = false;
  return to_json(inputs);
}

SweepCell cell_of(const RunRequest& request, const Catalog& catalog, int repetition) {
  SweepCell cell;
  cell.request = request;
  cell.repetition = repetition;
  const KernelInfo* kernel = catalog.kernel(request.kernel);
  const FormatInfo* format = kernel ? catalog.format(kernel->format) : nullptr;
  cell.reason = why_not(cell.request, kernel, catalog);
  const std::string wrong = kernel ? complete(cell.request, *kernel, format) : "";
  if (cell.reason.empty()) cell.reason = wrong;
  if (!cell.reason.empty()) cell.state = CellState::skipped;
  cell.key = key_without_matrix(cell);
  return cell;
}

std::string progress_text(const SweepCounts& n) {
  std::string text = std::to_string(n.done) + " of " + std::to_string(n.all()) + " done";
  if (n.failed > 0) text += ", " + std::to_string(n.failed) + " failed";
  if (n.skipped > 0) text += ", " + std::to_string(n.skipped) + " skipped";
  return text;
}

CellEnd end_of(const RunRecord& record) {
  switch (record.status) {
    case RunStatus::ok:
      if (record.check && !record.check->passed) return {CellState::failed, "the result is wrong"};
      return {};
    case RunStatus::failed:
      return {CellState::failed, record.error.empty() ? "it failed without a reason" : record.error};
    case RunStatus::cancelled:
      break;
  }
  return {CellState::waiting};
}

Sweep::Sweep(SweepPlan plan, const Catalog& catalog) : plan_(std::move(plan)) {
  std::vector<SweepPlan::Of> once;
  for (const SweepPlan::Of& m : plan_.matrices)
    if (std::none_of(once.begin(), once.end(), [&](const SweepPlan::Of& o) { return o.source == m.source; }))
      once.push_back(m);
  for (const SweepPlan::Of& m : once) expand(m, catalog);
}

void Sweep::expand(const SweepPlan::Of& matrix, const Catalog& catalog) {
  // Precisions change more slowly than kernels, since a format is made for one precision.
  const auto is_outer = [](const SweepPlan::Axis& a) { return a.id == "precision"; };
  std::vector<SweepPlan::Axis> outer, inner;
  for (const SweepPlan::Axis& a : plan_.options) (is_outer(a) ? outer : inner).push_back(a);
  const std::vector<RunRequest> options = requests_of(inner, catalog);
  std::set<std::string> known;
  for (const RunRequest& precision : requests_of(outer, catalog))
    for (const std::string& id : kernels_of(plan_, catalog)) {
      const KernelInfo* kernel = catalog.kernel(id);
      const FormatInfo* format = kernel ? catalog.format(kernel->format) : nullptr;
      const auto params = kernel ? params_of(plan_, *kernel, format) : std::vector<KernelParams>(1);
      for (const KernelParams& p : params)
        for (const RunRequest& option : options)
          for (int repetition = 1; repetition <= plan_.repetitions; ++repetition) {
            RunRequest request = option;
            request.precision = precision.precision;
            request.matrix = matrix.source;
            request.kernel = id;
            request.params = p.kernel, request.format_params = p.format;
            SweepCell cell = cell_of(request, catalog, repetition);
            cell.matrix_name = matrix.name.empty() ? matrix.source : matrix.name;
            if (!known.insert(cell.key).second) continue;
            cells_.push_back(std::move(cell));
            if (cells_.size() > kMostSweepCells) check(plan_, catalog);  // throws
          }
    }
}

Sweep::Sweep(const SavedSweep& saved, const Catalog& catalog) : Sweep(saved.plan, catalog) {
  std::map<std::pair<std::string, std::string>, const SweepOutcome*> outcomes;
  for (const SweepOutcome& o : saved.outcomes) outcomes[{o.matrix, o.cell}] = &o;
  for (SweepCell& c : cells_) {
    if (c.state != CellState::waiting) continue;
    const auto found = outcomes.find({c.request.matrix, c.key});
    if (found == outcomes.end()) continue;
    const SweepOutcome& o = *found->second;
    c.state = o.state, c.reason = o.reason, c.run = o.run, c.seconds = o.seconds;
  }
}

SavedSweep Sweep::saved() const {
  SavedSweep saved{plan_, {}};
  for (const SweepCell& c : cells_)
    if (c.state != CellState::waiting && c.state != CellState::running)
      saved.outcomes.push_back({c.request.matrix, c.key, c.state, c.reason, c.run, c.seconds});
  return saved;
}

SweepCounts Sweep::counts() const {
  SweepCounts n;
  std::size_t* const each[] = {&n.waiting, &n.running, &n.done, &n.failed, &n.skipped};
  for (const SweepCell& c : cells_) ++*each[static_cast<int>(c.state)];
  return n;
}

std::optional<std::size_t> Sweep::next(const std::function<bool(const std::string& source)>& ready) const {
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (cells_[k].state == CellState::waiting && ready(cells_[k].request.matrix)) return k;
  return std::nullopt;
}

void Sweep::begin(std::size_t cell) { cells_[cell].state = CellState::running; }

void Sweep::finish(std::size_t cell, const RunRecord& record, double seconds) {
  SweepCell& c = cells_[cell];
  CellEnd end = end_of(record);
  c.state = end.state, c.reason = std::move(end.reason);
  c.seconds = seconds;
  c.run = c.state == CellState::waiting ? 0 : record.id;
  if (c.state == CellState::waiting) return;
  ++ran_, seconds_ += seconds;
}

void Sweep::bring_back(std::size_t cell, const CellEnd& end, std::uint64_t run, double seconds) {
  SweepCell& c = cells_[cell];
  c.state = end.state, c.reason = end.reason, c.run = run, c.seconds = seconds;
}

void Sweep::fail(std::size_t cell, const std::string& reason) {
  cells_[cell].state = CellState::failed;
  cells_[cell].reason = reason;
}

void Sweep::skip(std::size_t cell, const std::string& reason) {
  cells_[cell].state = CellState::skipped;
  cells_[cell].reason = reason;
}

void Sweep::renumber(std::uint64_t from, std::uint64_t to) {
  for (SweepCell& c : cells_)
    if (c.run == from) c.run = to;
}

std::size_t Sweep::retry() {
  std::size_t count = 0;
  for (SweepCell& c : cells_) {
    if (c.state != CellState::failed) continue;
    c.state = CellState::waiting;
    c.reason.clear();
    c.run = 0;
    ++count;
  }
  return count;
}

std::optional<double> Sweep::eta_s() const {
  if (ran_ == 0) return std::nullopt;
  return seconds_ / static_cast<double>(ran_) * static_cast<double>(counts().left());
}

}  // namespace warpspy
