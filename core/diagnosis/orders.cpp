#include "core/diagnosis/orders.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/diagnosis/words.hpp"
#include "core/reorder/recipe.hpp"

namespace warpspy {
namespace {

std::string_view without_orders(std::string_view matrix) { return matrix.substr(0, matrix.find(kThenOrdered)); }

std::optional<double> sectors_of_x(const RunRecord& r) {
  const auto x = std::find_if(r.arrays.begin(), r.arrays.end(), [](const Traffic& t) { return t.name == "x"; });
  if (x == r.arrays.end() || x->requests <= 0) return {};
  return x->sectors / x->requests;
}

// "L1 hits 49 % in place of 76 %"; empty where it is not known or has hardly changed.
std::string rate_words(const char* level, const char* counter, const RunRecord& a, const RunRecord& b) {
  const Counter *was = a.counter(counter), *is = b.counter(counter);
  if (!was || !is || !was->value || !is->value) return {};
  const std::string before = percent_of(*was->value / 100), now = percent_of(*is->value / 100);
  return before == now ? "" : std::string(level) + " hits " + now + " in place of " + before;
}

std::string why_words(const RunRecord& a, const RunRecord& b) {
  const auto was = sectors_of_x(a), is = sectors_of_x(b);
  if (!was || !is) return "rows that run together read other parts of x";
  const std::string now = "a request for x touches " + count_text(*is) + " sectors in place of " + count_text(*was);
  if (*is > 1.05 * *was) return now + ", since rows that run together read parts of x that lie farther apart";
  if (*is < 0.95 * *was) return now + ", since rows that run together read parts of x that lie closer together";
  return "a request for x touches as many sectors as before, but other rows run together and find other parts of x in "
         "the caches";
}

}  // namespace

bool differ_in_order(const RunRecord& a, const RunRecord& b) {
  const RunRequest &x = a.request, &y = b.request;
  return a.status == RunStatus::ok && b.status == RunStatus::ok && x.matrix != y.matrix &&
         without_orders(x.matrix) == without_orders(y.matrix) && x.kernel == y.kernel && x.params == y.params &&
         x.format_params == y.format_params && x.precision == y.precision && x.cache_state == y.cache_state &&
         a.device == b.device;
}

std::string order_difference(const RunRecord& a, const RunRecord& b) {
  if (!differ_in_order(a, b)) return {};
  const std::string l1 = rate_words("L1", "l1_hit_rate", a, b), l2 = rate_words("L2", "l2_hit_rate", a, b);
  if (l1.empty() && l2.empty()) return {};
  return "The same entries in another order of rows: " + why_words(a, b) + ". " + l1 +
         (l1.empty() || l2.empty() ? "" : ", ") + l2 + ".";
}

}  // namespace warpspy
