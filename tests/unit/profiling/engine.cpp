#include "profiling/engine/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "core/generate/generate.hpp"
#include "core/model/roofline.hpp"
#include "core/run/check_words.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/reference.hpp"
#include "profiling/timing/timing.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

// A matrix with `rows` rows of length(row), columns spread by a step that visits all of them.
Matrix matrix_of(index_t rows, index_t cols, const std::function<index_t(index_t)>& length, bool complex = false) {
  std::vector<index_t> row_ptr = {0};
  std::vector<std::int32_t> columns;
  std::vector<double> values, imag;
  for (index_t row = 0; row < rows; ++row) {
    const index_t n = std::min(length(row), cols);
    const index_t first = n < cols ? row * 7 % (cols - n) : 0;
    for (index_t k = 0; k < n; ++k) {
      columns.push_back(static_cast<std::int32_t>(first + k));
      values.push_back(std::sin(static_cast<double>(columns.size())));
      if (complex) imag.push_back(0.5);
    }
    row_ptr.push_back(static_cast<index_t>(columns.size()));
  }
  Matrix m;
  m.csr = std::make_shared<const Csr>(rows, cols, row_ptr, Indices(columns), values, imag);
  m.source.name = "test";
  return m;
}

RunRequest request(const std::string& kernel, const std::string& device = "sim:h200") {
  RunRequest r;
  r.kernel = kernel;
  r.device = device;
  r.depth = Depth::whole;
  return r;
}

// PKT holds symmetric patterns, LMA what was assembled from elements.
bool holds(const KernelRow& kernel, const Matrix& m) {
  if (kernel.info.format.empty()) return true;
  try {
    format_row(kernel.info.format).estimate(FormatFacts(m), Precision::f32, {});
    return true;
  } catch (const Error&) {
    return false;
  }
}

class EngineTest : public testing::Test {
 protected:
  RunRecord run(const RunRequest& r, const Matrix& m) {
    Progress progress;
    return engine_->run(r, m, progress);
  }
  std::unique_ptr<Engine> engine_ = make_engine(assets);
};

// Of the kernel's format: values and, at most, an index each.
double padding_bytes(const KernelRow& kernel, const Matrix& m, Precision p) {
  if (kernel.info.format.empty()) return 0;
  const FormatRow& row = format_row(kernel.info.format);
  const Estimate e = row.estimate(FormatFacts(m), p, checked_params(row.info.params, {}));
  return static_cast<double>(e.padding) * (bytes_of(p) + (e.bytes(ArraySize::Kind::indices) > 0 ? 4 : 0));
}

// A long row among short ones: ELL is almost only padding, whose columns are read to learn that nothing is there.
TEST_F(EngineTest, PaddingIsToldApartFromEntries) {
  const Matrix m = matrix_of(640, 640, [](index_t row) { return row == 7 ? 100 : 2; });
  const auto traffic = [&](const RunRecord& r, const char* array) {
    for (const Traffic& t : r.arrays)
      if (t.name == array) return t;
    ADD_FAILURE() << array;
    return Traffic{};
  };
  RunRequest ell = request("ell");
  ell.cache_state = CacheState::cold;
  const RunRecord padded = run(ell, m);
  ASSERT_EQ(padded.status, RunStatus::ok) << padded.error;
  const double slots = 640 * 100, entries = static_cast<double>(m.csr->nnz());
  EXPECT_DOUBLE_EQ(traffic(padded, "columns").bytes_used, 4 * slots);
  EXPECT_DOUBLE_EQ(traffic(padded, "columns").bytes_padding, 4 * (slots - entries));
  EXPECT_DOUBLE_EQ(traffic(padded, "values").bytes_padding, 0) << "a column of -1 says that there is no value to read";
  EXPECT_LE(padded.minimum_bytes.value, *padded.counter("dram_bytes")->value);
  ell.format_params["row_lengths"] = 1;
  const RunRecord kept = run(ell, m);
  ASSERT_EQ(kept.status, RunStatus::ok) << kept.error;
  EXPECT_DOUBLE_EQ(traffic(kept, "columns").bytes_padding, 0);
  EXPECT_LT(kept.minimum_bytes.value, padded.minimum_bytes.value / 5);
  const RunRecord csr = run(request("csr_vector"), m);
  for (const Traffic& t : csr.arrays) EXPECT_EQ(t.bytes_padding, 0) << t.name;
}

