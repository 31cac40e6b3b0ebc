// A folder of studies of a made-up paper, for windows of tests: it goes with its object.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/ui/support.hpp"

namespace warpspy::ui {

class StudyFolder {
 public:
  StudyFolder() {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "studies");
    write("studies/lot.json",
          R"({"schema": "warpspy-lot-1", "seed": 1, "papers": {"Nobody 2026": ["made-up", "counts"]},
      "set_aside": ["counts"]})");
    write("studies/made-up.json", R"({"schema": "warpspy-study-1", "id": "made-up", "title": "Two kernels on two grids",
      "source": {"paper": "Nobody 2026", "place": "Table 1", "page": 7},
      "matrices": {"A": {"source": "gen:laplace5?nx=10&ny=10", "kind": "generator"},
                   "B": {"source": "gen:laplace5?nx=20&ny=10", "kind": "stand-in", "rows": 200, "columns": 200, "nnz": 940}},
      "setups": {"scalar": {"kernel": "csr_scalar", "precision": "f32", "device": "toy"},
                 "vector": {"kernel": "csr_vector", "params": {"coop": 4}, "precision": "f32", "device": "toy"},
                 "gone": {"kernel": "no_such_kernel", "precision": "f32", "device": "toy"}},
      "defaults": {"claim": "rate", "unit": "GFLOP/s", "quantity": "run.gflops"},
      "tables": [{"columns": [{"name": "scalar", "setup": "scalar"}, {"name": "vector", "setup": "vector"}],
                  "rows": [{"name": "A", "matrix": "A", "cells": ["0.2", "0.9"]},
                           {"name": "B", "matrix": "B", "cells": [{"printed": "90", "footnote": "hard to read"}, {"gap": "lost in the print"}]}]}],
      "claims": [{"name": "a kernel of before", "printed": "3", "setup": "gone", "matrix": "A"},
                 {"name": "entries", "claim": "exact", "unit": "1", "printed": "460", "quantity": "matrix.nnz", "matrix": "A"}]})");
    write("studies/counts.json",
          R"({"schema": "warpspy-study-1", "id": "counts", "title": "Counts alone", "set_aside": true,
      "source": {"paper": "Nobody 2026", "place": "Table 2"},
      "matrices": {"A": {"source": "gen:laplace5?nx=10&ny=10", "kind": "generator"}},
      "defaults": {"claim": "exact", "unit": "1", "matrix": "A"},
      "claims": [{"name": "rows", "printed": "100", "quantity": "matrix.rows"}]})");
    write("studies/results.json", R"({"schema": "warpspy-study-results-1", "made_by": "Warpspy 1", "date": "2026-11-28",
      "machine": "16 cores",
      "gpus": {"toy": {"numbers": 61, "right": 54, "rates": 40, "median_factor": 1.31, "source": "docs/studies.md"}},
      "studies": {"made-up": {"seconds": 184, "verdicts": {"agrees": 2, "order agrees": 0, "differs": 1,
                                                          "not comparable": 0, "missing": 3}}}})");
  }
  ~StudyFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string at(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  SessionOptions options() const {
    SessionOptions o = Harness::quiet();
    o.studies = at("studies");
    o.history = at("runs.sqlite");
    o.version = "0.1 (test)";
    return o;
  }

 private:
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("warpspy_studies_" + std::to_string(::getpid()));
};

}  // namespace warpspy::ui
