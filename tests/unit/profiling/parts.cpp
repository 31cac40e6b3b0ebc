// A product over several simulated GPUs: all parts together are the whole product, and the record tells each part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/generate/generate.hpp"
#include "core/run/check_words.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"
#include "tests/shapes.hpp"
#include "tests/unit/profiling/over_parts.hpp"

namespace warpspy {
namespace {

using testing::generated;

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

Matrix matrix_of(Csr a) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(std::move(a));
  m.source.name = "test";
  return m;
}
RunRequest request(std::uint64_t parts, Split split = Split::rows, const std::string& kernel = "csr_vector") {
  RunRequest r;
  r.kernel = kernel;
  r.device = "sim:h200";
  r.depth = Depth::whole;
  r.parts = parts;
  r.split = split;
  return r;
}

class Parts : public testing::OverParts {};

void expect_whole(const RunRecord& r, const Matrix& m) {
  ASSERT_EQ(r.status, RunStatus::ok) << r.error;
  ASSERT_TRUE(r.check);
  EXPECT_TRUE(r.check->passed);
  EXPECT_EQ(r.check->rows_checked + r.check->rows_left_out, m.csr->rows()) << "a row was not checked";
}

TEST_F(Parts, OfRandomMatricesAreTheWholeProduct) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  for (std::uint64_t parts = 1; parts <= 9; ++parts)
    for (const Split split : {Split::rows, Split::entries, Split::metis}) {
      SCOPED_TRACE(std::to_string(parts) + " parts by " + name_of(split));
      const index_t rows = 9 + static_cast<index_t>(rng() % 300);
      const index_t cols = split == Split::metis || rng() % 2 == 0 ? rows : 1 + static_cast<index_t>(rng() % 400);
      const Matrix m =
          matrix_of(testing::random_rows(rows, cols, [&](index_t) { return static_cast<index_t>(rng() % 20); }, rng()));
      RunRequest r = request(parts, split);
      r.precision = rng() % 2 == 0 ? Precision::f32 : Precision::f64;
      if (rng() % 2 == 0) r.alpha = 1.5, r.beta = -0.75;
      r.seed = rng();
      const RunRecord record = run(r, m);
      expect_whole(record, m);
      EXPECT_EQ(record.parts.size(), parts == 1 ? 0u : parts);
    }
}

// LMA has no elements of a part and says so. Formats of symmetric matrices hold few halos, which then are in CSR.
TEST_F(Parts, RunInEveryFormat) {
  const Matrix m = generated("gen:laplace5?nx=24&ny=24");
  std::set<std::string> ran, with_csr, refused;
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate || kernel.info.operation != Operation::product || kernel.info.format.empty()) continue;
    SCOPED_TRACE(kernel.info.id);
    for (const Split split : {Split::rows, Split::metis}) {
      RunRequest r = request(3, split, kernel.info.id);
      r.beta = 0.5;
      const RunRecord record = run(r, m);
      if (record.status == RunStatus::ok) {
        expect_whole(record, m);
        ran.insert(kernel.info.format);
        if (std::any_of(record.notes.begin(), record.notes.end(),
                        [](const std::string& n) { return n.find("runs with CSR vector") != n.npos; }))
          with_csr.insert(kernel.info.format);
      } else {
        EXPECT_EQ(record.error.find("part 1 of 3: "), 0u) << record.error;
        refused.insert(kernel.info.format);
      }
    }
  }
  EXPECT_EQ(refused, std::set<std::string>{"lma"});
  EXPECT_EQ(with_csr, (std::set<std::string>{"bsr_symmetric", "dia_symmetric", "pkt"}));
  for (const FormatRow& row : formats())
    EXPECT_NE(ran.contains(row.info.id), refused.contains(row.info.id)) << row.info.id;
}

