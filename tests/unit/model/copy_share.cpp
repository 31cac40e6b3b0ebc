// How near an iteration comes to a copy.
#include "core/model/copy_share.hpp"

#include <gtest/gtest.h>

namespace warpspy {
namespace {

// 12 MB in 4 us are 3000 GB/s.
RunRecord solve_of(Provenance from = Provenance::measured) {
  RunRecord r;
  r.status = RunStatus::ok, r.provenance = from, r.device_name = "a GPU";
  r.time = {4, "us", from};
  r.minimum_bytes = {12e6, "B", Provenance::modelled};
  r.solve = SolveResult{};
  return r;
}
MeasuredRoofs copy_of(double gbs) {
  MeasuredRoofs m;
  m.figures.push_back({"dram_copy", gbs, 0, "said here"});
  return m;
}

TEST(CopyShare, TakesTheMeasuredCopyFirst) {
  GpuSpec gpu;
  gpu.dram_stream_gbs = 4000;
  const CopyShare of_file = copy_share(solve_of(), &gpu, nullptr);
  EXPECT_DOUBLE_EQ(of_file.share.value(), 0.75);
  EXPECT_FALSE(of_file.copy_measured);
  EXPECT_EQ(copy_share_text(solve_of(), of_file),
            "12 MB in 4 \xC2\xB5s: 3,000 GB/s, 75 % of a copy (4,000 GB/s, data file)");
  const MeasuredRoofs measured = copy_of(3750), nothing;
  const CopyShare here = copy_share(solve_of(), &gpu, &measured);
  EXPECT_DOUBLE_EQ(here.share.value(), 0.8);
  EXPECT_TRUE(here.copy_measured);
  EXPECT_EQ(here.provenance, Provenance::derived);
  EXPECT_DOUBLE_EQ(copy_share(solve_of(), &gpu, &nothing).share.value(), 0.75);
  EXPECT_EQ(copy_share(solve_of(Provenance::modelled), &gpu, nullptr).provenance, Provenance::modelled);
}

TEST(CopyShare, SeveralGpusCopyTogether) {
  GpuSpec gpu;
  gpu.dram_stream_gbs = 4000;
  RunRecord r = solve_of();
  r.request.parts = 3;
  EXPECT_DOUBLE_EQ(copy_share(r, &gpu, nullptr).copy_gbs, 12000);
  EXPECT_DOUBLE_EQ(copy_share(r, &gpu, nullptr).share.value(), 0.25);
}

TEST(CopyShare, AboveACopyItSaysWhy) {
  const MeasuredRoofs measured = copy_of(1000);
  const CopyShare c = copy_share(solve_of(), nullptr, &measured);
  EXPECT_DOUBLE_EQ(c.share.value(), 3);
  EXPECT_NE(copy_share_text(solve_of(), c).find("stays in L2"), std::string::npos);
}

TEST(CopyShare, SaysWhatIsMissing) {
  const CopyShare unknown = copy_share(solve_of(), nullptr, nullptr);
  EXPECT_FALSE(unknown.share);
  EXPECT_NE(copy_share_text(solve_of(), unknown).find("warpspy roofs measures it"), std::string::npos);
  RunRecord product = solve_of();
  product.solve.reset();
  const GpuSpec gpu;
  EXPECT_EQ(copy_share(product, &gpu, nullptr).reason, "this run is no solve");
}

}  // namespace
}  // namespace warpspy
