// The warps of a product on the matrix of Bell & Garland 2008, section 3, block by block.
#pragma once

#include <string>
#include <vector>

#include "core/run/warp_trace.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"
#include "tests/unit/profiling/paper_matrix.hpp"

namespace warpspy::testing {

// The first warp of each block of a launch.
inline std::vector<WarpTrace> paper_warps(const std::string& kernel, const ParamSet& params,
                                          const ParamSet& format = {}, int launch = 0) {
  static const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets");
  RunRequest r;
  r.kernel = kernel;
  r.params = params;
  r.format_params = format;
  r.device = "sim:h200";
  const Matrix m = paper_matrix();
  std::vector<WarpTrace> warps;
  std::int64_t blocks = 1;
  for (std::int64_t b = 0; b < blocks; ++b) {
    WarpWanted wanted;
    wanted.by = WarpWanted::By::place;
    wanted.place = {launch, b, 0};
    wanted.first = 1;  // figures count as a pattern does
    Progress progress;
    warps.push_back(engine->trace_warp(r, m, wanted, progress));
    blocks = warps.back().blocks;
  }
  return warps;
}

}  // namespace warpspy::testing