TEST_F(Parts, AreToldWithTheirTimes) {
  const Matrix m = generated("gen:laplace27?nx=20&ny=20&nz=20");
  const RunRecord r = run(request(4), m);
  expect_whole(r, m);
  ASSERT_EQ(r.parts.size(), 4u);
  index_t rows = 0, entries = 0;
  double slowest = 0;
  for (const PartResult& p : r.parts) {
    rows += p.rows, entries += p.entries;
    EXPECT_GT(p.local_us, 0);
    EXPECT_GT(p.halo_us, 0);
    EXPECT_GT(p.link_us, 1.8) << "less than the latency of a message";
    EXPECT_DOUBLE_EQ(p.waiting_us, std::max(0.0, p.link_us - p.local_us));
    EXPECT_DOUBLE_EQ(p.time_us, p.local_us + p.waiting_us + p.halo_us);
    slowest = std::max(slowest, p.time_us);
  }
  EXPECT_EQ(rows, m.csr->rows());
  EXPECT_EQ(entries, m.csr->nnz());
  EXPECT_EQ(r.parts[1].halo_in, 800) << "a plane of the grid on each side";
  EXPECT_DOUBLE_EQ(r.time.value, slowest);
  EXPECT_EQ(r.time.provenance, Provenance::modelled);
  EXPECT_EQ(r.provenance, Provenance::modelled);
  EXPECT_NEAR(r.detail("parts_imbalance")->value, 1.05, 0.05);
  EXPECT_EQ(r.detail("halo_bytes")->value, 4.0 * 6 * 400);
  EXPECT_EQ(r.detail("halo_messages")->value, 6);
  for (const char* id : {"halo_bytes", "link_bandwidth", "link_latency"})
    EXPECT_EQ(r.detail(id)->provenance, Provenance::modelled) << id;
  for (const Counter& c : r.counters) EXPECT_EQ(c.provenance, Provenance::modelled) << c.id;
  const RunRecord again = record_from_json(to_json(r));
  EXPECT_EQ(again.parts, r.parts);
  EXPECT_EQ(again.request, r.request);
  EXPECT_EQ(run(request(4), m).time.value, r.time.value) << "the same request, the same number";
}

// Padding, traffic and bytes are those of all GPUs together: those of one, and what the halo takes.
TEST_F(Parts, HaveTheTrafficOfAll) {
  const Matrix m = generated("gen:laplace5?nx=60&ny=60");
  RunRequest cold = request(1);
  cold.cache_state = CacheState::cold;
  const RunRecord one = run(cold, m);
  cold.parts = 4;
  const RunRecord four = run(cold, m);
  const auto traffic = [](const RunRecord& r, const char* array) {
    for (const Traffic& t : r.arrays)
      if (t.name == array) return t;
    ADD_FAILURE() << array;
    return Traffic{};
  };
  EXPECT_DOUBLE_EQ(traffic(four, "values").bytes_used, traffic(one, "values").bytes_used);
  EXPECT_DOUBLE_EQ(traffic(four, "x").bytes_used, traffic(one, "x").bytes_used);
  EXPECT_GT(traffic(four, "y").bytes_used, traffic(one, "y").bytes_used) << "rows with a halo are written twice";
  EXPECT_GT(four.minimum_bytes.value, one.minimum_bytes.value);
  EXPECT_LT(four.minimum_bytes.value, 1.2 * one.minimum_bytes.value);
  EXPECT_DOUBLE_EQ(four.gflops.value, 2e-3 * static_cast<double>(m.csr->nnz()) / four.time.value);
}

TEST_F(Parts, OfALargeMatrixAreFasterThanOneGpu) {
  const Matrix m = generated("gen:laplace27?nx=64&ny=64&nz=64");
  RunRequest r = request(1);
  r.depth = Depth::quick;
  r.cache_state = CacheState::cold;
  const double one = run(r, m).time.value;
  r.parts = 4;
  const RunRecord four = run(r, m);
  ASSERT_EQ(four.status, RunStatus::ok) << four.error;
  EXPECT_LT(four.time.value, one);
  EXPECT_GT(four.time.value, one / 4);
}

TEST_F(Parts, OfASampleAreCheckedWhereTheyRan) {
  const Matrix m = generated("gen:laplace27?nx=80&ny=80&nz=80");
  RunRequest r = request(3);
  r.depth = Depth::quick;
  const RunRecord record = run(r, m);
  ASSERT_EQ(record.status, RunStatus::ok) << record.error;
  ASSERT_LT(record.sampled_share, 1);
  ASSERT_TRUE(record.check);
  EXPECT_TRUE(record.check->passed);
  EXPECT_GT(record.check->rows_checked, 0);
  EXPECT_LT(record.check->rows_checked, m.csr->rows());
  EXPECT_TRUE(std::any_of(record.notes.begin(), record.notes.end(),
                          [](const std::string& n) { return n.find("of the blocks of all parts ran") != n.npos; }));
}

