// What SciPy has too: a built csr, csc, coo, bsr or dia as scipy.sparse names and shapes its arrays, so that
// scipy.sparse.load_npz reads what is written of them.
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

// To be used while the format lives. Nothing where SciPy has no such format, or no such matrix: its blocks divide the
// matrix. Throws Error when what it wants in another order does not fit the memory.
std::optional<ScipyMatrix> as_scipy(const Format& format);

}  // namespace warpspy
