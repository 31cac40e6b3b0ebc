#include "core/diagnosis/changes.hpp"

#include <algorithm>
#include <cmath>

#include "core/catalog/names.hpp"
#include "core/diagnosis/words.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy {
namespace {

// The threads per row that a row of mean length can use: at most half of its entries, a power of two.
double fitting_threads(double mean_length) {
  return std::clamp(std::exp2(std::floor(std::log2(std::max(1.0, mean_length / 2)))), 2.0, 32.0);
}

std::string value_words(const ParamSpec& spec, double value) {
  const auto k = static_cast<std::size_t>(std::max(0.0, value));
  return spec.type == ParamSpec::Type::choice && k < spec.choices.size() ? spec.choices[k] : count_text(value, 6);
}

std::string words_of(const KernelInfo& kernel, const ParamSet& set) {
  std::string text = kernel.label;
  for (const auto& [id, value] : set)
    if (const ParamSpec* spec = spec_of(kernel.params, id))
      text += ", " + label_in_sentence(*spec) + " " + value_words(*spec, value);
  return text;
}

// Whether the remedy suggests this kernel for a run of kernel `own`.
bool is_asked_for(const Remedy& remedy, const KernelInfo& kernel, const KernelInfo& own, const Catalog& catalog) {
  // Predicted gains were compared with a GPU for products only (docs/validation.md).
  if (own.operation != Operation::product || kernel.operation != own.operation || !kernel.library.empty()) return false;
  if (!kernel.tags.has_all(remedy.has) || kernel.tags.has_any(remedy.without)) return false;
  if (remedy.near && kernel.slowdown.factor > near_its_bytes) return false;
  const FormatInfo* format = catalog.format(kernel.format);
  return !format || !format->compact();
}

// This kernel with the remedy's parameter instead of the run's. Nothing if that is not possible.
std::optional<Change> kernel_change(const Remedy& remedy, const KernelInfo& kernel, const Evidence& e) {
  const RunRequest& request = e.run().request;
  const DeviceInfo* device = e.catalog().device(e.run().device);
  if (device && !e.catalog().why_not(kernel, *device).empty()) return {};
  ParamSet set;
  if (remedy.id) {
    const ParamSpec* spec = spec_of(kernel.params, remedy.id);
    if (!spec) return {};
    const double v = remedy.value == Remedy::fit ? fitting_threads(e.mean_length()) : remedy.value;
    if (v != Remedy::by_default) {
      if (v < spec->min || (spec->type != ParamSpec::Type::choice && v > spec->max)) return {};
      set[remedy.id] = v;
    }
  }
  Change c{words_of(kernel, set), kernel.id, {}, {}, {}};
  if (remedy.what == Remedy::What::same_kernel) c.params = request.params, c.format_params = request.format_params;
  for (const auto& [id, v] : set) c.params[id] = v;
  if (kernel.id == request.kernel &&
      checked_params(kernel.params, c.params) == checked_params(kernel.params, request.params))
    return {};
  return c;
}

std::optional<Change> reorder_change(const std::string& id, const Evidence& e) {
  if (e.run().rows != e.run().cols) return {};
  const RunRequest& r = e.run().request;
  if (r.matrix.ends_with(std::string(kThenOrdered) + id)) return {};  // the matrix is already in this order
  return Change{reorder_row(id).info.label + ", then the same kernel", r.kernel, r.params, r.format_params, id};
}

}  // namespace

std::vector<Change> changes_of(const std::vector<Remedy>& remedies, const Evidence& e) {
  std::vector<Change> changes;
  const auto add = [&](std::optional<Change> c) {
    if (c && std::find(changes.begin(), changes.end(), *c) == changes.end()) changes.push_back(std::move(*c));
  };
  const KernelInfo* own = e.catalog().kernel(e.run().request.kernel);
  for (const Remedy& remedy : remedies) {
    if (remedy.what == Remedy::What::reorder) add(reorder_change(remedy.id, e));
    if (remedy.what == Remedy::What::same_kernel && own) add(kernel_change(remedy, *own, e));
    if (remedy.what != Remedy::What::kernels || !own) continue;
    for (const KernelInfo& kernel : e.catalog().kernels)
      if (is_asked_for(remedy, kernel, *own, e.catalog())) add(kernel_change(remedy, kernel, e));
  }
  return changes;
}

bool does_already(const Remedy& remedy, const KernelInfo& own) {
  return remedy.what == Remedy::What::kernels && !remedy.id && own.tags.has_all(remedy.has) &&
         !own.tags.has_any(remedy.without);
}

RunRequest with_change(const RunRequest& request, const Change& change) {
  RunRequest r = request;
  r.kernel = change.kernel;
  r.params = change.params;
  r.format_params = change.format_params;
  return r;
}

bool answers(const RunRecord& later, const RunRecord& run, const Change& change) {
  if (later.status != RunStatus::ok || later.id == run.id) return false;
  const RunRequest &a = later.request, &b = run.request;
  // With another order of rows, kernel and parameters stay the same.
  const bool reorders = !change.reorder.empty();
  if (reorders && (a.params != b.params || a.format_params != b.format_params)) return false;
  const std::string matrix = reorders ? b.matrix + " | " + change.reorder : b.matrix;
  if (a.kernel != (reorders ? b.kernel : change.kernel) || a.matrix != matrix || later.device != run.device ||
      a.precision != b.precision || a.cache_state != b.cache_state || a.view != b.view)
    return false;
  // A parameter that the change does not name has its default, and the request does not list defaults.
  const auto holds = [](const ParamSet& all, const ParamSet& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& p) {
      const auto at = all.find(p.first);
      return at == all.end() || at->second == p.second;
    });
  };
  return holds(a.params, change.params) && holds(a.format_params, change.format_params);
}

}  // namespace warpspy
