// The papers' rules for how many columns of a hybrid format go to its ELL part.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/formats/facts.hpp"

namespace warpspy {

enum class HybRule : int {
  third,       // largest K with at least M / 3 rows of K or more entries (Bell & Garland 2008, section 3.5)
  third4096,   // the same with at least max(4096, M / 3) rows (HYB-R, section II.D: method 1)
  mean,        // entries per row on average, rounded (HYB-R, section IV.C: method 2)
  filled,      // largest K with which more than 1/3 of the ELL part are entries (HYB-R, section IV.C: method 3)
  search,      // fewest bytes, counted exactly; among equals the largest K
  by_hand,     // the parameter k
  mean_below,  // the whole number below the mean, and above it (HYB-R, table VII: method 2)
  mean_above
};
ParamSpec rule_spec();
ParamSpec k_spec();

// Lengths of the rows that are left after `skip` entries of each were taken away: at_least as in LengthCounts, of the
// rows longer than `skip`. O(1).
struct Remaining {
  const LengthCounts& lengths;
  index_t skip = 0;

  index_t longest() const { return std::max<index_t>(lengths.longest - skip, 0); }
  index_t rows() const {
    return skip == 0 ? lengths.at_least[0] : skip <= lengths.longest ? lengths.at_least[skip + 1] : 0;
  }
  index_t at_least(index_t k) const { return k == 0 ? rows() : lengths.at_least[skip + k]; }
  // Entries among the first k of those left in each row; nnz() for all of them.
  index_t within(index_t k) const { return lengths.within[skip + k] - lengths.within[skip]; }
  index_t nnz() const { return lengths.longest < skip ? 0 : within(longest()); }
};

// The bytes of one slot of the ELL part and of one entry of the COO part, for the search.
struct HybCost {
  index_t alignment = 1;
  std::size_t ell_slot = 0, coo_entry = 0;
};

// 0..longest. `by_hand` is cut off at the longest row.
index_t hyb_width(const Remaining& left, HybRule rule, index_t by_hand, const HybCost& cost);

}  // namespace warpspy
