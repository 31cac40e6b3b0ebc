// The matrices that an engine was sent: those used last stay.
#pragma once

#include <list>
#include <string>

#include "core/matrix/csr.hpp"

namespace warpspy {

class MatrixStore {
 public:
  explicit MatrixStore(double most_bytes) : most_bytes_(most_bytes) {}
  // nullptr when it is not there (any more). It counts as used.
  const Matrix* find(const std::string& key);
  // Those that were not used for longest go until there is room; this one stays whatever it takes.
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
