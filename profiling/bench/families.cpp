#include "profiling/bench/families.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace warpspy {
namespace {

// The order in which parameters are varied.
int place_of(const std::string& param) {
  if (param == "matrix_cache") return 0;
  return param == "overlap" ? 2 : 1;
}
constexpr int places = 3;

}  // namespace

bool Family::begun() const { return std::find(done.begin(), done.end(), true) != done.end(); }
int Family::left() const { return static_cast<int>(std::count(done.begin(), done.end(), false)); }

double in_order_of_cost(std::vector<Family>& all) {
  std::map<const KernelRow*, double> of_kernel;
  double best = Family::never;
  for (const Family& f : all) {
    if (f.cost > 0) best = std::min(best, f.cost);
    const auto at = of_kernel.try_emplace(f.kernel, f.cost).first;
    at->second = std::min(at->second, f.cost);
  }
  const double limit = worse_cost * best;
  const auto place = [&](const Family& f) {
    return std::tuple(f.cost > limit, f.cost > of_kernel.at(f.kernel), f.cost);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Family& a, const Family& b) { return place(a) < place(b); });
  return limit;
}

std::optional<std::size_t> step_from(const Family& f) {
  for (const std::size_t i : f.starts)
    if (!f.done[i]) return i;
  std::optional<std::size_t> best;
  int best_place = places;
  for (std::size_t i = 0; i < f.candidates.size(); ++i) {
    if (f.done[i]) continue;
    int differ = 0, place = places;
    for (const auto& [id, value] : f.candidates[i].params)
      if (value != f.candidates[f.at].params.at(id)) ++differ, place = place_of(id);
    if (differ == 1 && place < best_place) best = i, best_place = place;
  }
  return best;
}

std::optional<NextTry> next_step(std::vector<Family>& all, double limit) {
  std::optional<NextTry> next;
  for (Family& f : all) {
    if (!f.timed() || f.us > limit || (next && f.us >= next->family->us)) continue;
    if (const auto step = step_from(f)) next = NextTry{&f, *step};
  }
  return next;
}

std::optional<NextTry> next_family(std::vector<Family>& all, double most) {
  for (Family& f : all)
    if (f.cost < Family::never && f.cost <= most && !f.begun()) return NextTry{&f, f.first};
  return std::nullopt;
}

std::vector<std::size_t> waiting_of(const Family& f) {
  ParamSet waiting = f.candidates[f.at].params;
  if (!waiting.contains("overlap")) return {};
  // Keeping the matrix in L2 takes room from x, which may be worse for products that wait for each other.
  const bool keeps = simt::is_evict_last(f.kernel->common_of(waiting).matrix());
  waiting["overlap"] = 0;
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < f.candidates.size(); ++i) {
    ParamSet other = f.candidates[i].params;
    if (keeps && f.kernel->common_of(other).matrix() == simt::CachePolicy::streaming)
      other["matrix_cache"] = waiting.at("matrix_cache");
    if (!f.done[i] && other == waiting) list.push_back(i);
  }
  return list;
}

}  // namespace warpspy
