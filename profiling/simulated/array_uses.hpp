// Tells what each array of a product holds: slots of a format, or a vector.
#pragma once

#include <cstdint>
#include <vector>

#include "core/formats/format.hpp"
#include "kernels/product/product.hpp"

namespace warpspy {

struct ArrayUse {
  enum class Kind : std::uint8_t { other, values, indices, x, y } kind = Kind::other;
  std::uint8_t part = 0;                // part of the format, for values and indices
  std::uint64_t base = 0, element = 0;  // address; bytes of an element, 0 if not known
  bool is_slots() const { return kind == Kind::values || kind == Kind::indices; }
};

// Returns the use of each array of the product.
std::vector<ArrayUse> uses_of(const EmulatedProduct& product, const Format& format);

}  // namespace warpspy