// Steinberger et al. 2016: whoever has CSR and wants one product with the transpose pays for all of it.
TEST_F(EngineTest, ATransposedProductTellsWhatASingleOneCosts) {
  const Matrix m = matrix_of(300, 900, [](index_t row) { return 3 + row % 9; });
  struct Case {
    const char* kernel;
    bool converts, prepares;
  };
  for (const Case& c : {Case{"csr_transposed", false, false},
                        {"csc_transposed", true, false},
                        {"coo_transposed", true, false},
                        {"csr_striped_transposed", false, true}}) {
    const RunRecord r = run(request(c.kernel), m);
    ASSERT_EQ(r.status, RunStatus::ok) << r.error;
    const Quantity *total = r.detail("total"), *conversion = r.detail("conversion"), *setup = r.detail("setup");
    ASSERT_TRUE(total && conversion) << c.kernel;
    EXPECT_EQ(setup != nullptr, c.prepares) << c.kernel;
    EXPECT_DOUBLE_EQ(total->value, r.time.value + (c.converts ? conversion->value : 0) + (setup ? setup->value : 0))
        << c.kernel;
    EXPECT_EQ(total->unit, "us");
    EXPECT_EQ(total->provenance, Provenance::derived) << "of the model's time and this machine's";
    EXPECT_EQ(record_from_json(to_json(r)).detail("total")->value, total->value);
  }
  EXPECT_EQ(run(request("csr_vector"), m).detail("total"), nullptr);
}

TEST_F(EngineTest, ProductsOverlapWhereTheGpuCan) {
  const Matrix m = matrix_of(3000, 3000, [](index_t) { return 5; });
  for (const char* device : {"sim:v100", "sim:h200"}) {
    const bool can = std::string(device) == "sim:h200";
    RunRequest r = request("csr_packs", device);
    const RunRecord in_order = run(r, m);
    r.params = {{"overlap", 1}};
    const RunRecord overlapping = run(r, m);
    ASSERT_EQ(overlapping.status, RunStatus::ok) << overlapping.error;
    EXPECT_EQ(overlapping.time.value < in_order.time.value, can) << device;
    const auto told = [](const std::string& n) { return n.find("one after another") != std::string::npos; };
    EXPECT_EQ(std::any_of(overlapping.notes.begin(), overlapping.notes.end(), told), !can) << device;
  }
}

TEST_F(EngineTest, L2KeepsAShareWhereTheGpuIsAsked) {
  const Matrix m = matrix_of(3000, 3000, [](index_t) { return 5; });
  for (const char* device : {"sim:v100", "sim:h200"}) {
    const bool can = std::string(device) == "sim:h200";
    RunRequest r = request("csr_vector", device);
    const RunRecord plain = run(r, m);
    r.params["matrix_cache"] = static_cast<double>(simt::CachePolicy::evict_last_quarter);
    const RunRecord kept = run(r, m);
    ASSERT_EQ(kept.status, RunStatus::ok) << kept.error;
    if (!can) {
      EXPECT_EQ(kept.time.value, plain.time.value) << device;
    }
    const auto told = [](const std::string& n) { return n.find("loads are plain") != std::string::npos; };
    EXPECT_EQ(std::any_of(kept.notes.begin(), kept.notes.end(), told), !can) << device;
  }
}

