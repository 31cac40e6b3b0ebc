#include "core/formats/format.hpp"

#include <limits>

#include "core/formats/build.hpp"

namespace warpspy {

std::size_t Estimate::bytes() const {
  std::size_t sum = 0;
  for (const ArraySize& array : arrays)
    if (__builtin_add_overflow(sum, array.bytes, &sum)) return std::numeric_limits<std::size_t>::max();
  return sum;
}

const FormatRow& format_row(const std::string& id) {
  std::string known;
  for (const FormatRow& row : formats()) {
    if (row.info.id == id) return row;
    known += (known.empty() ? "" : ", ") + row.info.id;
  }
  throw Error("unknown format " + id, {}, "known: " + known);
}

std::size_t minimum_bytes(const Estimate& e, const Csr& a, Precision precision) {
  return e.bytes() + saturating_bytes(a.cols() + a.rows(), static_cast<std::size_t>(bytes_of(precision)));
}

}  // namespace warpspy
