#include "core/formats/bsr_symmetric.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <mutex>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

constexpr index_t tile = BsrSymmetricFormat::tile;

index_t places_of(index_t block_rows) { return rounded_up(block_rows, BsrSymmetricFormat::window); }

// What there will be, counted without building it.
struct Counts {
  index_t blocks = 0, mirrored = 0;
  index_t slots(index_t r) const { return saturating_count(rounded_up(blocks, tile), r * r); }
};

struct OfDiagonal {
  index_t blocks = 0, entries = 0;
};
OfDiagonal diagonal_of(const Csr& a, index_t r) {
  using Range = tbb::blocked_range<index_t>;
  const auto count = [&](const Range& range, OfDiagonal sum) {
    a.columns().visit([&](auto columns) {
      for (index_t b = range.begin(); b < range.end(); ++b) {
        index_t entries = 0;
        for (index_t row = b * r; row < std::min((b + 1) * r, a.rows()); ++row) {
          const auto first = columns.begin() + a.row_ptr()[row], last = columns.begin() + a.row_ptr()[row + 1];
          const auto begin = std::lower_bound(first, last, b * r);
          entries += std::lower_bound(begin, last, (b + 1) * r) - begin;
        }
        sum.blocks += entries > 0;
        sum.entries += entries;
      }
    });
    return sum;
  };
  return tbb::parallel_reduce(
      Range(0, divided_up(a.rows(), r), 1024), OfDiagonal{}, count,
      [](const OfDiagonal& x, const OfDiagonal& y) { return OfDiagonal{x.blocks + y.blocks, x.entries + y.entries}; });
}

Counts counts_of(const FormatFacts& facts, index_t r) {
  require_symmetric_values("bsr_symmetric", facts);
  const OfDiagonal diagonal = diagonal_of(facts.csr(), r);
  return {(facts.blocks(r, r) + diagonal.blocks) / 2, (facts.csr().nnz() - diagonal.entries) / 2};
}

// `entries`: those that are stored.
std::vector<FormatFact> facts_about(index_t rows, index_t entries, const Counts& counts, index_t r) {
  return {{"blocks", static_cast<double>(counts.blocks)},
          {"fill", entries == 0 ? 1.0 : static_cast<double>(counts.slots(r)) / static_cast<double>(entries)},
          {"padded_rows", static_cast<double>(rounded_up(rows, r) - rows)}};
}

}  // namespace

Fields<BsrSymmetricParams> bsr_symmetric_fields() {
  return {
      {&BsrSymmetricParams::block_rows,
       {.id = "block_rows",
        .label = "Block size r",
        .help = "Rows and columns of a block: the unknowns of a node, or a part of them. Every block with an entry is "
                "stored whole.",
        .type = ParamSpec::Type::integer,
        .min = 2,
        .max = 3,
        .tried = {2, 3}}}};
}

Estimate bsr_symmetric_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const index_t r = params_of(bsr_symmetric_fields(), params).block_rows;
  const Csr& a = facts.csr();
  const Counts counts = counts_of(facts, r);
  const index_t stored = counts.slots(r), block_rows = divided_up(a.rows(), r);
  Estimate e{
      {values_size("values", stored, precision), index_size("block_columns", Role::indices, counts.blocks, block_rows),
       index_size("block_ptr", Role::pointers, places_of(block_rows) + 1, counts.blocks)},
      stored,
      stored + counts.mirrored - a.nnz(),
      facts_about(a.rows(), a.nnz() - counts.mirrored, counts, r)};
  e.mirrored = counts.mirrored;
  return e;
}

