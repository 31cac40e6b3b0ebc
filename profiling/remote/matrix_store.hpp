// Keeps the matrices that an engine received, as far as memory allows; the last used ones stay.
#pragma once

#include <list>
#include <string>

#include "core/matrix/csr.hpp"

namespace warpspy {

class MatrixStore {
 public:
  explicit MatrixStore(double most_bytes) : most_bytes_(most_bytes) {}
  // Returns the matrix, or nullptr if it is not kept (any more). It counts as used now.
  const Matrix* find(const std::string& key);
  // Stores a matrix. Matrices that were used longest ago are removed until there is room; the new one is kept in any
  // case.
  void put(const std::string& key, Matrix matrix, double bytes);
  double bytes() const;

 private:
  struct Kept {
    std::string key;
    Matrix matrix;
    double bytes = 0;
  };
  std::list<Kept> kept_;  // used last first
  double most_bytes_;
};

}  // namespace warpspy
