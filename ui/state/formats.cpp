#include "ui/state/formats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formats/hyb_rule.hpp"
#include "core/run/preparation.hpp"
#include "ui/look/numbers.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

double minimum_intensity(index_t nnz, std::size_t minimum_bytes) {
  return minimum_bytes == 0 ? 0 : 2.0 * static_cast<double>(nnz) / static_cast<double>(minimum_bytes);
}

double shown_param(const AppState& s, const FormatInfo& format, const ParamSpec& spec) {
  const double set = param_value(s.knobs.format_params, format.id, spec);
  const auto* m = s.current();
  const FormatCost* cost = m && m->costs ? m->costs->of(format.id) : nullptr;
  const FormatFact* k = spec.id == "k" && cost && cost->estimate ? cost->estimate->fact("k") : nullptr;
  const auto rule =
      std::find_if(format.params.begin(), format.params.end(), [](const auto& p) { return p.id == "rule"; });
  if (!k || rule == format.params.end()) return set;
  const bool by_hand = param_value(s.knobs.format_params, format.id, *rule) == static_cast<double>(HybRule::by_hand);
  return by_hand ? set : std::clamp(k->value, spec.min, spec.max);
}

ParamSet format_params_of(const AppState& s, const std::string& format) {
  ParamSet out;
  for (const auto& p : format_row(format).info.params) out[p.id] = param_value(s.knobs.format_params, format, p);
  return out;
}

const BuiltFormat* built_of(const AppState& s, const OpenMatrix& m, const std::string& format) {
  const ParamSet params = format_params_of(s, format);
  for (const auto& b : m.built)
    if (b.format == format && b.params == params && b.precision == s.knobs.precision && b.view == s.knobs.view)
      return &b;
  return nullptr;
}

namespace {

// The fastest product with a format on this matrix, on the chosen device, in the chosen precision.
std::shared_ptr<const RunRecord> best_run(const AppState& s, const OpenMatrix& m, const std::string& format,
                                          const ParamSet* params) {
  std::shared_ptr<const RunRecord> best;
  for (const auto& r : s.runs.all()) {
    if (r->status != RunStatus::ok || r->request.matrix != m.source || r->format != format ||
        r->device != s.knobs.device || r->request.precision != s.knobs.precision)
      continue;
    if (params && r->request.format_params != *params) continue;
    const KernelInfo* kernel = s.catalog->kernel(r->request.kernel);
    if (kernel && kernel->operation != Operation::product) continue;
    if (!best || r->time.value < best->time.value) best = r;
  }
  return best;
}

}  // namespace

BreakEven break_even_of(const AppState& s, const OpenMatrix& m, const std::string& format) {
  BreakEven out;
  const bool has_kernel = std::any_of(s.catalog->kernels.begin(), s.catalog->kernels.end(), [&](const KernelInfo& k) {
    return k.format == format && k.operation == Operation::product;
  });
  const auto unavailable = [&](const std::string& why) {
    out.why = out.why_unprepared = "unavailable: " + why;
    return out;
  };
  if (!has_kernel) return unavailable("no kernel for this format yet");
  const ParamSet params = format_params_of(s, format);
  const bool csr = format_row(format).info.intermediate;
  const auto base = best_run(s, m, "csr", nullptr), now = csr ? base : best_run(s, m, format, &params);
  if (!base || !now) return unavailable("needs a run of csr and of this format, on this device and at this precision");
  const auto cost_of = [&](const RunRecord& r) { return preparation_of(r, &format_row(r.format).info); };
  const PreparationTime prepared = cost_of(*now), of_base = cost_of(*base);
  if (!prepared.us) return unavailable(prepared.reason);
  out.preparation = in_products(*prepared.us, base->time.value);
  const bool modelled = base->time.provenance == Provenance::modelled || now->time.provenance == Provenance::modelled;
  out.provenance = modelled ? Provenance::modelled : Provenance::derived;
  const std::string times = modelled ? " (product times are modelled)" : "";
  out.why_unprepared = now->kernel_label + ": conversion " + real_text(prepared.conversion_us * 1e-3, 3) +
                       " ms, setup " + real_text(prepared.setup_us * 1e-3, 3) + " ms; the best CSR run takes " +
                       real_text(base->time.value, 4) + " \xC2\xB5s a product" + times;
  if (csr) {
    out.why = "CSR is what the others are compared with: it needs no conversion.";
    return out;
  }
  if (!of_base.us) {
    out.why = "unavailable: of the best CSR run, " + of_base.reason;
    return out;
  }
  out.products = pays_off_after({*prepared.us, now->time.value}, {*of_base.us, base->time.value});
  out.never = !out.products;
  out.why = "preparation " + real_text(*prepared.us * 1e-3, 3) + " ms, of the best CSR run " +
            real_text(*of_base.us * 1e-3, 3) + " ms; " + real_text(now->time.value, 4) + " against " +
            real_text(base->time.value, 4) + " \xC2\xB5s a product" +
            (out.never ? ": never, it is not faster than CSR" : "") + times;
  return out;
}

