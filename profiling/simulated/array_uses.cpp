#include "profiling/simulated/array_uses.hpp"

namespace warpspy {

std::vector<ArrayUse> uses_of(const EmulatedProduct& product, const Format& format) {
  const std::vector<ArrayView> views = format.arrays();
  const auto vector_element = static_cast<std::uint64_t>(bytes_of(format.precision()));
  std::vector<ArrayUse> uses;
  for (const simt::ArrayInfo& a : product.arrays()) {
    ArrayUse use;
    use.base = a.base;
    for (const ArrayView& v : views) {
      if (a.name != v.name || a.bytes != v.bytes()) continue;
      use.element = v.element_bytes();
      if (v.part < 0) continue;
      use.part = static_cast<std::uint8_t>(v.part);
      if (v.kind == ArraySize::Kind::values) use.kind = ArrayUse::Kind::values;
      if (v.kind == ArraySize::Kind::indices) use.kind = ArrayUse::Kind::indices;
    }
    if (a.role == simt::Role::x) use.kind = ArrayUse::Kind::x, use.element = vector_element;
    if (a.role == simt::Role::y) use.kind = ArrayUse::Kind::y, use.element = vector_element;
    uses.push_back(use);
  }
  return uses;
}

}  // namespace warpspy
