#include "core/diagnosis/changes.hpp"

#include <algorithm>
#include <cmath>

#include "core/catalog/names.hpp"
#include "core/diagnosis/words.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy {
namespace {

// As many threads as a row of mean length has work for: half of its entries or less, a power of two.
double fitting_threads(double mean_length) {
  return std::clamp(std::exp2(std::floor(std::log2(std::max(1.0, mean_length / 2)))), 2.0, 32.0);
}

const ParamSpec* find(const std::vector<ParamSpec>& specs, const std::string& id) {
  const auto at = std::find_if(specs.begin(), specs.end(), [&](const ParamSpec& s) { return s.id == id; });
  return at == specs.end() ? nullptr : &*at;
}

std::string value_words(const ParamSpec& spec, double value) {
  const auto k = static_cast<std::size_t>(std::max(0.0, value));
  return spec.type == ParamSpec::Type::choice && k < spec.choices.size() ? spec.choices[k] : count_text(value, 6);
}

std::string words_of(const KernelInfo& kernel, const ParamSet& set) {
  std::string text = kernel.label;
  for (const auto& [id, value] : set)
    if (const ParamSpec* spec = find(kernel.params, id))
      text += ", " + label_in_sentence(*spec) + " " + value_words(*spec, value);
  return text;
}

// "KERNEL:NAME=VALUE" of this run; nothing where it cannot be.
std::optional<Change> kernel_change(const std::string& text, const Evidence& e) {
  const RunRequest& request = e.run().request;
  const auto colon = text.find(':');
  const std::string head = text.substr(0, colon);
  const bool same = head == "same";
  const KernelInfo* own = e.catalog().kernel(request.kernel);
  const KernelInfo* kernel = same ? own : e.catalog().kernel(head);
  if (!own || !kernel || kernel->operation != own->operation) return {};
  const DeviceInfo* device = e.catalog().device(e.run().device);
  if (device && !e.catalog().why_not(*kernel, *device).empty()) return {};
  Change c{{}, kernel->id, {}, {}, {}};
  ParamSet set;
  if (colon != std::string::npos) {
    const auto equals = text.find('=', colon);
    const std::string id = text.substr(colon + 1, equals - colon - 1), value = text.substr(equals + 1);
    const ParamSpec* spec = find(kernel->params, id);
    if (!spec) return {};
    const double v = value == "fit" ? fitting_threads(e.mean_length()) : std::stod(value);
    if (v < spec->min || (spec->type != ParamSpec::Type::choice && v > spec->max)) return {};
    set[id] = v;
  }
  c.text = words_of(*kernel, set);
  if (same) c.params = request.params, c.format_params = request.format_params;
  for (const auto& [id, v] : set) c.params[id] = v;
  if (kernel->id == request.kernel &&
      checked_params(kernel->params, c.params) == checked_params(kernel->params, request.params))
    return {};
  return c;
}

std::optional<Change> reorder_change(const std::string& id, const Evidence& e) {
  if (e.run().rows != e.run().cols) return {};
  const RunRequest& r = e.run().request;
  if (r.matrix.find(" | ") != std::string::npos) return {};  // it is a reordered one
  return Change{reorder_row(id).info.label + ", then the same kernel", r.kernel, r.params, r.format_params, id};
}

}  // namespace

std::vector<Change> changes_of(const std::vector<const char*>& tries, const Evidence& e) {
  constexpr const char* reorder = "reorder:";
  std::vector<Change> changes;
  for (const std::string text : tries) {
    auto c = text.starts_with(reorder) ? reorder_change(text.substr(8), e) : kernel_change(text, e);
    if (c) changes.push_back(std::move(*c));
  }
  return changes;
}

RunRequest with_change(const RunRequest& request, const Change& change) {
  RunRequest r = request;
  r.kernel = change.kernel;
  r.params = change.params;
  r.format_params = change.format_params;
  return r;
}

bool answers(const RunRecord& later, const RunRecord& run, const Change& change) {
  if (!change.reorder.empty() || later.status != RunStatus::ok || later.id == run.id) return false;
  const RunRequest &a = later.request, &b = run.request;
  if (a.kernel != change.kernel || a.matrix != b.matrix || later.device != run.device || a.precision != b.precision ||
      a.cache_state != b.cache_state || a.view != b.view)
    return false;
  // What the change does not name has its default, which is not among the request's words.
  const auto holds = [](const ParamSet& all, const ParamSet& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto& p) {
      const auto at = all.find(p.first);
      return at == all.end() || at->second == p.second;
    });
  };
  return holds(a.params, change.params) && holds(a.format_params, change.format_params);
}

}  // namespace warpspy
