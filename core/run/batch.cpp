#include "core/run/batch.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/csv.hpp"

namespace warpspy {
namespace {

// Kernels in the order asked for, but those of one format together, where the first of them stands.
std::vector<std::string> by_format(const std::vector<std::string>& kernels, const Catalog& catalog) {
  const auto format = [&](const std::string& id) {
    const KernelInfo* k = catalog.kernel(id);
    return k ? k->format : id;
  };
  std::vector<std::string> order;
  for (const std::string& first : kernels) {
    if (std::find(order.begin(), order.end(), first) != order.end()) continue;
    for (const std::string& other : kernels)
      if (format(other) == format(first) && std::find(order.begin(), order.end(), other) == order.end())
        order.push_back(other);
  }
  return order;
}

// Why it cannot run at all, or "".
std::string why_not(const RunRequest& r, const Catalog& catalog) {
  const KernelInfo* kernel = catalog.kernel(r.kernel);
  const DeviceInfo* device = catalog.device(r.device);
  if (!kernel) return "there is no kernel " + r.kernel;
  if (!device) return "there is no device " + r.device;
  if (!device->available) return device->name + ": " + device->reason;
  return catalog.why_not(*kernel, *device);
}

const ParamSet& set_of(const std::map<std::string, ParamSet>& sets, const std::string& owner) {
  static const ParamSet none;
  const auto found = sets.find(owner);
  return found == sets.end() ? none : found->second;
}

}  // namespace

std::string key_of(const RunRequest& request) {
  RunRequest inputs = request;
  inputs.budget_s = RunRequest{}.budget_s;
  inputs.live = false;
  return to_json(inputs);
}

Batch::Batch(BatchPlan plan, const Catalog& catalog) : plan_(std::move(plan)) {
  std::set<std::string> known;
  const std::vector<std::string> kernels = by_format(plan_.kernels, catalog);
  for (const BatchPlan::Of& matrix : plan_.matrices)
    for (const Precision precision : plan_.precisions)
      for (const std::string& kernel : kernels)
        for (const std::string& device : plan_.devices) {
          BatchCell cell;
          cell.request = plan_.common;
          cell.request.matrix = matrix.source;
          cell.request.kernel = kernel;
          cell.request.precision = precision;
          cell.request.device = device;
          cell.request.params = set_of(plan_.kernel_params, kernel);
          const KernelInfo* info = catalog.kernel(kernel);
          cell.request.format_params = set_of(plan_.format_params, info ? info->format : "");
          cell.matrix_name = matrix.name;
          if (!known.insert(key_of(cell.request)).second) continue;
          cell.reason = why_not(cell.request, catalog);
          if (!cell.reason.empty()) cell.state = CellState::skipped;
          cells_.push_back(std::move(cell));
        }
}

Batch::Batch(const KeptBatch& kept, const Catalog& catalog) : Batch(kept.plan, catalog) {
  using Which = std::tuple<std::string, std::string, std::string, Precision>;
  std::map<Which, const BatchOutcome*> outcomes;
  for (const BatchOutcome& o : kept.outcomes) outcomes[{o.matrix, o.kernel, o.device, o.precision}] = &o;
  for (BatchCell& c : cells_) {
    const auto found = outcomes.find({c.request.matrix, c.request.kernel, c.request.device, c.request.precision});
    if (found == outcomes.end() || c.state != CellState::waiting) continue;
    const BatchOutcome& o = *found->second;
    c.state = o.state, c.reason = o.reason, c.run = o.run, c.seconds = o.seconds;
  }
}

KeptBatch Batch::kept() const {
  KeptBatch kept{plan_, {}};
  for (const BatchCell& c : cells_) {
    if (c.state == CellState::waiting || c.state == CellState::running) continue;
    kept.outcomes.push_back({c.request.matrix, c.request.kernel, c.request.device, c.request.precision, c.state,
                             c.reason, c.run, c.seconds});
  }
  return kept;
}

BatchCounts Batch::counts() const {
  BatchCounts n;
  std::size_t* const each[] = {&n.waiting, &n.running, &n.done, &n.failed, &n.skipped};
  for (const BatchCell& c : cells_) ++*each[static_cast<int>(c.state)];
  return n;
}

std::optional<std::size_t> Batch::next(const std::function<bool(const std::string& source)>& ready) const {
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (cells_[k].state == CellState::waiting && ready(cells_[k].request.matrix)) return k;
  return std::nullopt;
}

void Batch::begin(std::size_t cell) { cells_[cell].state = CellState::running; }

void Batch::finish(std::size_t cell, const RunRecord& record, double seconds) {
  BatchCell& c = cells_[cell];
  c.seconds = seconds;
  c.run = record.id;
  c.reason.clear();
  switch (record.status) {
    case RunStatus::ok:
      c.state = CellState::done;
      if (record.check && !record.check->passed) c.state = CellState::failed, c.reason = "the result is wrong";
      return;
    case RunStatus::failed:
      c.state = CellState::failed;
      c.reason = record.error.empty() ? "it failed without a reason" : record.error;
      return;
    case RunStatus::cancelled:
      c.state = CellState::waiting;
      c.run = 0;
      return;
  }
}

void Batch::fail(std::size_t cell, const std::string& reason) {
  cells_[cell].state = CellState::failed;
  cells_[cell].reason = reason;
}

void Batch::skip(std::size_t cell, const std::string& reason) {
  cells_[cell].state = CellState::skipped;
  cells_[cell].reason = reason;
}

void Batch::renumber(std::uint64_t from, std::uint64_t to) {
  for (BatchCell& c : cells_)
    if (c.run == from) c.run = to;
}

std::size_t Batch::retry() {
  std::size_t count = 0;
  for (BatchCell& c : cells_) {
    if (c.state != CellState::failed) continue;
    c.state = CellState::waiting;
    c.reason.clear();
    c.run = 0;
    ++count;
  }
  return count;
}

std::optional<double> Batch::eta_s() const {
  double seconds = 0;
  std::size_t ran = 0, left = 0;
  for (const BatchCell& c : cells_) {
    if (c.seconds > 0) seconds += c.seconds, ++ran;
    left += c.state == CellState::waiting || c.state == CellState::running;
  }
  if (ran == 0) return std::nullopt;
  return seconds / static_cast<double>(ran) * static_cast<double>(left);
}

std::string to_csv(const Batch& batch) {
  std::string out;
  csv::add_line(out, {"matrix", "kernel", "precision", "device", "state", "reason", "run", "seconds"});
  for (const BatchCell& c : batch.cells())
    csv::add_line(out,
                  {c.matrix_name, c.request.kernel, name_of(c.request.precision), c.request.device, name_of(c.state),
                   c.reason, c.run == 0 ? "" : std::to_string(c.run), c.seconds > 0 ? csv::number(c.seconds) : ""});
  return out;
}

}  // namespace warpspy