TEST_F(EngineTest, EveryKernelOnEveryGpuIsRight) {
  std::map<std::string, int> refused;
  Progress progress;
  const Matrix elements = generate("fem_quad?nx=12&ny=10", progress);
  const Matrix matrices[] = {
      matrix_of(1000, 1000, [](index_t) { return 5; }),
      matrix_of(300, 5000, [](index_t row) { return row % 3 ? row % 40 : 0; }),  // empty rows
      matrix_of(200, 64, [](index_t row) { return row == 50 ? 64 : 1; }),        // one full row
      matrix_of(1, 1, [](index_t) { return 1; }),
      elements,
  };
  const Catalog catalog = make_catalog(assets);
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate) continue;
    const Operation o = kernel.info.operation;
    for (const DeviceInfo& device : catalog.devices) {
      if (!device.simulated) continue;
      for (const Matrix& m : matrices)
        for (const Precision p : {Precision::f32, Precision::f64}) {
          if (!holds(kernel, m)) continue;
          // What is computed does not depend on the GPU: one of them sees both precisions, and formats that are almost
          // only padding.
          const bool mostly_padding = padding_bytes(kernel, m, p) > 80.0 * static_cast<double>(m.csr->nnz());
          if (device.id != "sim:h200" && (p == Precision::f64 || mostly_padding)) continue;
          RunRequest r = request(kernel.info.id, device.id);
          r.precision = p;
          r.cache_state = CacheState::cold;
          const RunRecord record = run(r, m);
          SCOPED_TRACE(kernel.info.id + " on " + device.id + " " + name_of(p));
          // Defaults are for today's GPUs: older ones have smaller blocks and less shared memory, and say so.
          if (record.status == RunStatus::failed && device.id != "sim:h200") {
            EXPECT_NE(record.error.find("does not fit " + device.spec.name), std::string::npos) << record.error;
            ++refused[kernel.info.id];
            continue;
          }
          ASSERT_EQ(record.status, RunStatus::ok) << record.error;
          EXPECT_EQ(record.provenance, Provenance::modelled);
          EXPECT_TRUE(record.check->passed);
          EXPECT_EQ(record.check->rows_checked, output_size(o, m.csr->rows(), m.csr->cols()));
          EXPECT_GT(record.time.value, device.spec.launch_us);
          const index_t pairs = o == Operation::axpy ? m.csr->cols() : record.nnz;
          EXPECT_NEAR(record.gflops.value, 2e-3 * static_cast<double>(pairs) / record.time.value, 1e-9);
          // Cold caches: nothing moves fewer bytes than each array once, but for y, which may be in L2 still.
          if (&m == &matrices[0]) {
            const double y = static_cast<double>(record.check->rows_checked) * bytes_of(p);
            EXPECT_GE(*record.counter("dram_bytes")->value, 0.98 * (record.minimum_bytes.value - y));
          }
          EXPECT_EQ(record.sampled_share, 1);
          EXPECT_EQ(to_json(record_from_json(to_json(record))), to_json(record));
          for (const auto& point : roofline_points(record, roofs_of(device.spec, p)))
            EXPECT_LE(point.gflops, point.roof_gflops * 1.001) << point.limit;  // the model never beats its own roofs
        }
    }
  }
  // Those whose blocks are made for much shared memory.
  const std::set<std::string> large{
      "csr_striped",       "csr_striped_transposed", "csr_even_transposed",        "csr_slots",
      "csr_compact_slots", "csr_even_striped",       "csr_even_striped_transposed"};
  for (const auto& [id, times] : refused) EXPECT_TRUE(large.contains(id)) << id << " " << times;
}

TEST_F(EngineTest, FailedRunsSayWhy) {
  const Matrix m = matrix_of(100, 100, [](index_t) { return 3; });
  const auto error = [&](RunRequest r) {
    const RunRecord record = run(r, m);
    EXPECT_EQ(record.status, RunStatus::failed);
    EXPECT_FALSE(record.check.has_value());
    return record.error;
  };
  EXPECT_NE(error(request("csr_magic")).find("csr_magic"), std::string::npos);
  EXPECT_NE(error(request("csr_scalar", "sim:h300")).find("known: auto"), std::string::npos);
  EXPECT_NE(error(request("csr_scalar", "cuda:99")).find("cuda:99"), std::string::npos);
  RunRequest bad = request("csr_vector");
  bad.params["coop"] = 5;
  EXPECT_NE(error(bad).find("coop = 5"), std::string::npos);
  bad.params = {{"colour", 1}};
  EXPECT_NE(error(bad).find("unknown parameter colour"), std::string::npos);
  bad = request("csr_vector");
  bad.budget_s = 0;
  EXPECT_NE(error(bad).find("budget"), std::string::npos);
  const RunRecord none = run(request("csr_vector"), Matrix{});
  EXPECT_EQ(none.error.rfind("no matrix is open", 0), 0u);
}

