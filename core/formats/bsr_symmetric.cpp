#include "core/formats/bsr_symmetric.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <numeric>
#include <span>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

constexpr index_t tile = BsrSymmetricFormat::tile, window = BsrSymmetricFormat::window,
                  segment = BsrSymmetricFormat::segment;

struct Counts {
  index_t blocks = 0, mirrored = 0;
};

// The tile at which every slice begins, and which block row each lane has.
struct Order {
  std::vector<index_t> begin;  // slices + 1
  std::vector<index_t> rows;
  Counts counts;
  index_t slots(index_t r) const { return saturating_count(saturating_count(begin.back(), tile), r * r); }
  index_t padding(index_t r) const { return slots(r) - saturating_count(counts.blocks, r * r); }
};

// The columns of the blocks of a block row up to the diagonal, counted in blocks.
void blocks_of_row(const Csr& a, index_t r, index_t b, std::vector<index_t>& found) {
  found.clear();
  block_columns_of(a, b * r, std::min((b + 1) * r, a.rows()), r, found);
  found.erase(std::upper_bound(found.begin(), found.end(), b), found.end());
}

index_t entries_before_diagonal_block(const Csr& a, index_t r, index_t b) {
  index_t entries = 0;
  a.columns().visit([&](auto columns) {
    for (index_t row = b * r; row < std::min((b + 1) * r, a.rows()); ++row) {
      const auto first = columns.begin() + a.row_ptr()[row], last = columns.begin() + a.row_ptr()[row + 1];
      entries += std::lower_bound(first, last, b * r) - first;
    }
  });
  return entries;
}

Order order_of(const FormatFacts& facts, index_t r, Progress& progress) {
  require_symmetric_values("bsr_symmetric", facts);
  const Csr& a = facts.csr();
  const index_t block_rows = divided_up(a.rows(), r);
  Order order{std::vector<index_t>(static_cast<std::size_t>(divided_up(block_rows, tile)) + 1),
              std::vector<index_t>(static_cast<std::size_t>(block_rows)),
              {}};
  std::atomic<index_t> blocks = 0, mirrored = 0;
  for_blocks(block_rows, 8 * window, progress, [&](index_t first, index_t last) {
    std::vector<index_t> found, lengths;
    Counts own;
    for (index_t begin = first; begin < last; begin += window) {
      const index_t end = std::min(begin + window, last);
      lengths.clear();
      for (index_t b = begin; b < end; ++b) {
        blocks_of_row(a, r, b, found);
        lengths.push_back(static_cast<index_t>(found.size()));
        own.blocks += static_cast<index_t>(found.size());
        own.mirrored += entries_before_diagonal_block(a, r, b);
      }
      const std::span<index_t> rows(order.rows.data() + begin, static_cast<std::size_t>(end - begin));
      std::iota(rows.begin(), rows.end(), begin);
      const auto length = [&](index_t row) { return lengths[static_cast<std::size_t>(row - begin)]; };
      std::stable_sort(rows.begin(), rows.end(), [&](index_t x, index_t y) { return length(x) > length(y); });
      for (index_t place = begin; place < end; place += tile)
        order.begin[static_cast<std::size_t>(place / tile + 1)] = length(rows[static_cast<std::size_t>(place - begin)]);
    }
    blocks += own.blocks;
    mirrored += own.mirrored;
  });
  std::partial_sum(order.begin.begin(), order.begin.end(), order.begin.begin());
  order.counts = {blocks, mirrored};
  return order;
}

// A block of a slice: its index in its row, and its column counted in blocks.
struct Block {
  index_t in_row, column;
};

// Chooses a tile for each block of a segment, and calls put(step, lane, in_row). rows[lane] has the lane's blocks, at
// least as many as the next lane's; it is emptied. `at_once`: how many lanes can add to shared memory in one pass if
// they use different banks. Columns are numbered nearly without gaps, so those with different remainders rarely share a
// bank.
void spread(std::span<std::vector<Block>> rows, int at_once, auto&& put) {
  constexpr std::size_t looked_at = 32;  // blocks of a row
  for (index_t step = 0; !rows[0].empty(); ++step) {
    std::array<int, tile> in_bank{};
    auto active = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.empty(); }) - rows.begin();
    while (active-- > 0) {  // the shortest have least choice
      std::vector<Block>& row = rows[static_cast<std::size_t>(active)];
      const auto bank = [&](const Block& block) -> int& {
        return in_bank[static_cast<std::size_t>(active / at_once * at_once + block.column % at_once)];
      };
      const auto best =
          std::min_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(std::min(looked_at, row.size())),
                           [&](const Block& x, const Block& y) { return bank(x) < bank(y); });
      ++bank(*best);
      put(step, active, best->in_row);
      *best = row.back();
      row.pop_back();
    }
  }
}

