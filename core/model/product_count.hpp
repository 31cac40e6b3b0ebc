// Tells which product is best for how many: the one with the least preparation + N x time. Over N the totals are
// straight lines, and what is cheapest at each N is their lower envelope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/run/preparation.hpp"

namespace warpspy {

// A number of products. `for_ever` stands for so many products that the time of the preparation does not matter.
using ProductCount = std::uint64_t;
inline constexpr ProductCount for_ever = 0;
inline constexpr ProductCount most_products = 1'000'000'000'000;

// "1 product", "10,000 products"; "ever", so that "for " can stand before each of them.
std::string products_text(ProductCount n);
// "10000", "ever": for the command line and for files.
std::string word_of(ProductCount n);
// Reads such a text. Throws Error.
ProductCount products_from_text(const std::string& text);

// A candidate that is the cheapest from one number of products to another.
struct CheapestFor {
  std::size_t candidate = 0;  // place among all
  double from = 0;            // where the two lines cross; 0 for the first one
  double past = 0;            // where the next line crosses; infinity for the last
  // Whole numbers of products, the last one included; infinity: for ever. Of two that cost the same the earlier stays.
  double first = 1, last = 1;
  bool holds(ProductCount n) const;
};
// Returns all candidates that are the cheapest for some whole number of products, in the order of these numbers. If two
// cost the same, the first counts. Candidates whose costs are not numbers are left out.
std::vector<CheapestFor> cheapest(std::span<const ProductCost> candidates);

}  // namespace warpspy
