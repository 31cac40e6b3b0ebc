// What stands in the frames: nothing is lost on the way, and nothing damaged comes through.
#include "profiling/remote/messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/generate/generate.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/remote/frame.hpp"
#include "profiling/remote/matrix_store.hpp"
#include "profiling/remote/parts.hpp"
#include "tests/unit/remote/support.hpp"

namespace warpspy::wire {
namespace {

Matrix complex_matrix() {
  Matrix m;
  m.csr = std::make_shared<const Csr>(2, 3, std::vector<index_t>{0, 2, 3}, Indices(std::vector<std::int64_t>{0, 2, 1}),
                                      std::vector<double>{1, 2, 3}, std::vector<double>{0, -1, 0.5});
  return m;
}

std::vector<Matrix> matrices() {
  Matrix empty;
  empty.csr = std::make_shared<const Csr>(0, 0, std::vector<index_t>{0}, Indices(std::vector<std::int32_t>{}),
                                          std::vector<double>{});
  return {made("laplace5?nx=9&ny=7"), made("fem_quad?nx=5&ny=4"), complex_matrix(), empty};
}

Matrix sent(const Matrix& m, std::size_t piece) {
  const std::string key = key_of(m);
  MatrixBuilder builder(shape_of(m, key));
  send_arrays(m, piece, [&](std::string_view bytes) { builder.add(bytes); });
  EXPECT_TRUE(builder.complete());
  return builder.take();
}

TEST(EngineMessages, AMatrixArrivesAsItIs) {
  for (const Matrix& m : matrices())
    for (const std::size_t piece : {std::size_t{1}, std::size_t{13}, std::size_t{1} << 20}) {
      const Matrix got = sent(m, piece);
      EXPECT_EQ(key_of(got), key_of(m));
      EXPECT_EQ(got.csr->rows(), m.csr->rows());
      EXPECT_EQ(got.csr->columns().is32(), m.csr->columns().is32());
      EXPECT_TRUE(std::equal(got.csr->values().begin(), got.csr->values().end(), m.csr->values().begin()));
      ASSERT_EQ(got.elements != nullptr, m.elements != nullptr);
      if (!m.elements) continue;
      EXPECT_EQ(got.elements->matrices, m.elements->matrices);
    }
}

TEST(EngineMessages, TheMachineOfABenchmarkArrivesAsItIs) {
  BenchMachine sent{"cuSPARSE", "12.5", 13000, CopyBandwidth{4260, 0.001, std::size_t{1} << 30}, {}};
  for (const bool all : {false, true}) {
    if (all) sent.l2 = L2Bandwidth{8000, 5000, 16e6, 132};
    BenchMachine got;
    unpack(pack(sent), got);
    EXPECT_EQ(got.library, "cuSPARSE");
    EXPECT_EQ(got.library_version, "12.5");
    EXPECT_EQ(got.driver_version, 13000);
    EXPECT_EQ(got.copy->gbs, 4260);
    EXPECT_EQ(got.copy->bytes, std::size_t{1} << 30);
    ASSERT_EQ(got.l2.has_value(), all);
    if (all) {
      EXPECT_EQ(got.l2->gather_gbs, 5000);
    }
  }
}

TEST(EngineMessages, AKeyTellsMatricesApart) {
  std::vector<std::string> keys;
  for (const Matrix& m : matrices()) keys.push_back(key_of(m));
  Matrix plain = matrices()[1];
  plain.elements = nullptr;
  keys.push_back(key_of(plain));
  Matrix other = complex_matrix();
  other.csr =
      std::make_shared<const Csr>(2, 3, std::vector<index_t>{0, 2, 3}, Indices(std::vector<std::int64_t>{0, 2, 1}),
                                  std::vector<double>{1, 2, 3}, std::vector<double>{0, -1, 0.25});
  keys.push_back(key_of(other));
  for (std::size_t a = 0; a < keys.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(keys[a], keys[b]) << a << " " << b;
}

TEST(EngineMessages, WhatIsNoMatrixIsRefused) {
  const Matrix m = made("laplace5?nx=9&ny=7");
  const MatrixShape shape = shape_of(m, key_of(m));
  MatrixShape negative = shape, huge = shape, other = shape;
  negative.nnz = -1;
  huge.nnz = std::numeric_limits<index_t>::max();
  other.key = "another";
  EXPECT_THROW(MatrixBuilder{negative}, Error);
  EXPECT_THROW(MatrixBuilder{huge}, Error);
  const auto filled = [&](const MatrixShape& s, char flip) {
    MatrixBuilder builder(s);
    send_arrays(m, 64, [&](std::string_view bytes) {
      std::string changed(bytes);
      changed.back() = static_cast<char>(changed.back() ^ flip);
      builder.add(changed);
    });
    return builder;
  };
  EXPECT_THROW(filled(other, 0).take(), Error);
  EXPECT_THROW(filled(shape, 1).take(), Error);
  EXPECT_THROW(filled(shape, 0).add("x"), Error);
}

TEST(EngineMessages, OfMatricesTheOnesUsedLastStay) {
  MatrixStore store(100);
  const Matrix m = made("laplace5?nx=4");
  store.put("a", m, 60), store.put("b", m, 30);
  EXPECT_TRUE(store.find("a"));  // used last now
  store.put("c", m, 30);
  EXPECT_TRUE(store.find("a"));
  EXPECT_FALSE(store.find("b"));
  store.put("large", m, 1000);
  EXPECT_TRUE(store.find("large"));
  EXPECT_FALSE(store.find("a"));
  EXPECT_EQ(store.bytes(), 1000);
}

TEST(EngineMessages, TracesArriveAsTheyAre) {
  const auto engine = make_engine(assets());
  const Matrix m = made("laplace5?nx=40&ny=40");
  Progress progress;
  RunRequest r;
  r.device = "sim:h200";
  const WarpTrace warp = engine->trace_warp(r, m, {.row = 77}, progress);
  const WarpTrace warp_there = warp_trace_of(pack(warp));
  EXPECT_EQ(to_json(warp_there), to_json(warp));
  EXPECT_EQ(pack(warp_there), pack(warp));
  const EntryTrace entries = engine->trace_entries(r, m, 0, 100, progress);
  EXPECT_EQ(pack(entry_trace_of(pack(entries))), pack(entries));
  EXPECT_EQ(entry_trace_of(pack(entries)).entries.size(), entries.entries.size());

  // Cut anywhere, or longer than it is: refused, never half taken.
  for (const std::string& whole : {pack(warp), pack(entries)}) {
    const bool is_warp = whole == pack(warp);
    const auto read = [&](const std::string& bytes) {
      is_warp ? static_cast<void>(warp_trace_of(bytes)) : static_cast<void>(entry_trace_of(bytes));
    };
    for (std::size_t n = 0; n < whole.size(); n += 1 + whole.size() / 1009)
      EXPECT_THROW(read(whole.substr(0, n)), Error) << n;
    EXPECT_THROW(read(whole + 'x'), Error);
  }
}

TEST(EngineMessages, ATraceThatPointsElsewhereIsRefused) {
  WarpTrace t;
  t.sites.resize(1), t.lines.resize(1);
  t.steps.resize(1), t.steps_in_all = 1;
  EXPECT_NO_THROW(warp_trace_of(pack(t)));
  WarpTrace site = t, array = t, line = t;
  site.steps[0].site = 1;
  array.steps[0].array = 0;
  line.steps[0].lines = 1;
  for (const WarpTrace& wrong : {site, array, line}) EXPECT_THROW(warp_trace_of(pack(wrong)), Error);
}

TEST(EngineMessages, DevicesArriveAsTheyAre) {
  const Hello hello{"0.1.0 (abc)", "gpubox", make_catalog(assets()).devices};
  const Hello there = hello_of(pack(hello), protocol);
  EXPECT_EQ(pack(there), pack(hello));
  EXPECT_EQ(there.devices.back().spec.sources, hello.devices.back().spec.sources);
  // Of another protocol only the version is understood.
  EXPECT_EQ(hello_of(pack(hello), protocol + 1).program, "0.1.0 (abc)");
  EXPECT_TRUE(hello_of(pack(hello), protocol + 1).devices.empty());
}

}  // namespace
}  // namespace warpspy::wire
