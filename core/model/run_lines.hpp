// Runs in which one thing was turned: a curve over it for each matrix, kernel and condition. Pure.
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
    double gflops = 0, us = 0;  // the median of the runs that stand there
    std::uint64_t run = 0;      // the one that has it
    std::size_t runs = 1;
    Provenance provenance = Provenance::modelled;
    std::shared_ptr<const RunRecord> record = {};
  };
  struct Curve {
    std::string name;           // what tells it from the others: "CSR vector, cant, f64"
    std::vector<Point> points;  // by rising x
  };
  std::string x;                   // id of what was turned
  std::string x_label;             // "Threads per row"
  bool doubling = false;           // from point to point by a factor: a log axis
  std::vector<std::string> words;  // where x counts words instead: the place 0, 1, ... is called so
  std::vector<Curve> curves;       // the fastest first
  bool ordered = false;            // they stand as somebody asked for, not by speed
  std::string conditions;          // what all share: "f32, NVIDIA H200, warm"
  std::size_t failed = 0;          // runs that have no speed
};

// What takes more than one value in these runs and can be an axis, the best first: parameters of kernels and formats,
// then "nnz" and "rows" of matrices. Empty: nothing was turned.
std::vector<std::string> turned_in(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog);

// "Threads per row": how such an axis is called.
std::string axis_label(const Catalog& catalog, const std::string& id);

// Over `x`, one of these. Runs without it, and curves of a single point, are left out.
RunLines lines_of(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                  const std::string& x);

}  // namespace warpspy
