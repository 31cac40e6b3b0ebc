#include "core/formats/bsr.hpp"

#include <algorithm>
#include <mutex>

#include "core/formats/build.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

std::vector<FormatFact> facts_about(index_t rows, index_t cols, index_t nnz, index_t blocks, index_t r, index_t c) {
  const double stored = static_cast<double>(blocks) * static_cast<double>(r * c);
  return {{"blocks", static_cast<double>(blocks)},
          {"fill", nnz == 0 ? 1.0 : stored / static_cast<double>(nnz)},
          {"padded_rows", static_cast<double>(rounded_up(rows, r) - rows)},
          {"padded_cols", static_cast<double>(rounded_up(cols, c) - cols)}};
}

ParamSpec side(const char* id, const char* label) {
  return {.id = id,
          .label = label,
          .help =
              "Size of a block. Every block with an entry is stored whole: the fill is what that costs. Where it does "
              "not divide the matrix, the last blocks reach beyond the edge.",
          .type = ParamSpec::Type::integer,
          .min = 1,
          .max = 32};
}

}  // namespace

Fields<BsrParams> bsr_fields() {
  ParamSpec rows = side("block_rows", "Block rows r"), cols = side("block_cols", "Block columns c");
  rows.tried = {2, 3, 4};
  cols.tried_as = rows.id;
  return {{&BsrParams::block_rows, rows}, {&BsrParams::block_cols, cols}};
}

Estimate bsr_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const BsrParams p = params_of(bsr_fields(), params);
  const Csr& a = facts.csr();
  const index_t blocks = facts.blocks(p.block_rows, p.block_cols);
  const index_t stored = saturating_count(blocks, index_t{p.block_rows} * p.block_cols);
  return {{values_size("values", stored, precision),
           index_size("block_columns", Kind::indices, blocks, divided_up(a.cols(), p.block_cols)),
           index_size("block_ptr", Kind::pointers, divided_up(a.rows(), p.block_rows) + 1, blocks)},
          stored,
          stored - a.nnz(),
          facts_about(a.rows(), a.cols(), a.nnz(), blocks, p.block_rows, p.block_cols)};
}

BsrFormat::BsrFormat(const FormatFacts& facts, Precision precision, RealView view, const BsrParams& params,
                     Progress& progress)
    : Format(facts.csr()), r_(params.block_rows), c_(params.block_cols) {
  const Csr& a = facts.csr();
  const index_t blocks = facts.blocks(r_, c_), block_rows = divided_up(rows(), r_);
  block_ptr_ = IndexArray(blocks, block_rows + 1);
  block_columns_ = IndexArray(divided_up(cols(), c_), blocks);
  values_ = Values(precision, blocks * r_ * c_);
  std::mutex mutex;
  const auto last_row = [&](index_t block_row) { return std::min((block_row + 1) * r_, rows()); };
  const auto count = [&](index_t first, index_t last) {
    std::vector<index_t> found;
    index_t sum = 0;
    for (index_t b = first; b < last; ++b) {
      block_columns_of(a, b * r_, last_row(b), c_, found);
      sum += static_cast<index_t>(found.size());
    }
    return sum;
  };
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> values = values_.as_mut<T>();
    block_ptr_.visit_mut([&]<class P>(std::span<P> ptr) {
      block_columns_.visit_mut([&]<class B>(std::span<B> block_columns) {
        ptr[block_rows] = static_cast<P>(blocks);
        for_blocks_placed(block_rows, 1024, progress, count, [&](index_t first, index_t last, index_t to) {
          std::vector<index_t> found, zeros;
          for (index_t b = first; b < last; ++b) {
            block_columns_of(a, b * r_, last_row(b), c_, found);
            s.check_rows(b * r_, last_row(b));
            ptr[b] = static_cast<P>(to);
            std::copy(found.begin(), found.end(), block_columns.begin() + to);
            std::fill(values.begin() + to * r_ * c_,
                      values.begin() + (to + static_cast<index_t>(found.size())) * r_ * c_, T{0});
            for (index_t row = b * r_; row < last_row(b); ++row) {
              auto block = found.begin();
              for (index_t k = s.ptr[row]; k < s.ptr[row + 1]; ++k) {
                while ((*block + 1) * c_ <= s.columns[k]) ++block;
                const index_t at =
                    ((to + (block - found.begin())) * r_ + row - b * r_) * c_ + s.columns[k] - *block * c_;
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

std::vector<ArrayView> BsrFormat::arrays() const {
  return {view_of("values", values_, {blocks(), r_, c_}, 0),
          view_of("block_columns", Kind::indices, block_columns_, {blocks()}),
          view_of("block_ptr", Kind::pointers, block_ptr_, {static_cast<index_t>(block_ptr_.size())})};
}

std::vector<FormatFact> BsrFormat::facts() const { return facts_about(rows(), cols(), nnz(), blocks(), r_, c_); }

void BsrFormat::for_each_slot(const SlotVisitor& visit) const {
  auto zero = stored_zeros_.begin();
  for (index_t b = 0; b + 1 < static_cast<index_t>(block_ptr_.size()); ++b)
    for (index_t block = block_ptr_[b]; block < block_ptr_[b + 1]; ++block)
      for (index_t i = 0; i < r_ * c_; ++i) {
        const index_t at = block * r_ * c_ + i;
        const double value = values_[at];
        const bool listed = zero != stored_zeros_.end() && *zero == at;
        zero += listed;
        visit(value != 0 || listed ? Slot{0, at, b * r_ + i / c_, block_columns_[block] * c_ + i % c_, value}
                                   : Slot{0, at});
      }
}

std::vector<ArrayGrid> BsrFormat::grids() const {
  std::vector<ArrayGrid> grids;
  for (index_t b = 0; b < blocks(); ++b)
    grids.push_back({"values, block " + std::to_string(b), 0, static_cast<std::size_t>(b * r_ * c_), r_, c_,
                     static_cast<std::size_t>(c_), 1});
  const std::vector<ArrayGrid> rest = Format::grids();  // has none for the three dimensions of values
  grids.insert(grids.end(), rest.begin(), rest.end());
  return grids;
}

std::shared_ptr<const Format> bsr_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("bsr", bsr_estimate(facts, precision, params), facts, precision);
  return std::make_shared<BsrFormat>(facts, precision, view, params_of(bsr_fields(), params), progress);
}

void bsr_padding(PaddingRows& to) {
  const Csr& a = to.facts.csr();
  const BsrParams p = params_of(bsr_fields(), to.params);
  std::vector<index_t> columns;
  for (index_t first = 0; first < a.rows(); first += p.block_rows) {
    const index_t last = std::min<index_t>(a.rows(), first + p.block_rows);
    block_columns_of(a, first, last, p.block_cols, columns);
    const index_t width = static_cast<index_t>(columns.size()) * p.block_cols;
    for (index_t row = first; row < last; ++row) to.add(row, a.row_length(row), width);
  }
}

FormatInfo bsr_info() {
  return {
      .id = "bsr",
      .label = "BSR",
      .help =
          "Dense blocks of r x c with one column index each. For matrices of several unknowns per node; the fill says "
          "how many values are stored for each entry.",
      .source = "Vuduc 2003; Reguly & Giles 2012, section 2",
      .params = specs_of(bsr_fields())};
}

}  // namespace warpspy
