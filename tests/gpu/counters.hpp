// What tests of hardware counters begin with: a device whose counters can be read, else they are skipped with the
// obstacle and its remedy; an engine, and a matrix.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "core/generate/generate.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/gpu/assets.hpp"

namespace warpspy::testing {

class WithCounters : public ::testing::Test {
 protected:
  explicit WithCounters(std::string matrix) : spec_(std::move(matrix)) {}
  void SetUp() override {
    catalog_ = make_catalog(assets_folder());
    const DeviceInfo& d = catalog_.devices.front();
    if (!d.available) GTEST_SKIP() << d.reason;
    if (!d.access.open) GTEST_SKIP() << d.access.reason << "; " << d.access.remedy;
    matrix_ = generate(spec_, progress_);
    engine_ = make_engine(assets_folder());
  }

  Catalog catalog_;
  Progress progress_;
  Matrix matrix_;
  std::unique_ptr<Engine> engine_;

 private:
  std::string spec_;
};

}  // namespace warpspy::testing
