#include "core/formats/diagonals.hpp"

#include <algorithm>
#include <mutex>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

index_t largest_offset(const Csr& a) { return std::max(a.rows(), a.cols()); }

// The slots of a diagonal that are inside the matrix. The other slots are recognised by their position and hold no
// entry.
index_t slots_inside(index_t rows, index_t cols, index_t offset) {
  return std::min(rows, cols - offset) - std::max<index_t>(0, -offset);
}

}  // namespace

Estimate diagonals_estimate(const Csr& a, const std::vector<index_t>& offsets, index_t entries, Precision precision,
                            index_t alignment) {
  const auto diagonals = static_cast<index_t>(offsets.size());
  const index_t stored = saturating_count(rounded_up(a.rows(), alignment), diagonals);
  index_t inside = 0;
  for (const index_t offset : offsets) inside += slots_inside(a.rows(), a.cols(), offset);
  return {
      {values_size("values", stored, precision), index_size("offsets", Kind::pointers, diagonals, largest_offset(a))},
      stored,
      stored - entries,
      {{"diagonals", static_cast<double>(diagonals)}},
      0,
      values_size({}, stored - inside, precision).bytes};
}

std::size_t skippable_of(const Diagonals& d, index_t rows, index_t cols, Precision precision) {
  index_t inside = 0;
  for (index_t k = 0; k < d.count(); ++k) inside += slots_inside(rows, cols, d.offsets[static_cast<std::size_t>(k)]);
  return values_size({}, d.pitch * d.count() - inside, precision).bytes;
}

Diagonals diagonals_of(const FormatFacts& facts, const std::vector<index_t>& offsets, Precision precision,
                       RealView view, index_t alignment, Progress& progress) {
  const Csr& a = facts.csr();
  const auto count = static_cast<index_t>(offsets.size());
  const index_t pitch = rounded_up(a.rows(), alignment), rightmost = offsets.empty() ? -a.rows() : offsets.back();
  Diagonals made{pitch, IndexArray(largest_offset(a), count), Values(precision, pitch * count), {}};
  made.offsets.visit_mut([&](auto out) { std::copy(offsets.begin(), offsets.end(), out.begin()); });
  std::mutex mutex;
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> values = made.values.as_mut<T>();
    // Small tiles stay in the cache between being zeroed and being filled.
    const index_t tile = std::clamp<index_t>((1 << 15) / std::max<index_t>(count, 1) / 16 * 16, 16, kRowBlock);
    for_blocks(pitch, kRowBlock, progress, [&](index_t block, index_t block_end) {
      std::vector<index_t> zeros;
      for (index_t first = block; first < block_end; first += tile) {
        const index_t end = std::min(first + tile, block_end), last = std::min(end, a.rows());
        for (index_t d = 0; d < count; ++d) std::fill(&values[d * pitch + first], &values[d * pitch] + end, T{0});
        if (first >= a.rows()) continue;
        s.check_rows(first, last);
        for (index_t row = first; row < last; ++row) {
          auto at = offsets.begin();
          for (index_t k = s.ptr[row]; k < s.ptr[row + 1]; ++k, ++at) {
            const index_t offset = s.columns[k] - row;
            if (offset > rightmost) break;
            if (*at != offset) at = std::lower_bound(at, offsets.end(), offset);  // mostly it is the next one
            const index_t position = (at - offsets.begin()) * pitch + row;
            values[position] = s.value(k);
            if (values[position] == 0) zeros.push_back(position);
          }
        }
      }
      if (zeros.empty()) return;
      std::lock_guard lock(mutex);
      made.stored_zeros.insert(made.stored_zeros.end(), zeros.begin(), zeros.end());
    });
  });
  std::sort(made.stored_zeros.begin(), made.stored_zeros.end());
  return made;
}

void for_each_slot_of(const Diagonals& d, bool mirrored, const SlotVisitor& visit) {
  auto zero = d.stored_zeros.begin();
  for (index_t k = 0; k < d.count(); ++k) {
    const index_t offset = d.offsets[static_cast<std::size_t>(k)];
    for (index_t i = 0; i < d.pitch; ++i) {
      const index_t at = k * d.pitch + i;
      const double value = d.values[at];
      const bool listed = zero != d.stored_zeros.end() && *zero == at;
      zero += listed;
      if (value != 0 || listed)
        visit(Slot{0, at, i, i + offset, value, mirrored && offset != 0});
      else
        visit(Slot{0, at});
    }
  }
}

}  // namespace warpspy
