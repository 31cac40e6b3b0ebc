// SciPy also has the formats csr, csc, coo, bsr and dia. This gives a built format's arrays the names and shapes of
// scipy.sparse, so that scipy.sparse.load_npz can read them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/formats/format.hpp"

namespace warpspy {

struct ScipyMatrix {
  std::string format;             // "csr"
  std::vector<ArrayView> arrays;  // "data", "indices", ...: the format's own, or in `made`
  std::vector<char> made;
};

// Use the result only while the format lives. Returns nothing if SciPy has no such format, or if BSR blocks do not
// divide the matrix, as SciPy wants. Throws Error if arrays that must be reordered do not fit the memory.
std::optional<ScipyMatrix> as_scipy(const Format& format);

}  // namespace warpspy
