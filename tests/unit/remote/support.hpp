// What tests of engines in other processes share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/generate/generate.hpp"
#include "profiling/remote/remote_engine.hpp"
#include "tests/paths.hpp"

namespace warpspy {

inline std::string assets() { return std::string(WARPSPY_SOURCE_DIR) + "/assets"; }

inline Matrix made(const std::string& text) {
  Progress progress;
  return generate(text, progress);
}

// Short, so that tests are; long enough for a busy machine where something has to happen.
inline RemoteOptions quick() {
  RemoteOptions o;
  o.program = "test";
  o.pauses = {0.05};
  return o;
}

inline EngineProgram playing(const std::string& role, const std::string& host = "far") {
  return {WARPSPY_TEST_ENGINE, {"engine", role}, host};
}
inline EngineProgram honest() { return playing("honest", ""); }

inline RunRequest modelled(const std::string& kernel = "csr_vector") {
  RunRequest r;
  r.matrix = "gen:laplace5?nx=40&ny=40";
  r.kernel = kernel;
  r.device = "sim:h200";
  r.depth = Depth::quick;
  return r;
}

}  // namespace warpspy