// `entries`: the stored ones. `slots`: those of all tiles.
std::vector<FormatFact> facts_about(index_t rows, index_t entries, index_t blocks, index_t slots, index_t r) {
  return {{"blocks", static_cast<double>(blocks)},
          {"fill", entries == 0 ? 1.0 : static_cast<double>(slots) / static_cast<double>(entries)},
          {"padded_rows", static_cast<double>(rounded_up(rows, r) - rows)}};
}

std::size_t bytes_of_padding(index_t padding, Precision precision) {
  return saturating_bytes(padding, static_cast<index_t>(bytes_of(precision)));
}

Estimate estimate_of(const Order& order, const FormatFacts& facts, Precision precision, index_t r) {
  const Csr& a = facts.csr();
  const index_t slots = order.slots(r), block_rows = divided_up(a.rows(), r), mirrored = order.counts.mirrored;
  const auto pointers = static_cast<index_t>(order.begin.size());
  Estimate e{{values_size("values", slots, precision),
              index_size("block_columns", Kind::indices, saturating_count(order.begin.back(), tile), block_rows),
              index_size("slice_ptr", Kind::pointers, pointers, order.begin.back()),
              index_size("permutation", Kind::pointers, block_rows, block_rows)},
             slots,
             slots + mirrored - a.nnz(),
             facts_about(a.rows(), a.nnz() - mirrored, order.counts.blocks, slots, r)};
  e.scratch = saturating_bytes(pointers + block_rows, 8);
  e.skippable = bytes_of_padding(order.padding(r), precision);
  e.mirrored = mirrored;
  return e;
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
  Progress progress;
  const index_t r = params_of(bsr_symmetric_fields(), params).block_rows;
  return estimate_of(order_of(facts, r, progress), facts, precision, r);
}

BsrSymmetricFormat::BsrSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view,
                                       const BsrSymmetricParams& params, Progress& progress)
    : Format(facts.csr()), r_(params.block_rows) {
  const Csr& a = facts.csr();
  const Order order = order_of(facts, r_, progress);
  // Checked here and not earlier, so that rows are sorted only once.
  require_memory("bsr_symmetric", estimate_of(order, facts, precision, r_), facts, precision);
  const auto slices = static_cast<index_t>(order.begin.size()) - 1,
             block_rows = static_cast<index_t>(order.rows.size());
  const index_t in_block = r_ * r_, tiles = order.begin.back();
  blocks_ = order.counts.blocks;
  mirrored_ = order.counts.mirrored;
  slice_ptr_ = IndexArray(tiles, slices + 1);
  slice_ptr_.visit_mut([&](auto to) { std::copy(order.begin.begin(), order.begin.end(), to.begin()); });
  permutation_ = IndexArray(block_rows, block_rows);
  permutation_.visit_mut([&](auto to) { std::copy(order.rows.begin(), order.rows.end(), to.begin()); });
  block_columns_ = IndexArray(block_rows, tiles * tile);
  values_ = Values(precision, order.slots(r_));
  std::mutex mutex;
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    constexpr index_t bank_bytes = 128;  // bytes of all banks of shared memory together
    const std::span<T> values = values_.as_mut<T>();
    block_columns_.visit_mut([&](auto block_columns) {
      for_blocks(slices, 32, progress, [&](index_t first, index_t last) {
        std::array<std::vector<Block>, tile> rows;
        std::array<std::vector<index_t>, tile> columns, steps;  // numbers of each row's blocks, ascending
        std::vector<index_t> zeros;
        for (index_t slice = first; slice < last; ++slice) {
          const index_t begin = order.begin[slice], end = order.begin[slice + 1], place = slice * tile;
          const index_t lanes = std::min(tile, block_rows - place);
          std::fill(block_columns.begin() + begin * tile, block_columns.begin() + end * tile, kPaddingColumn);
          std::fill(values.begin() + begin * tile * in_block, values.begin() + end * tile * in_block, T{0});
          for (index_t lane = 0; lane < lanes; ++lane) {
            blocks_of_row(a, r_, order.rows[place + lane], columns[lane]);
            steps[lane].resize(columns[lane].size());
          }
          for (index_t from = 0; from < end - begin; from += segment) {
            for (index_t lane = 0; lane < lanes; ++lane)
              for (index_t k = from; k < std::min(from + segment, static_cast<index_t>(columns[lane].size())); ++k)
                rows[lane].push_back({k, columns[lane][k]});
            spread(rows, static_cast<int>(bank_bytes / index_t{sizeof(T)}),
                   [&](index_t step, index_t lane, index_t in_row) {
                     steps[lane][in_row] = from + step;
                     block_columns[(begin + from + step) * tile + lane] =
                         static_cast<typename decltype(block_columns)::value_type>(columns[lane][in_row]);
                   });
          }
          for (index_t lane = 0; lane < lanes; ++lane) {
            const index_t b = order.rows[place + lane], last_row = std::min((b + 1) * r_, this->rows());
            s.check_rows(b * r_, last_row);
            for (index_t row = b * r_; row < last_row; ++row) {
              std::size_t block = 0;
              for (index_t k = s.ptr[row]; k < s.ptr[row + 1] && s.columns[k] < (b + 1) * r_; ++k) {
                while ((columns[lane][block] + 1) * r_ <= s.columns[k]) ++block;
                const index_t element = (row - b * r_) * r_ + s.columns[k] - columns[lane][block] * r_;
                const index_t at = ((begin + steps[lane][block]) * in_block + element) * tile + lane;
                values[at] = s.value(k);
                if (values[at] == 0) zeros.push_back(at);
              }
            }
          }
        }
        if (zeros.empty()) return;
        std::lock_guard lock(mutex);
        stored_zeros_.insert(stored_zeros_.end(), zeros.begin(), zeros.end());
      });
    });
  });
  std::sort(stored_zeros_.begin(), stored_zeros_.end());
}

