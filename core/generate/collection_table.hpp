// Private to the room (and its tests): row statistics of matrices of the collection that the papers use. The matrices
// themselves cannot be part of the program.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/types.hpp"

namespace warpspy::generate_detail {

// The field from which the matrix comes; it decides where entries of a stand-in lie.
enum class Family : std::uint8_t {
  solid,       // finite elements in space, three unknowns a node
  field,       // a mesh in space, one unknown a node
  grid,        // a mesh in the plane, one unknown a node
  map,         // an undirected graph in the plane: no diagonal
  circuit,     // the diagonal, near neighbours, a few far ones, supply lines
  web,         // links: near ones and power-law columns
  network,     // an undirected power-law graph without locality
  program,     // a linear program: columns used evenly
  band,        // rectangular, near the line from corner to corner
  economy,     // near and far in equal parts
  walk,        // Markov chains of DNA electrophoresis
  quantum,     // electronic structure: clusters in space
  dense_rows,  // power flow, mixed-integer programs: blocks of long rows
};
constexpr int kFamilies = 13;

// The kind of the matrix's values. The collection's index does not say which integers a matrix has.
enum class Contents : std::uint8_t { real, integer, ones };

struct CollectionFacts {
  std::string_view name;
  index_t rows, cols, nnz;
  // Row lengths; mean is nnz / rows. Variance is that of the population.
  index_t row_min;
  double row_q1, row_median, row_q3;
  index_t row_max;
  double row_variance;
  index_t col_max;
  double pattern_symmetry;  // share of off-diagonal entries whose mirror is stored
  Family family;
  double numeric_symmetry;  // share of off-diagonal entries whose mirror is stored with the same value, to 0.001
  Contents contents;
};
std::span<const CollectionFacts> collection_table();

}  // namespace warpspy::generate_detail
