// A study of a made-up paper.
#pragma once

#include <string>

#include "core/study/study.hpp"

namespace warpspy::testing {

// What stands between the braces, with a source and two setups before it.
inline std::string study_text(const std::string& rest) {
  return R"({"schema": "warpspy-study-1", "id": "made-up", "title": "Made up",
             "source": {"paper": "Nobody 2026", "place": "Table 1"},
             "matrices": {"A": {"source": "gen:laplace5?nx=10&ny=10", "kind": "generator"},
                          "B": {"source": "gen:laplace5?nx=20&ny=10", "kind": "stand-in"}},
             "setups": {"scalar": {"kernel": "csr_scalar", "precision": "f32", "device": "gtx280"},
                        "vector": {"kernel": "csr_vector", "params": {"coop": 4}, "precision": "f32", "device": "gtx280"}},)" +
         rest + "}";
}
inline Study made_up(const std::string& rest) { return study_from_json(study_text(rest), "made-up.json"); }

// A table of GFLOP/s: two kernels on two matrices.
inline const char* kRates = R"("defaults": {"claim": "rate", "unit": "GFLOP/s", "quantity": "run.gflops"},
  "tables": [{"columns": [{"name": "scalar", "setup": "scalar"}, {"name": "vector", "setup": "vector"}],
              "rows": [{"name": "A", "matrix": "A", "cells": ["2.0", "4.0"]},
                       {"name": "B", "matrix": "B", "cells": ["3.00", "3.05"]}]}])";

}  // namespace warpspy::testing
