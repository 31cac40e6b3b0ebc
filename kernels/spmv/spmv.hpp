// What all product kernels share: the shape of a launch, the check of what they are given, and the way from run-time
// types (precision, index widths) to template arguments.
#pragma once

#include <algorithm>
#include <string>

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"
#include "core/formats/values.hpp"
#include "kernels/simt/simt.hpp"
#include "kernels/table/product.hpp"

namespace warpspy {

// How a kernel asks the caches, per array: template arguments now, so that a policy becomes a parameter (the papers'
// "texture cache on or off", "constant x") by instantiating another one.
struct PlainCache {
  static constexpr simt::CachePolicy x = simt::CachePolicy::plain, matrix = simt::CachePolicy::plain;
};

// A grid of blocks that each compute `rows_per_block` rows; one block for a matrix without rows, since no GPU launches
// none. Throws Error beyond the 2^31 - 1 blocks that a grid may have.
inline LaunchShape row_grid(const std::string& kernel, index_t rows, index_t rows_per_block, int block_size) {
  const index_t grid = std::max<index_t>(1, (rows + rows_per_block - 1) / rows_per_block);
  if (grid > INT32_MAX)
    throw Error(
        "kernel " + kernel + " would need " + std::to_string(grid) + " blocks, and a grid has at most 2147483647", {},
        "let each block compute more rows (larger block size or repeat, smaller coop)");
  return {.grid = grid, .block = block_size};
}

inline ParamSpec block_size_spec() {
  return {.id = "block_size",
          .label = "Block size",
          .help = "Threads per block. Larger blocks keep fewer of them resident; smaller ones cost more scheduling.",
          .type = ParamSpec::Type::power_of_two,
          .min = 32,
          .max = 1024};
}

// The format as the type the kernel reads. Throws Error when it is another one.
template <class Input>
const Input& input_of(const KernelInfo& kernel, const Format& format) {
  if (const auto* input = dynamic_cast<const Input*>(&format)) return *input;
  throw Error("kernel " + kernel.id + " reads format " + kernel.format + ", not " + format.id());
}

template <class Input>
void require_inputs(const Input& a, Precision precision, std::size_t x_size) {
  if (a.values().precision() != precision)
    throw Error(std::string("the format holds ") + name_of(a.values().precision()) + " values, not " +
                name_of(precision));
  if (static_cast<index_t>(x_size) != a.cols())
    throw Error("x has " + std::to_string(x_size) + " entries, and the matrix " + std::to_string(a.cols()) +
                " columns");
}

}  // namespace warpspy
