// Which kernel is faster than which, in the papers' figures, from the model alone; on smaller matrices. The bars of the
// figures are lost in the texts: what is held here is what the papers say about them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/generate/generate.hpp"
#include "kernels/simt/trace.hpp"
#include "profiling/engine/engine.hpp"

namespace warpspy {
namespace {

// GFLOP/s of the model.
class Gpu {
 public:
  explicit Gpu(const char* device) : device_(device) {}
  double rate(const Matrix& m, const std::string& kernel, ParamSet params = {}) {
    RunRequest r;
    r.kernel = kernel;
    r.device = device_;
    r.params = std::move(params);
    r.budget_s = 0.5;
    Progress progress;
    const RunRecord record = engine_->run(r, m, progress);
    EXPECT_EQ(record.status, RunStatus::ok) << kernel << ": " << record.error;
    return record.gflops.value;
  }

 private:
  const char* device_;
  std::unique_ptr<Engine> engine_ = make_engine(WARPSPY_SOURCE_DIR "/assets");
};

Matrix made(const std::string& text) {
  Progress progress;
  return generate(text, progress);
}

constexpr auto texture = static_cast<double>(simt::CachePolicy::read_only);
ParamSet with(ParamSet params, bool cached) {
  params["x_cache"] = cached ? texture : 0;
  return params;
}

struct Stencil {
  const char* matrix;
  int points;
};
constexpr Stencil stencils[] = {{"laplace3?nx=160000", 3},
                                {"laplace5?nx=400&ny=400", 5},
                                {"laplace7?nx=54&ny=54&nz=54", 7},
                                {"laplace9?nx=400&ny=400", 9},
                                {"laplace27?nx=54&ny=54&nz=54", 27}};

// Bell & Garland 2008, figure 27 and section 5.1.1.
class StructuredOnGtx280 : public ::testing::TestWithParam<bool> {};

TEST_P(StructuredOnGtx280, DiaThenEllThenTheRest) {
  const bool cached = GetParam();
  Gpu gpu("sim:gtx280");
  std::map<int, double> scalar, vector;
  for (const Stencil& s : stencils) {
    SCOPED_TRACE(s.matrix);
    const Matrix m = made(s.matrix);
    const double dia = gpu.rate(m, "dia", with({}, cached)), ell = gpu.rate(m, "ell", with({}, cached));
    EXPECT_GT(dia, ell) << "DIA offers the best performance in all cases";
    vector[s.points] = gpu.rate(m, "csr_vector", with({{"coop", 32}}, cached));
    scalar[s.points] = gpu.rate(m, "csr_scalar", with({}, cached));
    const double coo = gpu.rate(m, "coo_segmented", with({}, cached));
    for (const double other : {vector[s.points], scalar[s.points], coo}) EXPECT_GT(ell, other);
  }
  EXPECT_LT(scalar[27], scalar[5]) << "CSR (scalar) decreases as the number of diagonals increases";
  EXPECT_GT(vector[27], 2.5 * vector[7]) << "CSR (vector) scales with the entries per row";
}
INSTANTIATE_TEST_SUITE_P(Figure27, StructuredOnGtx280, ::testing::Bool(),
                         [](const auto& row) { return row.param ? "WithCache" : "WithoutCache"; });

TEST(PaperOrderings, CachingHelpsLargerStencilsMore) {
  Gpu gpu("sim:gtx280");
  const auto gain = [&](const char* matrix) {
    const Matrix m = made(matrix);
    return gpu.rate(m, "dia", with({}, true)) / gpu.rate(m, "dia", with({}, false));
  };
  const double small = gain("laplace3?nx=160000"), large = gain("laplace27?nx=54&ny=54&nz=54");
  EXPECT_GT(large, small);
  EXPECT_GT(large, 1.2) << "56 % in the paper";
}

// Bell & Garland 2008, figure 31 and section 5.2.1.
TEST(PaperOrderings, UnstructuredOnGtx280) {
  Gpu gpu("sim:gtx280");
  for (const bool cached : {false, true}) {
    SCOPED_TRACE(cached ? "with cache" : "without cache");
    // Rows of 40 to 60 entries near the diagonal, as of the FEM matrices: HYB is best, and CSR (scalar) is far behind.
    const Matrix fem = made("band?rows=40000&half=25");
    const double hyb = gpu.rate(fem, "hyb", with({}, cached));
    for (const char* other : {"csr_scalar", "coo_segmented"})
      EXPECT_GT(hyb, gpu.rate(fem, other, with({}, cached))) << other;
    EXPECT_GT(gpu.rate(fem, "csr_vector", with({{"coop", 32}}, cached)), gpu.rate(fem, "csr_scalar", with({}, cached)));
    // 2000 rows are 2000 threads of ELL, where the GPU wants 30 thousand.
    const Matrix dense = made("dense?rows=2000&cols=2000");
    EXPECT_GT(gpu.rate(dense, "csr_vector", with({{"coop", 32}}, cached)), gpu.rate(dense, "hyb", with({}, cached)));
  }
}

// Reguly & Giles 2012, figure 4: the best coop is near the root of the mean row length, and a bad one costs much.
TEST(PaperOrderings, CoopOnC2070) {
  Gpu gpu("sim:c2070");
  struct Case {
    const char* matrix;
    double mean;
  };
  for (const Case& c : {Case{"laplace5?nx=400&ny=400", 5}, Case{"laplace27?nx=40&ny=40&nz=40", 25},
                        Case{"band?rows=40000&half=26", 52}}) {
    SCOPED_TRACE(c.matrix);
    const Matrix m = made(c.matrix);
    double best = 0, worst = 1e300;
    int best_coop = 0;
    for (int coop = 1; coop <= 32; coop *= 2) {
      const double rate = gpu.rate(m, "csr_vector", {{"coop", coop}, {"repeat", 8}, {"block_size", 128}});
      if (rate > best) best = rate, best_coop = coop;
      worst = std::min(worst, rate);
    }
    EXPECT_LE(std::abs(std::log2(best_coop / std::sqrt(c.mean))), 1.5) << "best coop " << best_coop;
    EXPECT_GT(best / worst, 1.5);
  }
}

}  // namespace
}  // namespace warpspy