std::vector<ArrayView> BsrSymmetricFormat::arrays() const {
  return {view_of("values", values_, {tiles(), r_ * r_, tile}, 0),
          view_of("block_columns", Kind::indices, block_columns_, {tiles(), tile}),
          view_of("slice_ptr", Kind::pointers, slice_ptr_, {static_cast<index_t>(slice_ptr_.size())}),
          view_of("permutation", Kind::pointers, permutation_, {static_cast<index_t>(permutation_.size())})};
}

std::vector<FormatFact> BsrSymmetricFormat::facts() const {
  return facts_about(rows(), nnz() - mirrored_, blocks_, static_cast<index_t>(values_.size()), r_);
}

std::size_t BsrSymmetricFormat::skippable_bytes() const {
  return bytes_of_padding(static_cast<index_t>(values_.size()) - blocks_ * r_ * r_, precision());
}

void BsrSymmetricFormat::for_each_slot(const SlotVisitor& visit) const {
  auto zero = stored_zeros_.begin();
  for (index_t slice = 0; slice + 1 < static_cast<index_t>(slice_ptr_.size()); ++slice)
    for (index_t t = slice_ptr_[slice]; t < slice_ptr_[slice + 1]; ++t)
      for (index_t e = 0; e < r_ * r_; ++e)
        for (index_t i = 0; i < tile; ++i) {
          const index_t at = (t * r_ * r_ + e) * tile + i, column = block_columns_[t * tile + i];
          const double value = values_[at];
          const bool listed = zero != stored_zeros_.end() && *zero == at;
          zero += listed;
          if (column == kPaddingColumn || (value == 0 && !listed)) {
            visit(Slot{0, at});
            continue;
          }
          const index_t row = permutation_[slice * tile + i];
          visit(Slot{0, at, row * r_ + e / r_, column * r_ + e % r_, value, column != row});
        }
}

// In the picture of a tile each block is a column.
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
          "fit into L2; others are refused, or stored with many zeros, and 32 block rows side by side are padded to "
          "the longest of them. To convert costs a search for every entry's mirror.",
      .source = "after Vuduc 2003 and Gkountouvas et al. 2013",
      .params = specs_of(bsr_symmetric_fields()),
      .compact_of = "bsr"};
}

}  // namespace warpspy
