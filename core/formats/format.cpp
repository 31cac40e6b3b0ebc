#include "core/formats/format.hpp"

#include <limits>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

std::size_t sum_of(const std::vector<ArraySize>& arrays, auto&& counts) {
  std::size_t sum = 0;
  for (const ArraySize& array : arrays)
    if (counts(array) && __builtin_add_overflow(sum, array.bytes, &sum)) return std::numeric_limits<std::size_t>::max();
  return sum;
}

}  // namespace

std::size_t Estimate::bytes() const {
  return sum_of(arrays, [](const ArraySize&) { return true; });
}

std::size_t Estimate::bytes(ArraySize::Kind kind) const {
  return sum_of(arrays, [kind](const ArraySize& a) { return a.kind == kind; });
}

const FormatFact* Estimate::fact(const std::string& name) const {
  for (const FormatFact& f : facts)
    if (f.name == name) return &f;
  return nullptr;
}

std::size_t ArrayView::element_bytes() const {
  switch (type) {
    case Type::i64:
    case Type::f64:
      return 8;
    case Type::u16:
      return 2;
    case Type::u8:
      return 1;
    default:
      return 4;
  }
}

std::size_t ArrayView::size() const {
  std::size_t count = 1;
  for (index_t n : shape) count *= static_cast<std::size_t>(n);
  return count;
}

double ArrayView::operator[](std::size_t k) const {
  switch (type) {
    case Type::i32:
      return static_cast<const std::int32_t*>(data)[k];
    case Type::i64:
      return static_cast<double>(static_cast<const std::int64_t*>(data)[k]);
    case Type::f32:
      return static_cast<const float*>(data)[k];
    case Type::f64:
      return static_cast<const double*>(data)[k];
    case Type::pair16:
      return static_cast<const std::uint32_t*>(data)[k];
    case Type::u16:
      return static_cast<const std::uint16_t*>(data)[k];
    case Type::u8:
      return static_cast<const std::uint8_t*>(data)[k];
  }
  return 0;
}

std::vector<ArrayGrid> Format::grids() const {
  std::vector<ArrayGrid> grids;
  const std::vector<ArrayView> all = arrays();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<index_t>& shape = all[i].shape;
    const auto pitch = static_cast<std::size_t>(shape.back());
    if (shape.size() == 1) grids.push_back({all[i].name, i, 0, 1, shape[0], pitch, 1});
    if (shape.size() == 2) grids.push_back({all[i].name, i, 0, shape[1], shape[0], 1, pitch});
  }
  return grids;
}

Estimate Format::size() const {
  Estimate e;
  for (const ArrayView& a : arrays()) e.arrays.push_back({a.name, a.kind, a.bytes()});
  e.stored = slots();
  e.mirrored = mirrored();
  e.padding = e.stored + e.mirrored - nnz();
  e.facts = facts();
  e.skippable = skippable_bytes();
  return e;
}

index_t Format::slots() const {
  index_t sum = 0;
  int counted = -1;  // arrays are sorted by part, and all arrays of a part have the same slots
  for (const ArrayView& a : arrays()) {
    if (a.part <= counted) continue;
    sum += static_cast<index_t>(a.size());
    counted = a.part;
  }
  return sum;
}

Precision Format::precision() const {
  for (const ArrayView& a : arrays())
    if (a.kind == ArraySize::Kind::values && a.type == ArrayView::Type::f64) return Precision::f64;
  return Precision::f32;
}

void Format::for_each(const std::function<void(index_t, index_t, double)>& visit) const {
  for_each_slot([&](const Slot& s) {
    if (s.padding()) return;
    visit(s.row, s.column, s.value);
    if (s.mirrored) visit(s.column, s.row, s.value);
  });
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
  const std::size_t vectors = saturating_bytes(a.cols() + a.rows(), static_cast<std::size_t>(bytes_of(precision)));
  std::size_t sum = e.bytes();
  if (sum == std::numeric_limits<std::size_t>::max()) return sum;
  return __builtin_add_overflow(sum - e.skippable, vectors, &sum) ? std::numeric_limits<std::size_t>::max() : sum;
}

}  // namespace warpspy
