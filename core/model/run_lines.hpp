// Makes curves from runs in which one parameter, or another quantity x, has several values. Each matrix, kernel and
// condition has a curve over x.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

struct RunLines {
  struct Point {
    double x = 0;
    double gflops = 0, us = 0;  // the median of the runs with this x
    std::uint64_t run = 0;      // the run that has the median
    std::size_t runs = 1;
    Provenance provenance = Provenance::modelled;
    std::shared_ptr<const RunRecord> record = {};
  };
  struct Curve {
    std::string name;           // what distinguishes the curve from the others: "CSR vector, cant, f64"
    std::vector<Point> points;  // by rising x
  };
  std::string x;                   // id of the quantity on the axis
  std::string x_label;             // "Threads per row"
  bool doubling = false;           // x grows by a factor from point to point, so the axis is logarithmic
  bool by_size = false;            // x is a size of the matrix, so the axis is to scale
  bool joined = true;              // false: points of a curve are matrices of different origin, which no line may join
  std::vector<std::string> words;  // if x has words in place of numbers: the words of the positions 0, 1, ...
  std::vector<Curve> curves;       // the fastest first
  bool ordered = false;            // the user chose the order of curves; else they are sorted by speed
  std::string conditions;          // what all runs share: "f32, NVIDIA H200, warm"
  std::size_t failed = 0;          // runs that have no speed
};

// The quantities that have several values in these runs and can be an axis, the best first: parameters of kernels and
// formats, then "parts" (RunRequest), then "nnz" and "rows" of matrices. Empty if there is none.
std::vector<std::string> turned_in(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog);

// The label of such an axis: "Threads per row".
std::string axis_label(const Catalog& catalog, const std::string& id);

// The curves over `x`, one of these quantities. Runs without it, and curves with a single point, are left out. Over
// "parts" iterations of solves have curves too.
RunLines lines_of(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                  const std::string& x);

}  // namespace warpspy
