#include "profiling/validate/order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

namespace warpspy {
namespace {

constexpr double wanted_tau = 0.92, allowed_regret = 0.05, allowed_worst_regret = 0.15;

struct Times {
  std::vector<const RunRequest*> requests;
  std::vector<double> measured, modelled;
};

// "csr_vector coop=4": the kernel, and those of its parameters that differ from other runs of the kernel.
std::string choice_of(const RunRequest& r, const std::vector<const RunRequest*>& all) {
  std::string name = r.kernel;
  for (const auto& [id, value] : r.params) {
    const bool differs = std::any_of(all.begin(), all.end(), [&, name = id, mine = value](const RunRequest* other) {
      const auto at = other->params.find(name);
      return other->kernel == r.kernel && (at == other->params.end() || at->second != mine);
    });
    if (!differs) continue;
    char text[64];
    std::snprintf(text, sizeof text, " %s=%g", id.c_str(), value);
    name += text;
  }
  return name;
}

}  // namespace

double kendall_tau(const std::vector<double>& a, const std::vector<double>& b) {
  double same = 0, other = 0, equal_a = 0, equal_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (a[i] == a[j]) ++equal_a;
      if (b[i] == b[j]) ++equal_b;
      const double product = (a[i] - a[j]) * (b[i] - b[j]);
      if (product > 0) ++same;
      if (product < 0) ++other;
    }
  const double pairs = 0.5 * static_cast<double>(a.size()) * (static_cast<double>(a.size()) - 1);
  const double scale = std::sqrt((pairs - equal_a) * (pairs - equal_b));
  return scale > 0 ? (same - other) / scale : 0;
}

std::vector<KernelOrder> kernel_orders(const std::vector<ValidationRun>& runs) {
  std::vector<KernelOrder> orders;
  std::map<std::tuple<std::string, Operation, Precision, CacheState>, Times> groups;
  for (const ValidationRun& run : runs) {
    const auto time = std::find_if(run.rows.begin(), run.rows.end(), [](const auto& row) { return row.id == "time"; });
    if (time == run.rows.end() || !time->measured || !time->modelled) continue;
    const RunRequest& r = run.request;
    Times& times = groups[{run.matrix, run.operation, r.precision, r.cache_state}];
    if (times.requests.empty())
      orders.push_back({run.matrix, run.operation, r.precision, r.cache_state, 0, 0, 0, {}, {}});
    times.requests.push_back(&r);
    times.measured.push_back(*time->measured);
    times.modelled.push_back(*time->modelled);
  }
  std::erase_if(orders, [&](KernelOrder& o) {
    const Times& t = groups.at({o.matrix, o.operation, o.precision, o.cache_state});
    if (t.requests.size() < 2) return true;
    const auto least = [](const std::vector<double>& v) {
      return static_cast<std::size_t>(std::min_element(v.begin(), v.end()) - v.begin());
    };
    const std::size_t chosen = least(t.modelled), best = least(t.measured);
    o.kernels = static_cast<int>(t.requests.size());
    o.tau = kendall_tau(t.measured, t.modelled);
    o.regret = t.measured[chosen] / t.measured[best] - 1;
    o.chosen = choice_of(*t.requests[chosen], t.requests);
    o.best = choice_of(*t.requests[best], t.requests);
    return false;
  });
  return orders;
}

OrderSummary summarise(const std::vector<KernelOrder>& orders) {
  OrderSummary s;
  s.matrices = static_cast<int>(orders.size());
  if (orders.empty()) {
    s.text = "no matrix has two kernels with both times";
    return s;
  }
  s.least_tau = 1;
  for (const KernelOrder& o : orders) {
    s.mean_tau += o.tau / s.matrices;
    s.least_tau = std::min(s.least_tau, o.tau);
    s.mean_regret += o.regret / s.matrices;
    s.worst_regret = std::max(s.worst_regret, o.regret);
  }
  s.met = s.mean_tau >= wanted_tau && s.mean_regret <= allowed_regret && s.worst_regret <= allowed_worst_regret;
  char text[240];
  std::snprintf(text, sizeof text,
                "Kendall's tau over kernels %.2f in the mean (wanted %.2f), least %.2f; regret of the model's choice "
                "%.1f %% in the mean (%g), at worst %.1f %% (%g); %d orders",
                s.mean_tau, wanted_tau, s.least_tau, 100 * s.mean_regret, 100 * allowed_regret, 100 * s.worst_regret,
                100 * allowed_worst_regret, s.matrices);
  s.text = text;
  return s;
}

std::string order_head() {
  char text[160];
  std::snprintf(text, sizeof text, "%-24s %-3s %-4s %-5s %8s %6s %8s  %-28s %s", "matrix", "", "", "", "kernels", "tau",
                "regret", "the model's best", "the GPU's");
  return text;
}

std::string order_line(const KernelOrder& o) {
  char text[240];
  std::snprintf(text, sizeof text, "%-24.24s %-3s %-4s %-5s %8d %6.2f %6.1f %%  %-28.60s %.60s", o.matrix.c_str(),
                o.operation == Operation::transposed_product ? "A^T" : "A", name_of(o.precision),
                name_of(o.cache_state), o.kernels, o.tau, 100 * o.regret, o.chosen.c_str(), o.best.c_str());
  return text;
}

}  // namespace warpspy