TEST_F(Parts, MayBeEmptyOrWithoutOwnEntries) {
  // One row has almost all entries; columns of a wide matrix belong to others; and a matrix without entries.
  const Matrix long_row = matrix_of(testing::random_rows(6, 300, [](index_t k) { return k == 0 ? 290 : 1; }, 3));
  const RunRecord r = run(request(6, Split::entries), long_row);
  expect_whole(r, long_row);
  EXPECT_TRUE(std::any_of(r.parts.begin(), r.parts.end(), [](const PartResult& p) { return p.rows == 0; }));
  const Matrix narrow = matrix_of(testing::random_rows(9, 2, [](index_t) { return 1; }, 4));
  RunRequest with_y = request(9);
  with_y.beta = 0.3, with_y.alpha = 2;
  expect_whole(run(with_y, narrow), narrow);
  const Matrix empty = matrix_of(testing::from_rows(5, {{}, {}, {}, {}, {}}, testing::some_value));
  with_y.parts = 4;
  expect_whole(run(with_y, empty), empty);
}

TEST_F(Parts, AreKeptForTheNextRunAndForgottenForAnotherMatrix) {
  const Matrix m = generated("gen:laplace5?nx=30&ny=30"), other = generated("gen:laplace5?nx=31&ny=31");
  for (const Matrix* matrix : {&m, &m, &other, &m})
    for (const Split split : {Split::rows, Split::metis})
      for (const char* kernel : {"csr_vector", "ell"}) expect_whole(run(request(3, split, kernel), *matrix), *matrix);
}

TEST_F(Parts, BadInputIsRefused) {
  const Matrix m = generated("gen:laplace5?nx=4&ny=4");
  EXPECT_NE(refusal(request(17), m).find("17 parts are more than the 16 rows of the matrix; use at most"),
            std::string::npos);
  EXPECT_NE(refusal(request(0), m).find("use --parts 1 or more"), std::string::npos);
  EXPECT_NE(refusal(request(2, Split::rows, "csr_transposed"), m).find("computes no A x"), std::string::npos);
  EXPECT_NE(refusal(request(2, Split::rows, "axpy"), m).find("computes no A x"), std::string::npos);
  RunRequest small = request(2);
  small.memory.device_bytes = 200;
  EXPECT_EQ(refusal(small, m).find("part 1 of 2: "), 0u);
  RunRequest exact = request(2, Split::metis);
  const Matrix wide = matrix_of(testing::random_rows(9, 12, [](index_t) { return 2; }, 4));
  EXPECT_NE(refusal(exact, wide).find("use --split rows or --split entries"), std::string::npos);
  Progress progress;
  WarpWanted wanted;
  EXPECT_THROW(engine_->trace_warp(request(2), m, wanted, progress), Error);
  EXPECT_THROW(engine_->trace_entries(request(2), m, 0, 4, progress), Error);
}

// The check sees the whole product: a kernel that leaves rows out is found in parts too.
TEST_F(Parts, WithAWrongProductFail) {
  EngineParts parts{all_devices(assets),
                    [](const std::string& id) -> const KernelRow& {
                      static const KernelRow wrong = [] {
                        KernelRow row = kernel_row("csr_vector");
                        row.info.id = "wrong";
                        row.emulate = [](const ProductInputs& in) {
                          ProductInputs other = in;
                          other.alpha = 1.0001;
                          return kernel_row("csr_vector").emulate(other);
                        };
                        return row;
                      }();
                      return id == "wrong" ? wrong : kernel_row(id);
                    },
                    [](int) {}};
  parts.model = read_model_assets(assets);
  engine_ = make_engine(parts);
  EXPECT_NE(refusal(request(3, Split::rows, "wrong"), generated("gen:laplace5?nx=20&ny=20")).find("result is wrong"),
            std::string::npos);
}

}  // namespace
}  // namespace warpspy