TEST_F(EngineTest, AFormatThatDoesNotFitIsRefusedWithOneThatDoes) {
  // ELLPACK pads 300000 rows to one row of 300000: 720 GB.
  const Matrix m = matrix_of(300000, 300000, [](index_t row) { return row == 0 ? 300000 : 1; });
  const RunRecord r = run(request("ell"), m);
  EXPECT_EQ(r.status, RunStatus::failed);
  EXPECT_NE(r.error.find("GB"), std::string::npos) << r.error;
  EXPECT_NE(r.error.find("memory of"), std::string::npos) << r.error;
  EXPECT_NE(r.error.find("csr (6.0 MB)"), std::string::npos) << r.error;
}

TEST_F(EngineTest, CancelledBeforeAndDuring) {
  const Matrix m = matrix_of(20000, 20000, [](index_t) { return 30; });
  Progress before;
  before.cancel();
  EXPECT_EQ(engine_->run(request("csr_vector"), m, before).status, RunStatus::cancelled);
  Progress during;
  std::thread other([&] {
    while (during.stage() != "emulating") std::this_thread::yield();
    during.cancel();
  });
  EXPECT_EQ(engine_->run(request("csr_vector"), m, during).status, RunStatus::cancelled);
  other.join();
  EXPECT_EQ(run(request("csr_vector"), m).status, RunStatus::ok);  // and the engine is none the worse
}

TEST_F(EngineTest, ComplexMatricesRunOnAView) {
  const Matrix m = matrix_of(100, 100, [](index_t) { return 4; }, true);
  RunRequest r = request("csr_scalar");
  RunRecord real = run(r, m);
  r.view = RealView::modulus;
  RunRecord modulus = run(r, m);
  ASSERT_EQ(real.status, RunStatus::ok) << real.error;
  ASSERT_EQ(modulus.status, RunStatus::ok) << modulus.error;
  EXPECT_NE(real.notes.at(0).find("real parts"), std::string::npos);
  EXPECT_NE(modulus.notes.at(0).find("moduli"), std::string::npos);
}

TEST_F(EngineTest, SamplesSaySoAndCheckTheirRows) {
  constexpr index_t rows = 100000;
  const Matrix m = matrix_of(rows, rows, [](index_t) { return 9; });
  RunRequest r = request("csr_vector");
  r.params["coop"] = 32;
  r.cache_state = CacheState::cold;  // warm, all of it would stay in L2, and no ratio of DRAM bytes be known
  const RunRecord all = run(r, m);
  r.depth = Depth::quick;
  const RunRecord some = run(r, m);
  ASSERT_EQ(some.status, RunStatus::ok) << some.error;
  ASSERT_LT(some.sampled_share, 1);
  EXPECT_NE(some.notes.at(0).find("of the blocks ran"), std::string::npos);
  EXPECT_NEAR(static_cast<double>(some.check->rows_checked), some.sampled_share * rows, 64);
  // A band of equal rows: any sample tells the whole.
  for (const char* id : {"requests", "sectors", "l2_bytes", "dram_bytes", "l1_hit_rate", "active_lanes"})
    EXPECT_NEAR(*some.counter(id)->value / *all.counter(id)->value, 1, 0.03) << id;
  EXPECT_NEAR(some.time.value / all.time.value, 1, 0.1);
}

TEST_F(EngineTest, SamplesInsideBlocksSaySoAndCheckNothing) {
  const Matrix m = matrix_of(4096, 4096, [](index_t) { return 2800; });
  RunRequest r = request("csr_scalar");
  r.params["block_size"] = 1024;
  r.depth = Depth::quick;  // less than such a block, and twice as much are not two of them
  const RunRecord some = run(r, m);
  ASSERT_EQ(some.status, RunStatus::ok) << some.error;
  EXPECT_NE(some.notes.at(0).find("each alone on its SM, and only 4 of their 32 warps: the share is of warps"),
            std::string::npos)
      << some.notes[0];
  EXPECT_NE(some.notes.at(0).find("no row is checked"), std::string::npos);
  EXPECT_FALSE(some.check);
  EXPECT_EQ(check_text(some), "not checked, because blocks did not run whole");
  EXPECT_NE(to_json(some).find("\"passed\": null"), std::string::npos);
  r.depth = Depth::whole;
  EXPECT_NEAR(*some.counter("requests")->value / *run(r, m).counter("requests")->value, 1, 0.03);
}

