#include "core/run/tune.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/numbers.hpp"
#include "core/run/preparation.hpp"

namespace warpspy {
namespace {

std::string significant(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : "%.3g", value);
  return text;
}

std::string label_of(const Catalog& catalog, const std::string& kernel) {
  const KernelInfo* info = catalog.kernel(kernel);
  return info ? info->label : kernel;
}

// For a modelled time, also says which share of the kernel ran.
std::string provenance_of(const TuneRecord& r) {
  const std::string of_time = name_of(r.provenance);
  return r.provenance == Provenance::modelled ? of_time + ", " + name_of(r.request.run.depth) : of_time;
}

// "It pays off after 4 000 products."
std::string pay_off(const TuneOutcome& o) {
  if (!o.pays_after) return "";
  constexpr double countable = 1e15;
  if (*o.pays_after > countable) return " It hardly ever pays off.";
  const auto products = static_cast<index_t>(std::ceil(*o.pays_after));
  if (products == 0) return " It costs nothing.";
  return " It pays off after " + grouped(products, ',') + (products == 1 ? " product." : " products.");
}

}  // namespace

const TuneOutcome* TuneRecord::outcome(const std::string& strategy) const {
  const auto at = std::find_if(outcomes.begin(), outcomes.end(), [&](const auto& o) { return o.strategy == strategy; });
  return at == outcomes.end() ? nullptr : &*at;
}

const TuneStep* TuneRecord::base() const {
  const auto at = std::find_if(steps.begin(), steps.end(), [](const auto& s) { return s.strategy == "default"; });
  return at == steps.end() ? nullptr : &*at;
}

std::string verdict_text(const TuneRecord& record, const std::string& strategy, const Catalog& catalog) {
  const TuneOutcome* o = record.outcome(strategy);
  if (!o || !o->us) return "";
  const TuneStep* base = record.base();
  std::string text =
      label_of(catalog, o->kernel) + " takes " + significant(*o->us) + " \xC2\xB5s (" + provenance_of(record) + ")";
  if (base && base->us && *o->us > 0) {
    const std::string before = label_of(catalog, base->kernel) + " by default";
    text += *o->us < *base->us ? ", " + significant(*base->us / *o->us) + " times as fast as " + before
                               : "; nothing was faster than " + before;
  }
  if (!o->reason.empty()) text += ": " + o->reason;
  text += ". Found with " + counted(o->products, "product") + ".";
  return text + pay_off(*o);
}

void judge(TuneOutcome& o, std::optional<double> base, std::optional<double> best) {
  o.regret.reset();
  o.pays_after.reset();
  if (!o.us) return;
  if (best && *best > 0) o.regret = *o.us / *best - 1;
  if (base) o.pays_after = pays_off_after({o.cost_us, *o.us}, {0, *base});
}

}  // namespace warpspy
