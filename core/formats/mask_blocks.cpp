#include "core/formats/mask_blocks.hpp"

#include <algorithm>
#include <bit>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

Fields<MaskBlocksParams> fields() {
  return {{&MaskBlocksParams::height,
           {.id = "height",
            .label = "Rows per block",
            .help = "A block has 32 places: this many rows, and as many columns as are left.",
            .type = ParamSpec::Type::power_of_two,
            .min = 2,
            .max = 16,
            .tried = {4, 8}}}};
}

}  // namespace

Estimate mask_blocks_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const index_t height = params_of(fields(), params).height, width = MaskBlocksFormat::places / height;
  const Csr& a = facts.csr();
  const index_t blocks = facts.blocks(height, width), block_rows = divided_up(a.rows(), height);
  Estimate e{{values_size("values", a.nnz(), precision),
              {"masks", Kind::indices, saturating_bytes(blocks, 4)},
              index_size("block_columns", Kind::indices, blocks, divided_up(a.cols(), width)),
              index_size("block_ptr", Kind::pointers, block_rows + 1, blocks),
              index_size("value_ptr", Kind::pointers, block_rows + 1, a.nnz())},
             a.nnz(),
             0};
  e.facts = {{"blocks", static_cast<double>(blocks)}};
  return e;
}

MaskBlocksFormat::MaskBlocksFormat(const FormatFacts& facts, Precision precision, RealView view,
                                   const MaskBlocksParams& params, Progress& progress)
    : Format(facts.csr()), height_(params.height) {
  const Csr& a = facts.csr();
  const index_t blocks = facts.blocks(height_, width()), block_rows = divided_up(a.rows(), height_);
  block_ptr_ = IndexArray(blocks, block_rows + 1);
  value_ptr_ = IndexArray(a.nnz(), block_rows + 1);
  block_columns_ = IndexArray(divided_up(a.cols(), width()), blocks);
  masks_ = Buffer<std::uint32_t>(static_cast<std::size_t>(blocks));
  values_ = Values(precision, a.nnz());
  const auto row_at = [&](index_t block_row) { return std::min(block_row * height_, a.rows()); };
  value_ptr_.visit_mut([&]<class P>(std::span<P> ptr) {
    for (index_t i = 0; i <= block_rows; ++i) ptr[i] = static_cast<P>(a.row_ptr()[row_at(i)]);
  });
  const auto count = [&](index_t first, index_t last) {
    std::vector<index_t> columns;
    index_t sum = 0;
    for (index_t i = first; i < last; ++i) {
      block_columns_of(a, row_at(i), row_at(i + 1), width(), columns);
      sum += static_cast<index_t>(columns.size());
    }
    return sum;
  };
  block_ptr_.visit_mut([&](auto ptr) { ptr[0] = 0; });
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> values = values_.as_mut<T>();
    const auto fill = [&](index_t first, index_t last, index_t block) {
      std::vector<index_t> columns, next;
      s.check_rows(row_at(first), row_at(last));
      for (index_t i = first; i < last; ++i) {
        block_columns_of(a, row_at(i), row_at(i + 1), width(), columns);
        next.assign(s.ptr + row_at(i), s.ptr + row_at(i + 1));
        index_t to = s.ptr[row_at(i)];
        for (const index_t column : columns) {
          std::uint32_t mask = 0;
          for (std::size_t r = 0; r < next.size(); ++r) {
            const index_t end = s.ptr[row_at(i) + static_cast<index_t>(r) + 1];
            for (index_t& k = next[r]; k < end && s.columns[k] / width() == column; ++k, ++to) {
              mask |= 1u << (static_cast<index_t>(r) * width() + s.columns[k] % width());
              values[to] = s.value(k);
            }
          }
          masks_.span()[block] = mask;
          block_columns_.visit_mut([&]<class B>(std::span<B> out) { out[block] = static_cast<B>(column); });
          ++block;
        }
        block_ptr_.visit_mut([&]<class P>(std::span<P> ptr) { ptr[i + 1] = static_cast<P>(block); });
      }
    };
    for_blocks_placed(block_rows, kRowBlock / height_, progress, count, fill);
  });
}

std::vector<ArrayView> MaskBlocksFormat::arrays() const {
  return {view_of("values", values_, {nnz()}, 0),
          {"masks", Kind::indices, ArrayView::Type::mask32, masks_.span().data(), {blocks()}, -1},
          view_of("block_columns", Kind::indices, block_columns_, {blocks()}),
          view_of("block_ptr", Kind::pointers, block_ptr_, {block_rows() + 1}),
          view_of("value_ptr", Kind::pointers, value_ptr_, {block_rows() + 1})};
}

std::vector<FormatFact> MaskBlocksFormat::facts() const { return {{"blocks", static_cast<double>(blocks())}}; }

void MaskBlocksFormat::for_each_slot(const SlotVisitor& visit) const {
  index_t at = 0;
  for (index_t i = 0; i < block_rows(); ++i)
    for (index_t b = block_ptr_[i]; b < block_ptr_[i + 1]; ++b)
      for (std::uint32_t left = masks()[b]; left != 0; left &= left - 1, ++at) {
        const index_t place = std::countr_zero(left);
        visit({0, at, i * height_ + place / width(), block_columns_[b] * width() + place % width(), values_[at]});
      }
}

std::shared_ptr<const Format> mask_blocks_build(const FormatFacts& facts, Precision precision, RealView view,
                                                const ParamSet& params, Progress& progress) {
  require_memory("mask_blocks", mask_blocks_estimate(facts, precision, params), facts, precision);
  return std::make_shared<MaskBlocksFormat>(facts, precision, view, params_of(fields(), params), progress);
}

FormatInfo mask_blocks_info() {
  return {.id = "mask_blocks",
          .label = "Blocks with masks",
          .help =
              "Blocks of 32 places, each with its column and a bit for each place that holds an entry; values are "
              "packed, nothing is padded. Gains where blocks hold three entries and more: finite elements with several "
              "unknowns a node, bands. With one or two entries a block it is larger than CSR. To convert costs two "
              "passes over the columns, with a sort in each block row.",
          .source = "after Bramas & Kus 2018",
          .params = specs_of(fields()),
          .fact_names = {{"blocks", "blocks"}},
          .compact_of = "csr"};
}

}  // namespace warpspy
