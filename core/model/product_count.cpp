#include "core/model/product_count.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/base/numbers.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rounds a crossing to a whole number. Rounding errors may turn 34 into 33.9999999.
double whole(double crossing) { return std::floor(crossing * (1 + 1e-12)); }

bool is_cost(const ProductCost& c) {
  return std::isfinite(c.preparation) && c.preparation >= 0 && std::isfinite(c.product) && c.product > 0;
}

// The candidate that becomes the best next. If several do at the same number, the one that is faster afterwards.
std::optional<std::pair<std::size_t, double>> successor(std::span<const ProductCost> all, std::size_t now) {
  std::optional<std::pair<std::size_t, double>> next;
  const auto order = [&](std::size_t k, double at) { return std::tuple(at, all[k].product, all[k].preparation); };
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!is_cost(all[k])) continue;
    const std::optional<double> at = pays_off_after(all[k], all[now]);
    if (at && (!next || order(k, *at) < order(next->first, next->second))) next = {k, *at};
  }
  return next;
}

}  // namespace

std::string products_text(ProductCount n) {
  if (n == for_ever) return "ever";
  return grouped(static_cast<index_t>(n), ',') + (n == 1 ? " product" : " products");
}

std::string word_of(ProductCount n) { return n == for_ever ? "ever" : std::to_string(n); }

ProductCount products_from_text(const std::string& text) {
  if (text == "ever") return for_ever;
  ProductCount n = 0;
  const char* end = text.data() + text.size();
  const auto [next, failed] = std::from_chars(text.data(), end, n);
  if (failed != std::errc{} || next != end || n == 0 || n > most_products)
    throw Error("the number of products '" + text + "' is not understood", {},
                "write a whole number from 1 to " + grouped(most_products, ',') + ", or ever");
  return n;
}

bool CheapestFor::holds(ProductCount n) const {
  if (n == for_ever) return std::isinf(last);
  return static_cast<double>(n) >= first && static_cast<double>(n) <= last;
}

std::vector<CheapestFor> cheapest(std::span<const ProductCost> all) {
  std::vector<CheapestFor> out;
  std::optional<std::size_t> now;
  const auto at_one = [&](std::size_t k) { return std::tuple(all[k].total(1), all[k].preparation); };
  for (std::size_t k = 0; k < all.size(); ++k)
    if (is_cost(all[k]) && (!now || at_one(k) < at_one(*now))) now = k;
  double from = 0;
  while (now) {
    const auto next = successor(all, *now);
    CheapestFor c{*now, from, next ? std::max(next->second, from) : kInfinity, whole(from) + 1, kInfinity};
    if (next) c.last = whole(c.past);
    // Between two crossings there may be no whole number.
    if (c.last >= c.first) out.push_back(c);
    from = c.past;
    now = next ? std::optional(next->first) : std::nullopt;
  }
  // If one was left out, its neighbours cross each other.
  for (std::size_t k = 1; k < out.size(); ++k)
    if (out[k].from != out[k - 1].past)
      out[k].from = out[k - 1].past = *pays_off_after(all[out[k].candidate], all[out[k - 1].candidate]);
  return out;
}

}  // namespace warpspy