BsrSymmetricFormat::BsrSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view,
                                       const BsrSymmetricParams& params, Progress& progress)
    : Format(facts.csr()), r_(params.block_rows) {
  const Csr& a = facts.csr();
  const Counts counts = counts_of(facts, r_);
  const index_t block_rows = divided_up(rows(), r_), places = places_of(block_rows), in_block = r_ * r_;
  mirrored_ = counts.mirrored;
  block_ptr_ = IndexArray(counts.blocks, places + 1);
  block_columns_ = IndexArray(block_rows, counts.blocks);
  values_ = Values(precision, counts.slots(r_));
  std::mutex mutex;
  const auto last_row = [&](index_t b) { return std::min((b + 1) * r_, rows()); };
  // Up to the diagonal.
  const auto blocks_of_row = [&](index_t b, std::vector<index_t>& found) {
    found.clear();
    if (b >= block_rows) return;
    block_columns_of(a, b * r_, last_row(b), r_, found);
    found.erase(std::upper_bound(found.begin(), found.end(), b), found.end());
  };
  const auto count = [&](index_t first, index_t last) {
    std::vector<index_t> found;
    index_t sum = 0;
    for (index_t p = first; p < last; ++p) {
      blocks_of_row(row_at(p), found);
      sum += static_cast<index_t>(found.size());
    }
    return sum;
  };
  const auto place = [&](index_t block, index_t element) {
    return (block / tile * in_block + element) * tile + block % tile;
  };
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> values = values_.as_mut<T>();
    const auto clear = [&](index_t first, index_t last) {
      for (index_t block = first; block < last; ++block)
        for (index_t e = 0; e < in_block; ++e) values[place(block, e)] = 0;
    };
    clear(counts.blocks, rounded_up(counts.blocks, tile));
    block_ptr_.visit_mut([&]<class P>(std::span<P> ptr) {
      block_columns_.visit_mut([&]<class B>(std::span<B> block_columns) {
        ptr[places] = static_cast<P>(counts.blocks);
        for_blocks_placed(places, 1024, progress, count, [&](index_t first, index_t last, index_t to) {
          std::vector<index_t> found, zeros;
          for (index_t p = first; p < last; ++p) {
            const index_t b = row_at(p);
            blocks_of_row(b, found);
            ptr[p] = static_cast<P>(to);
            if (found.empty()) continue;
            s.check_rows(b * r_, last_row(b));
            std::copy(found.begin(), found.end(), block_columns.begin() + to);
            clear(to, to + static_cast<index_t>(found.size()));
            for (index_t row = b * r_; row < last_row(b); ++row) {
              auto block = found.begin();
              for (index_t k = s.ptr[row]; k < s.ptr[row + 1] && s.columns[k] < (b + 1) * r_; ++k) {
                while ((*block + 1) * r_ <= s.columns[k]) ++block;
                const index_t at =
                    place(to + (block - found.begin()), (row - b * r_) * r_ + s.columns[k] - *block * r_);
                values[at] = s.value(k);
                if (values[at] == 0) zeros.push_back(at);
              }
            }
            to += static_cast<index_t>(found.size());
          }
          if (zeros.empty()) return;
          std::lock_guard lock(mutex);
          stored_zeros_.insert(stored_zeros_.end(), zeros.begin(), zeros.end());
        });
      });
    });
  });
  std::sort(stored_zeros_.begin(), stored_zeros_.end());
}

std::vector<ArrayView> BsrSymmetricFormat::arrays() const {
  return {view_of("values", values_, {tiles(), r_ * r_, tile}, 0),
          view_of("block_columns", Role::indices, block_columns_, {blocks()}),
          view_of("block_ptr", Role::pointers, block_ptr_, {static_cast<index_t>(block_ptr_.size())})};
}

std::vector<FormatFact> BsrSymmetricFormat::facts() const {
  return facts_about(rows(), nnz() - mirrored_, {blocks(), mirrored_}, r_);
}

void BsrSymmetricFormat::for_each_slot(const SlotVisitor& visit) const {
  auto zero = stored_zeros_.begin();
  index_t place = 0;  // of the block row
  for (index_t t = 0; t < tiles(); ++t) {
    index_t rows_of[tile];
    const index_t count = std::min(tile, blocks() - t * tile);
    for (index_t i = 0; i < count; ++i) {
      while (block_ptr_[place + 1] <= t * tile + i) ++place;
      rows_of[i] = row_at(place);
    }
    for (index_t e = 0; e < r_ * r_; ++e)
      for (index_t i = 0; i < tile; ++i) {
        const index_t at = (t * r_ * r_ + e) * tile + i;
        const double value = values_[at];
        const bool listed = zero != stored_zeros_.end() && *zero == at;
        zero += listed;
        if (i >= count || (value == 0 && !listed)) {
          visit(Slot{0, at});
          continue;
        }
        const index_t column = block_columns_[t * tile + i];
        visit(Slot{0, at, rows_of[i] * r_ + e / r_, column * r_ + e % r_, value, column != rows_of[i]});
      }
  }
}

// A block is a column of the picture of its tile.
std::vector<ArrayGrid> BsrSymmetricFormat::grids() const {
  std::vector<ArrayGrid> grids;
  for (index_t t = 0; t < tiles(); ++t)
    grids.push_back({"values, tile " + std::to_string(t), 0, static_cast<std::size_t>(t * r_ * r_ * tile), r_ * r_,
                     tile, static_cast<std::size_t>(tile), 1});
  const std::vector<ArrayGrid> rest = Format::grids();  // has none for the three dimensions of values
  grids.insert(grids.end(), rest.begin(), rest.end());
  return grids;
}

std::shared_ptr<const Format> bsr_symmetric_build(const FormatFacts& facts, Precision precision, RealView view,
                                                  const ParamSet& params, Progress& progress) {
  require_memory("bsr_symmetric", bsr_symmetric_estimate(facts, precision, params), facts, precision);
  return std::make_shared<BsrSymmetricFormat>(facts, precision, view, params_of(bsr_symmetric_fields(), params),
                                              progress);
}

FormatInfo bsr_symmetric_info() {
  return {
      .id = "bsr_symmetric",
      .label = "BSR, symmetric",
      .help =
          "Blocks of r x r of the lower triangle of a symmetric matrix: each stands for the one across the diagonal "
          "too, so that half of the bytes are left. For stiffness matrices of several unknowns per node that do not "
          "fit into L2; others are refused, or stored with many zeros. To convert costs a search for every entry's "
          "mirror.",
      .source = "after Vuduc 2003 and Gkountouvas et al. 2013",
      .params = specs_of(bsr_symmetric_fields()),
      .compact_of = "bsr"};
}

}  // namespace warpspy
