// What tests of runs over several simulated GPUs share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/generate/generate.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

namespace warpspy::testing {

inline Matrix generated(const std::string& spec) {
  Progress progress;
  return generate(spec, progress);
}

class OverParts : public ::testing::Test {
 protected:
  RunRecord run(const RunRequest& r, const Matrix& m) {
    Progress progress;
    return engine_->run(r, m, progress);
  }
  std::string refusal(const RunRequest& r, const Matrix& m) {
    const RunRecord record = run(r, m);
    EXPECT_EQ(record.status, RunStatus::failed);
    return record.error;
  }
  std::unique_ptr<Engine> engine_ = make_engine(WARPSPY_SOURCE_DIR "/assets");
};

}  // namespace warpspy::testing