// Two threads keep every core busy meanwhile: nothing that a modelled run says depends on how long it takes.
TEST_F(EngineTest, OneRequestGivesTheSameBytesUnderAnyLoad) {
  const Matrix m = matrix_of(60000, 60000, [](index_t row) { return row % 97 == 0 ? 400 : 3; });
  const auto told = [&](const std::string& kernel, Depth depth) {
    RunRequest r = request(kernel);
    r.depth = depth;
    RunRecord record = run(r, m);
    EXPECT_EQ(record.status, RunStatus::ok) << record.error;
    record.started.clear();
    std::erase_if(record.details, [](const Detail& d) { return d.quantity.provenance != Provenance::modelled; });
    return to_json(record);
  };
  for (const char* kernel : {"csr_scalar", "csr_vector", "csr_merge", "hyb", "csr_striped_transposed"})
    for (const Depth depth : {Depth::quick, Depth::medium}) {
      const std::string idle = told(kernel, depth);
      std::atomic<bool> stop = false;
      std::vector<std::jthread> load;
      for (unsigned i = 0; i < 2 * std::max(1u, std::thread::hardware_concurrency()); ++i)
        load.emplace_back([&stop] {
          while (!stop) {
          }
        });
      EXPECT_EQ(told(kernel, depth), idle) << kernel << " " << name_of(depth);
      stop = true;
    }
}

// What a window shows at once, and what takes its place.
TEST_F(EngineTest, AQuickAnswerComesFirstWhereItIsNotTheWhole) {
  const Matrix m = matrix_of(60000, 60000, [](index_t) { return 30; });
  RunRequest r = request("csr_vector");
  r.depth = Depth::full;
  std::vector<RunRecord> early;
  Progress progress;
  const RunRecord last = engine_->run(r, m, progress, [&](const RunRecord& e) { early.push_back(e); });
  ASSERT_EQ(early.size(), 1u);
  EXPECT_TRUE(early[0].may_be_refined());
  EXPECT_EQ(early[0].request.depth, Depth::quick);
  EXPECT_LT(early[0].sampled_share, last.sampled_share);
  EXPECT_FALSE(last.may_be_refined());
  EXPECT_EQ(last.request.depth, Depth::full);
  // A product that a quick answer runs whole has one answer.
  early.clear();
  const RunRecord small = engine_->run(r, matrix_of(100, 100, [](index_t) { return 3; }), progress,
                                       [&](const RunRecord& e) { early.push_back(e); });
  EXPECT_TRUE(early.empty());
  EXPECT_EQ(small.request.depth, Depth::full);
  EXPECT_EQ(small.sampled_share, 1);
}

// PKT on memplus: a quick sample of its packets is all of them, and the launch behind them adds to what they stored.
TEST_F(EngineTest, ASampleOfAllBlocksIsTheWhole) {
  Progress progress;
  const Matrix m = generate("like?name=memplus", progress);
  int whole = 0;
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate || !holds(kernel, m)) continue;
    RunRequest r = request(kernel.info.id);
    r.cache_state = CacheState::cold;
    r.depth = Depth::quick;
    const RunRecord quick = run(r, m);
    ASSERT_EQ(quick.status, RunStatus::ok) << r.kernel << ": " << quick.error;
    if (quick.sampled_share < 1) continue;
    ++whole;
    r.depth = Depth::whole;
    const RunRecord all = run(r, m);
    EXPECT_EQ(quick.time.value, all.time.value) << r.kernel;
    for (const Counter& c : all.counters) EXPECT_EQ(quick.counter(c.id)->value, c.value) << r.kernel << " " << c.id;
  }
  EXPECT_GT(whole, 10);
}

TEST_F(EngineTest, EmptyMatrices) {
  for (const auto& [rows, cols] : {std::pair<index_t, index_t>{0, 0}, {0, 5}, {5, 0}, {5, 5}}) {
    const Matrix m = matrix_of(rows, cols, [](index_t) { return 0; });
    for (const KernelRow& kernel : kernels()) {
      if (!kernel.emulate || !holds(kernel, m)) continue;
      const RunRecord r = run(request(kernel.info.id), m);
      EXPECT_EQ(r.status, RunStatus::ok) << kernel.info.id << " " << rows << "x" << cols << ": " << r.error;
      EXPECT_EQ(r.gflops.value > 0, kernel.info.operation == Operation::axpy && cols > 0);
    }
  }
}

