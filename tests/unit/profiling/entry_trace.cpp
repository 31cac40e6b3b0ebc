// Who reads which entry: every product kernel of the list, followed back to the entries of small matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/formats/format.hpp"
#include "core/generate/generate.hpp"
#include "core/plot/pattern_shades.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/paths.hpp"

using namespace warpspy;

namespace {

Matrix made(const std::string& spec) {
  Progress progress;
  return generate(spec, progress);
}

EntryTrace traced(const Matrix& m, const std::string& kernel, ParamSet params = {}, ParamSet format = {}) {
  static const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets");
  RunRequest r;
  r.kernel = kernel;
  r.device = "sim:h200";
  r.params = std::move(params);
  r.format_params = std::move(format);
  Progress progress;
  return engine->trace_entries(r, m, 0, m.csr->rows(), progress);
}

bool reads_matrix(const KernelRow& k) { return k.emulate && !k.info.format.empty(); }

// Slots of a part come in storage order: what follows them back to entries goes by that.
TEST(EntryTrace, SlotsOfAPartComeInOrder) {
  const Matrix m = made("gen:laplace9?nx=6&ny=6");
  for (const FormatRow& row : formats()) {
    Progress progress;
    std::shared_ptr<const Format> f;
    try {
      f = row.build(FormatFacts(m), Precision::f32, RealView::real_part, {}, progress);
    } catch (const Error&) {
      continue;  // PKT and LMA do not take every matrix
    }
    std::pair<int, index_t> last = {-1, -1};
    f->for_each_slot([&](const Slot& s) {
      const std::pair<int, index_t> now = {s.part, s.position};
      EXPECT_LT(last, now) << row.info.id;
      last = now;
    });
  }
}

TEST(EntryTrace, EveryEntryOfEveryKernelHasAnOwner) {
  const Matrix m = made("gen:powerlaw?rows=300");
  for (const KernelRow& k : kernels()) {
    if (!reads_matrix(k)) continue;
    EntryTrace t;
    try {
      t = traced(m, k.info.id);
    } catch (const Error& e) {
      continue;  // PKT and LMA do not take every matrix
    }
    ASSERT_EQ(t.entries.size(), static_cast<std::size_t>(m.csr->nnz())) << k.info.id;
    const auto ran = std::count_if(t.entries.begin(), t.entries.end(), [](const EntryRead& e) { return e.ran(); });
    if (t.notes.empty()) {
      EXPECT_EQ(ran, m.csr->nnz()) << k.info.id;
    }
    for (std::size_t i = 0; i < t.entries.size(); ++i) ASSERT_EQ(t.entries[i].position, static_cast<index_t>(i));
    EXPECT_EQ(t.share, 1) << k.info.id;
    for (const plot::PatternShade& s : plot::pattern_shades())
      for (const EntryRead& e : t.entries) {
        const double v = s.value(t, e);
        ASSERT_FALSE(s.classes > 0 && v >= s.classes) << s.id;
      }
  }
}

// One thread per row: row r is read by thread r, and its k-th entry beside those of its neighbours.
TEST(EntryTrace, CsrScalarGivesEachRowToALane) {
  const Matrix m = made("gen:laplace5?nx=40&ny=20");
  const EntryTrace t = traced(m, "csr_scalar", {{"block_size", 128}});
  for (index_t row = 0; row < m.csr->rows(); ++row)
    for (index_t k = m.csr->row_ptr()[row]; k < m.csr->row_ptr()[row + 1]; ++k) {
      const EntryRead* e = t.find(k);
      ASSERT_TRUE(e);
      EXPECT_EQ(e->block, row / 128);
      EXPECT_EQ(e->warp, row % 128 / 32);
      EXPECT_EQ(e->lane, row % 32);
      EXPECT_GT(e->x_lanes, 0);
      EXPECT_NE(e->x, XSource::unknown);
    }
  // Every sector of x is touched for the first time by somebody, and read again by others.
  std::set<XSource> sources;
  for (const EntryRead& e : t.entries) sources.insert(e.x);
  EXPECT_TRUE(sources.contains(XSource::dram_first));
  EXPECT_TRUE(sources.contains(XSource::l1));
}

// A diagonal matrix: 32 lanes ask for 32 neighbouring floats, which lie in four sectors.
TEST(EntryTrace, SectorsOfARequest) {
  Coo coo;
  coo.rows = coo.cols = 64;
  coo.row = coo.col = Indices::sized(64, 64);
  for (auto* i : {&coo.row, &coo.col})
    i->visit_mut([](auto v) {
      for (std::size_t k = 0; k < v.size(); ++k) v[k] = static_cast<typename decltype(v)::value_type>(k);
    });
  coo.values.assign(64, 1);
  Matrix m;
  m.csr = std::make_shared<const Csr>(csr_from_coo(std::move(coo)));
  for (const EntryRead& e : traced(m, "csr_scalar").entries) {
    EXPECT_EQ(e.x_sectors, 4);
    EXPECT_EQ(e.x_lanes, 32);
    EXPECT_EQ(e.value_sectors, 4);
    EXPECT_EQ(e.x, XSource::dram_first);
  }
}

TEST(EntryTrace, HybridTellsItsParts) {
  const Matrix m = made("gen:powerlaw?rows=300");
  const EntryTrace t = traced(m, "hyb");
  ASSERT_EQ(t.parts.size(), 2u);
  EXPECT_EQ(t.parts[0].name, "ELL");
  EXPECT_EQ(t.parts[1].name, "COO");
  std::map<int, int> entries;
  for (const EntryRead& e : t.entries) ++entries[e.part];
  EXPECT_GT(entries[0], 0);
  EXPECT_GT(entries[1], 0);
  EXPECT_FLOAT_EQ(t.parts[1].padding.at(0), 0);
  const EntryTrace s = traced(m, "sell");
  EXPECT_EQ(s.parts.at(0).group, "slice");
  EXPECT_GT(s.parts.at(0).padding.size(), 1u);
}

// A sample says so, and entries of blocks that did not run are told as such where all entries are told.
TEST(EntryTrace, ASampleIsSpreadOverTheRows) {
  const Matrix m = made("gen:laplace5?nx=2300&ny=1000");
  const EntryTrace t = traced(m, "csr_scalar");
  EXPECT_LT(t.share, 1);
  ASSERT_FALSE(t.notes.empty());
  ASSERT_FALSE(t.entries.empty());
  EXPECT_LT(t.entries.front().position, m.csr->nnz() / 20);
  EXPECT_GT(t.entries.back().position, m.csr->nnz() * 19 / 20);
  static const auto engine = make_engine(WARPSPY_SOURCE_DIR "/assets");
  RunRequest r;
  r.kernel = "csr_scalar";
  r.device = "sim:h200";
  Progress progress;
  const EntryTrace part = engine->trace_entries(r, m, 1000000, 1000100, progress);
  EXPECT_EQ(part.share, 1);
  for (index_t row = 1000000; row < 1000100; ++row) {
    const EntryRead* e = part.find(m.csr->row_ptr()[row]);
    ASSERT_TRUE(e);
    EXPECT_TRUE(e->ran());
  }
}

}  // namespace