std::optional<Cut> cut_of(const FormatInfo& info, const Estimate& estimate, const ParamSet& params) {
  const auto cut = [&](double length) {
    return Cut{length, info.cut.label + " = " + count_text(static_cast<index_t>(length))};
  };
  if (info.cut.id.empty()) return std::nullopt;
  if (const auto* f = estimate.fact(info.cut.id)) return cut(f->value);
  if (const auto p = params.find(info.cut.id); p != params.end()) return cut(p->second);
  return std::nullopt;
}

std::vector<std::size_t> sorted_formats(const AppState& s, const OpenMatrix& m, FormatColumn by, bool descending) {
  const auto& table = formats();
  std::vector<std::size_t> order(table.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto key = [&](std::size_t k) -> double {
    const std::string& id = table[k].info.id;
    const FormatCost* cost = m.costs ? m.costs->of(id) : nullptr;
    const BuiltFormat* built = built_of(s, m, id);
    switch (by) {
      case FormatColumn::format:
        return none;
      case FormatColumn::built:
        return built ? 2 : m.building.count(id) ? 1 : cost && cost->estimate && cost->fits ? 0 : -1;
      case FormatColumn::time:
        return built ? built->seconds : none;
      case FormatColumn::even:
        return break_even_of(s, m, id).products.value_or(none);
      case FormatColumn::preparation:
        return break_even_of(s, m, id).preparation.value_or(none);
      default:
        break;
    }
    if (!cost || !cost->estimate) return none;
    const auto& e = *cost->estimate;
    if (by == FormatColumn::padding) return e.padding_ratio();
    if (by == FormatColumn::minimum) return static_cast<double>(cost->minimum_bytes);
    if (by == FormatColumn::intensity) return minimum_intensity(m.matrix->csr->nnz(), cost->minimum_bytes);
    return static_cast<double>(e.bytes());  // bytes and bytes per nnz
  };
  std::vector<double> keys;
  for (std::size_t k = 0; k < table.size(); ++k) keys.push_back(key(k));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (by == FormatColumn::format)
      return descending ? table[a].info.label > table[b].info.label : table[a].info.label < table[b].info.label;
    // Unknown values come last, in either direction.
    if (std::isnan(keys[a]) || std::isnan(keys[b])) return !std::isnan(keys[a]) && std::isnan(keys[b]);
    return descending ? keys[a] > keys[b] : keys[a] < keys[b];
  });
  return order;
}

FactText fact_text(const FormatInfo& info, const FormatFact& f) {
  const bool share = f.name.size() > 6 && f.name.compare(f.name.size() - 6, 6, "_share") == 0;
  std::string name = f.name;
  const auto known = std::find_if(info.fact_names.begin(), info.fact_names.end(),
                                  [&](const FormatInfo::FactName& n) { return n.id == f.name; });
  if (known != info.fact_names.end()) {
    name = known->words;
  } else {
    if (share) name = "nnz in " + name.substr(0, name.size() - 6);
    std::replace(name.begin(), name.end(), '_', ' ');
    if (name.size() > 1 && name[0] == 'k' && name[1] >= '0' && name[1] <= '9') name[0] = 'K';
  }
  if (share) return {name, percent_text(f.value)};
  return {name, f.value == std::floor(f.value) ? count_text(static_cast<index_t>(f.value)) : real_text(f.value, 4)};
}

}  // namespace warpspy::ui