TEST(Devices, AutoFallsBackInOneLine) {
  const auto devices = all_devices(assets);
  EXPECT_EQ(devices.front().id, "cuda:0");
  const Chosen chosen = choose_device("auto", devices);
  if (devices.front().available) {
    EXPECT_EQ(chosen.device->id, "cuda:0");
    EXPECT_TRUE(chosen.note.empty());
    return;
  }
  EXPECT_EQ(chosen.device->id, "sim:h200");
  EXPECT_NE(chosen.note.find("instead"), std::string::npos);
  EXPECT_EQ(chosen.note.find('\n'), std::string::npos);
  EXPECT_THROW(choose_device("cuda", devices), Error);
}

TEST(Catalog, ListsEverything) {
  const Catalog c = make_catalog(assets);
  EXPECT_EQ(c.kernels.size(), kernels().size());
  EXPECT_NE(c.format("csr"), nullptr);
  EXPECT_NE(c.metric("dram_bytes"), nullptr);
  EXPECT_NE(c.device("sim:gtx280"), nullptr);
  EXPECT_NE(c.device("sim:h200")->counters.find("dram_bytes"), std::string::npos);
  EXPECT_EQ(c.notices.empty(), c.devices.front().available && c.devices.front().access.open);
  ASSERT_EQ(c.libraries.size(), 2u);
  EXPECT_EQ(c.libraries[1].name, "CUPTI");
  EXPECT_EQ(c.libraries[0].name, "cuSPARSE");
  EXPECT_EQ(c.libraries[0].available, c.libraries[0].reason.empty());
  // The vendor's kernels are listed everywhere, and say where they cannot run.
  const DeviceInfo& simulated = *c.device("sim:h200");
  EXPECT_EQ(c.why_not(*c.kernel("csr_vector"), simulated), "");
  EXPECT_NE(c.why_not(*c.kernel("cusparse_coo"), simulated).find("cannot be emulated"), std::string::npos);
}

TEST(Reference, CheckFindsTheOneWrongRow) {
  const Matrix m = matrix_of(50, 50, [](index_t row) { return row; });
  Progress progress;
  const auto x = input_vector(50, 3, Precision::f64);
  const Reference ref = reference_product(*m.csr, {.operation = Operation::product, .x = x, .y = {}},
                                          RealView::real_part, Precision::f64, progress);
  std::vector<double> y(ref.y.begin(), ref.y.end());
  const RowRange all{0, 50};
  EXPECT_TRUE(check_result(ref, y, {&all, 1}, Precision::f64).passed);
  y[31] += 1e-9;
  const ErrorCheck wrong = check_result(ref, y, {&all, 1}, Precision::f64);
  EXPECT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.worst_row, 31);
  EXPECT_NEAR(wrong.max_abs, 1e-9, 1e-13);
  y[31] = std::nan("");
  EXPECT_FALSE(check_result(ref, y, {&all, 1}, Precision::f64).passed);
  const RowRange others{0, 31};
  EXPECT_TRUE(check_result(ref, y, {&others, 1}, Precision::f64).passed);
  y[0] = 1e-300;  // the empty row must be exactly 0
  EXPECT_FALSE(check_result(ref, y, {&others, 1}, Precision::f64).passed);
}

TEST(Reference, InputIsSeededAndRounded) {
  EXPECT_EQ(input_vector(100, 5, Precision::f64), input_vector(100, 5, Precision::f64));
  EXPECT_NE(input_vector(100, 5, Precision::f64), input_vector(100, 6, Precision::f64));
  double sum = 0;
  for (const double v : input_vector(10000, 5, Precision::f32)) {
    EXPECT_EQ(v, static_cast<double>(static_cast<float>(v)));
    EXPECT_LE(std::fabs(v), 1);
    sum += v;
  }
  EXPECT_LT(std::fabs(sum / 10000), 0.03);
}

TEST(Timing, Median) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

}  // namespace
}  // namespace warpspy
