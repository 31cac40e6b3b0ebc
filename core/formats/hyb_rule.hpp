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

// Counts of row lengths, only for lengths that occur. These are few: at most about the square root of twice the
// entries. So no loop goes through all lengths up to that of a row with millions of entries.
class LengthSteps {
 public:
  struct Rows {
    index_t length = 0, count = 0;  // how many rows are so long; at least one
  };
  explicit LengthSteps(const std::vector<Rows>& rising);                                       // by length
  explicit LengthSteps(const LengthCounts& lengths) : LengthSteps(rows_by_length(lengths)) {}  // O(longest)
  static std::vector<Rows> rows_by_length(const LengthCounts& lengths);

  index_t longest() const { return steps_.back().length; }
  index_t at_least(index_t k) const;  // rows with k or more entries, k >= 0; O(log)
  index_t within(index_t k) const;    // entries among the first k of their row, 0 <= k <= longest; O(log)
  // The length after k that rows have; longest + 1 if none is longer than k.
  index_t next(index_t k) const;

 private:
  struct Step {
    index_t length = 0, at_least = 0, within = 0;
  };
  std::size_t step_of(index_t k) const;  // the first whose length is at least k
  std::vector<Step> steps_;              // by length; the first is 0
};

// The row lengths that are left after `skip` entries of each row were taken away. Rows of at most `skip` entries are
// gone. at_least(k) is the number of rows that have at least k entries left.
struct Remaining {
  const LengthSteps& lengths;
  index_t skip = 0;

  index_t longest() const { return std::max<index_t>(lengths.longest() - skip, 0); }
  index_t rows() const { return lengths.at_least(skip == 0 ? 0 : skip + 1); }
  index_t at_least(index_t k) const { return k == 0 ? rows() : lengths.at_least(skip + k); }
  // Entries among the first k of those left in each row; nnz() for all of them.
  index_t within(index_t k) const { return lengths.within(skip + k) - lengths.within(skip); }
  index_t nnz() const { return lengths.longest() < skip ? 0 : within(longest()); }
};

// The bytes of one slot of the ELL part and of one entry of the COO part, for the search.
struct HybCost {
  index_t alignment = 1;
  std::size_t ell_slot = 0, coo_entry = 0;
};

// Returns the width K of the ELL part, 0..longest. `by_hand` is used with HybRule::by_hand, and is at most the longest
// row.
index_t hyb_width(const Remaining& left, HybRule rule, index_t by_hand, const HybCost& cost);

}  // namespace warpspy
