// The engine on a real device: measured time, honest counters. Skipped where there is none.
#include "profiling/engine/engine.hpp"

#include <gtest/gtest.h>

#include "core/generate/generate.hpp"
#include "core/model/roofline.hpp"
#include "kernels/table/table.hpp"
#include "tests/gpu/assets.hpp"

namespace warpspy {
namespace {

const std::string assets = testing::assets_folder();

TEST(EngineGpu, MeasuresEveryKernel) {
  const Catalog catalog = make_catalog(assets);
  const DeviceInfo& device = catalog.devices.front();
  if (!device.available) GTEST_SKIP() << device.reason;
  Progress progress;
  const Matrix m = generate("fem_quad?nx=300&ny=300", progress);
  const auto engine = make_engine(assets);
  for (const KernelRow& kernel : kernels()) {
    for (const Precision p : {Precision::f32, Precision::f64}) {
      RunRequest r;
      r.kernel = kernel.info.id;
      r.precision = p;
      r.budget_s = 0.2;
      const RunRecord record = engine->run(r, m, progress);
      if (!kernel.info.library.empty() && record.status == RunStatus::failed) {
        // The library is not here, or has no such product: said, with its name.
        EXPECT_NE(record.error.find("cuSPARSE"), std::string::npos) << record.error;
        continue;
      }
      ASSERT_EQ(record.status, RunStatus::ok) << kernel.info.id << ": " << record.error;
      EXPECT_EQ(record.device, device.id);
      EXPECT_EQ(record.provenance, Provenance::measured);
      EXPECT_EQ(record.gflops.provenance, Provenance::derived);
      EXPECT_TRUE(record.check->passed);
      EXPECT_EQ(record.check->rows_checked, m.csr->rows());
      EXPECT_GT(record.time.value, 0.5);
      for (const char* id : {"spread", "working_set", "l2_size", "samples"})
        EXPECT_NE(record.detail(id), nullptr) << id;
      ASSERT_FALSE(record.counters.empty());
      for (const Counter& c : record.counters) EXPECT_TRUE(c.value || (!c.reason.empty() && !c.remedy.empty())) << c.id;
      const auto points = roofline_points(record, roofs_of(device.spec, p));
      // A level that moved nothing, as DRAM when all of a small product stays in L2, has no point.
      std::size_t levels = 0;
      for (const char* id : {"dram_bytes", "l2_bytes", "l1_bytes"}) {
        const Counter* c = record.counter(id);
        levels += c && c->value && *c->value > 0;
      }
      ASSERT_EQ(points.size(), record.traffic_source == TrafficSource::counters ? levels : 1u);
      for (const RooflinePoint& point : points) EXPECT_EQ(point.provenance, Provenance::derived);
    }
  }
}

}  // namespace
}  // namespace warpspy
