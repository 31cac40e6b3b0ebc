#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/solve_launches.hpp"

namespace warpspy::plot::samples {
namespace {

// Knuth's MMIX generator: enough disorder for a picture.
struct Dice {
  std::uint64_t state;
  std::uint64_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
  }
  index_t below(index_t n) { return static_cast<index_t>(next() % static_cast<std::uint64_t>(n)); }
};

struct Entries {
  std::vector<std::int32_t> row, col;
  void add(index_t r, index_t c) {
    row.push_back(static_cast<std::int32_t>(r)), col.push_back(static_cast<std::int32_t>(c));
  }
  Matrix matrix(index_t rows, index_t cols, const char* name) {
    Coo coo;
    coo.rows = rows, coo.cols = cols;
    coo.values.assign(row.size(), 1.0);
    coo.row = Indices(std::move(row)), coo.col = Indices(std::move(col));
    Matrix m;
    m.csr = std::make_shared<const Csr>(csr_from_coo(std::move(coo)));
    m.source.name = name;
    return m;
  }
};

}  // namespace

Matrix power_law(index_t rows) {
  Dice dice{7};
  Entries e;
  for (index_t r = 0; r < rows; ++r) {
    // Lengths 0..600: halve the chance for every doubling of the length.
    index_t length = dice.below(40) == 0 ? 0 : 1;
    while (length > 0 && length < 600 && dice.below(10) < 6) length = length * 3 / 2 + 1;
    if (length > 3) length += dice.below(length / 2 + 1);
    for (index_t k = 0; k < std::min(length, rows / 2); ++k) {
      const index_t near = r + dice.below(2 * length + 1) - length, far = dice.below(dice.below(rows) + 1);
      e.add(r, std::clamp<index_t>(dice.below(3) == 0 ? far : near, 0, rows - 1));
    }
  }
  return e.matrix(rows, rows, "webgraph");
}

Matrix stencil(index_t n) {
  Entries e;
  for (index_t y = 0; y < n; ++y)
    for (index_t x = 0; x < n; ++x) {
      const index_t r = y * n + x;
      e.add(r, r);
      if (x > 0) e.add(r, r - 1);
      if (x + 1 < n) e.add(r, r + 1);
      if (y > 0) e.add(r, r - n);
      if (y + 1 < n) e.add(r, r + n);
    }
  return e.matrix(n * n, n * n, "laplace5");
}

MeshPoints grid_points(index_t nx, index_t ny) {
  MeshPoints points;
  for (index_t k = 0; k < nx * ny; ++k) {
    points.x.push_back(static_cast<double>(k % nx));
    points.y.push_back(static_cast<double>(k / nx));
  }
  return points;
}

Matrix empty(index_t rows, index_t cols) { return Entries{}.matrix(rows, cols, "empty"); }

std::vector<Roof> h200_roofs(Provenance provenance) {
  return {{Level::l1, "L1 33454 GB/s", 33454, provenance, "test"},
          {Level::l2, "L2 9500 GB/s", 9500, provenance, "test"},
          {Level::dram, "DRAM 4800 GB/s", 4800, provenance, "test"},
          {Level::compute, "f64 peak 33500 GFLOP/s", 33500, provenance, "test"}};
}

MeasuredRoofs measured_roofs() {
  MeasuredRoofs m{"NVIDIA H200", "GPU-1", "13.0", "2026-11-20T12:00:00Z", 1980, 3201, {}, {}};
  m.figures = {{"dram_read", 4400, 0.002, "16-byte loads"}};
  for (double mb : {2., 4., 8., 16., 25., 31., 38., 44., 50., 57., 63., 70., 100., 190., 500.})
    m.curve.push_back({mb * 1e6, mb < 40 ? 9600 - 10 * mb : mb < 60 ? 9200 - 230 * (mb - 40) : 4450});
  return m;
}

std::shared_ptr<const RunRecord> run(std::uint64_t id, const char* kernel, const ParamSet& params, double time_us,
                                     double dram_bytes, double l2_bytes, double l1_bytes, Provenance provenance) {
  RunRecord r;
  r.id = id;
  r.status = RunStatus::ok;
  r.matrix_name = "cant";
  r.rows = r.cols = 62451;
  r.nnz = 4007383;
  r.kernel_label = r.request.kernel = kernel;
  r.request.params = params;
  r.request.precision = Precision::f64;
  r.format = "csr";
  r.device = "sim:h200", r.device_name = "NVIDIA H200";
  r.provenance = provenance;
  r.time = {time_us, "us", provenance};
  r.gflops = {2e-3 * static_cast<double>(r.nnz) / time_us, "GFLOP/s", provenance};
  const auto add = [&](const char* name, double bytes) {
    Counter c;
    c.id = std::string(name), c.value = bytes, c.unit = std::string("B"), c.provenance = provenance;
    r.counters.push_back(c);
  };
  add("dram_bytes", dram_bytes), add("l2_bytes", l2_bytes), add("l1_bytes", l1_bytes);
  return std::make_shared<const RunRecord>(std::move(r));
}

std::vector<std::shared_ptr<const RunRecord>> five_runs(Provenance provenance) {
  return {run(1, "csr_scalar", {{"block_size", 128}}, 86, 62e6, 240e6, 410e6, provenance),
          run(2, "csr_vector", {{"block_size", 128}, {"coop", 4}}, 27, 51e6, 83e6, 150e6, provenance),
          run(3, "csr_vector", {{"block_size", 128}, {"coop", 16}}, 17.5, 50e6, 64e6, 97e6, provenance),
          run(4, "csr_vector", {{"block_size", 128}, {"coop", 32}}, 19.2, 50e6, 61e6, 92e6, provenance),
          run(5, "ell", {{"block_size", 256}}, 21, 59e6, 71e6, 118e6, provenance)};
}

std::vector<std::shared_ptr<const RunRecord>> dragged_runs() {
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (int k = 0; k < 10; ++k)
    runs.push_back(run(static_cast<std::uint64_t>(k + 1), "csr_vector", {{"block_size", 128}, {"coop", 1 << (k / 2)}},
                       90.0 / (1 + 0.5 * k), 62e6 - 1.2e6 * k, 240e6 / (1 + 0.3 * k), 410e6 / (1 + 0.35 * k)));
  return runs;
}

Matrix four_by_four() {
  Matrix m;
  m.csr = std::make_shared<const Csr>(4, 4, std::vector<index_t>{0, 2, 4, 7, 9},
                                      Indices(std::vector<std::int32_t>{0, 1, 1, 2, 0, 2, 3, 1, 3}),
                                      std::vector<double>{1, 7, 2, 8, 5, 3, 9, 6, 4});
  m.source.name = "A of Bell & Garland";
  return m;
}

Plot layout(const std::string& format, const ParamSet& params, const Theme& theme) {
  const Matrix m = four_by_four();
  const FormatRow& row = format_row(format);
  Progress progress;
  const auto built = row.build(*m.csr, Precision::f64, RealView::real_part, params, progress);
  return layout_figure(m, *built, row.info.label, theme);
}

Plot padding(const Theme& theme) {
  const Matrix m = power_law();
  const FormatFacts facts(m);
  const ParamSet params = {{"stop_rows", 1}, {"stop_share", 0}, {"depth", 3}};
  const Estimate e = format_row("hyb_r").estimate(facts, Precision::f64, params);
  return padding_figure("power law", "HYB-R", *padding_profile(facts, "hyb_r", params, e), e, theme);
}

KernelInfo tuned_kernel() {
  const auto spec = [](const char* id, const char* label, ParamSpec::Type type, double min, double max, double def) {
    ParamSpec s;
    s.id = id, s.label = label, s.type = type, s.min = min, s.max = max, s.def = def;
    return s;
  };
  return {"csr_vector",
          "CSR vector",
          "",
          "",
          "csr",
          {spec("coop", "Threads per row", ParamSpec::Type::power_of_two, 1, 32, 8),
           spec("block_size", "Block size", ParamSpec::Type::power_of_two, 32, 1024, 128),
           spec("repeat", "Rows per group", ParamSpec::Type::integer, 1, 64, 1)}};
}

TuneRecord tuning(Provenance provenance) {
  TuneRecord r;
  r.request.run.kernel = "csr_vector";
  r.request.run.precision = Precision::f64;
  r.matrix_name = "cant";
  r.device_name = "NVIDIA H200";
  r.provenance = provenance;
  r.status = RunStatus::ok;
  const auto time = [](double coop, double block, double repeat) {
    return 17.5 * (1 + 0.22 * std::fabs(std::log2(coop / 16)) + 0.04 * std::fabs(std::log2(block / 256)) +
                   0.09 * std::fabs(std::log2(repeat / 2)));
  };
  const auto add = [&](const char* strategy, int product, double coop, double block, double repeat) {
    TuneStep s;
    s.strategy = strategy, s.product = product, s.kernel = "csr_vector";
    s.params = {{"coop", coop}, {"block_size", block}, {"repeat", repeat}};
    if (coop >= 16 && repeat == 64)
      s.failure = "out of resources";
    else
      s.us = time(coop, block, repeat);
    r.steps.push_back(std::move(s));
  };
  add("default", 1, 8, 128, 1);
  const double walk[][3] = {{4, 128, 5},  {4, 128, 2},  {4, 128, 1}, {8, 256, 2},
                            {16, 256, 2}, {32, 256, 2}, {16, 512, 2}};
  int product = 0;
  for (const auto& w : walk) add("run_time", ++product, w[0], w[1], w[2]);
  product = 0;
  for (double coop = 1; coop <= 32; coop *= 2)
    for (double block = 32; block <= 1024; block *= 2)
      for (double repeat = 1; repeat <= 64; repeat *= 2)
        if (++product <= 192) add("exhaustive", product, coop, block, repeat);
  TuneOutcome o;
  o.strategy = "run_time", o.kernel = "csr_vector", o.us = time(16, 256, 2), o.products = 7, o.regret = 0;
  r.outcomes = {o};
  return r;
}

Plot tune_plane(const Theme& theme) { return tune_plane_figure(tuning(), tuned_kernel(), {}, theme); }

std::shared_ptr<const RunRecord> full_run(std::uint64_t id, Provenance provenance, bool texture, double scale) {
  RunRecord r = *run(id, "csr_vector", {{"block_size", 128}, {"coop", 16}}, 17.5, 0, 0, 0, provenance);
  r.kernel_label = "CSR vector";
  r.minimum_bytes = {49.1e6, "B", Provenance::modelled};
  r.details = {{"executed_flops", "executed flops", {8014766, "flop", Provenance::modelled}},
               {"effective_bytes", "effective bytes", {80.9e6, "B", Provenance::modelled}},
               {"caching_bytes", "caching bytes", {57.2e6, "B", Provenance::modelled}},
               {"table1_bytes", "Table 1 bytes", {80.1e6, "B", Provenance::modelled}}};
  r.counters.clear();
  const auto add = [&](const char* name, double value, const char* unit) {
    Counter c;
    c.id = std::string(name), c.value = value, c.unit = std::string(unit), c.provenance = provenance;
    r.counters.push_back(c);
  };
  const auto missing = [&](const char* name) {
    Counter c;
    c.id = std::string(name), c.reason = std::string("texture and L1 are one cache on this GPU");
    r.counters.push_back(c);
  };
  add("dram_read_bytes", 49e6 * scale, "B"), add("dram_write_bytes", 0.5e6, "B");
  add("dram_bytes", 49e6 * scale + 0.5e6, "B");
  add("l2_bytes", 64e6 * scale, "B"), add("l2_load_bytes", 63.5e6 * scale, "B"), add("l2_store_bytes", 0.5e6, "B");
  add("l1_bytes", 97e6, "B"), add("l1_load_bytes", 96.5e6, "B");
  add("l1_hit_rate", 34, "%"), add("l2_hit_rate", 23, "%"), add("active_lanes", 27, "1");
  if (texture) {
    add("texture_load_bytes", 40e6, "B"), add("texture_hit_rate", 71, "%");
    add("l2_texture_load_bytes", 11.6e6, "B"), add("l2_texture_hit_rate", 88, "%");
  } else {
    for (const char* name : {"texture_load_bytes", "texture_hit_rate", "l2_texture_load_bytes", "l2_texture_hit_rate"})
      missing(name);
  }
  return std::make_shared<const RunRecord>(std::move(r));
}

AnalysisResult analysis(const std::string& id, Provenance provenance, std::size_t kernels) {
  const AnalysisRow& row = analysis_row(id);
  AnalysisResult result;
  result.request.id = id;
  constexpr const char* names[] = {"CSR scalar", "CSR vector", "ELL", "HYB", "SELL", "JDS", "DIA", "COO"};
  const auto spec = [](const char* param) {
    ParamSpec s;
    s.id = param, s.max = 64;
    return s;
  };
  KernelInfo kernel{"k", "k", "", "", "csr", {spec("x_cache"), spec("matrix_cache"), spec("coop"), spec("stride")}};
  for (std::size_t k = 0; k < (row.sweep.empty() ? kernels : 1); ++k) {
    AnalysisSubject s;
    s.label = names[k % std::size(names)];
    s.gpu.clock_mhz = 1755, s.gpu.dram_stream_gbs = 4245;
    s.gpu.l1_latency_ns = 20, s.gpu.l2_latency_ns = 150, s.gpu.dram_latency_ns = 450;
    if (kernels > 2 && k + 1 == kernels && row.sweep.empty()) {
      s.problem = "kernel jds has no parameter x_cache";
    } else {
      for (const AnalysisRun& wanted : row.runs(kernel, {})) {
        RunRecord r = *full_run(k + 1, provenance, false, 1 + 0.15 * static_cast<double>(k));
        r.request = wanted.request;
        r.request.precision = wanted.variant.rfind("f32", 0) == 0 ? Precision::f32 : Precision::f64;
        const auto constant = [&](const char* param) {
          const auto at = wanted.request.params.find(param);
          return at != wanted.request.params.end() && at->second == 4;
        };
        double us = 17.5 * (1 + 0.3 * static_cast<double>(k));
        if (constant("x_cache")) us *= 0.62;
        if (constant("matrix_cache")) us *= 0.55;
        if (wanted.x > 0) us = 5 + (id == "stride" ? 3.0 * std::min(wanted.x, 8.0) : 12 / wanted.x + wanted.x / 4);
        r.time.value = us;
        r.gflops.value = 2e-3 * static_cast<double>(r.nnz) / us;
        for (Counter& c : r.counters) {
          if (!c.value) continue;
          if (constant("x_cache") && c.id == "l1_load_bytes") *c.value = 56e6;
          if (constant("x_cache") && c.id == "l2_load_bytes") *c.value = 49e6;
          if (constant("x_cache") && c.id == "l1_hit_rate") *c.value = 12;
          if (constant("x_cache") && c.id == "l2_hit_rate") *c.value = 4;
          if (wanted.x > 0 && c.id == "l1_hit_rate") *c.value = 60 + 6 * std::log2(wanted.x);
          if (wanted.x > 0 && c.id == "active_lanes") *c.value = 31 - 2.5 * std::log2(wanted.x);
        }
        s.runs.push_back({wanted.variant, wanted.x, std::make_shared<const RunRecord>(std::move(r))});
      }
    }
    result.subjects.push_back(std::move(s));
  }
  revalue(result);
  return result;
}

Plot memory(const Theme& theme) {
  return memory_figure({full_run(1, Provenance::measured), full_run(2, Provenance::modelled, false, 1.06)}, theme);
}

Plot roofline_counts(const Theme& theme) {
  return roofline_figure(h200_roofs(), "NVIDIA H200", {full_run(1, Provenance::modelled)}, {}, theme);
}

RunGrid many_runs() {
  RunGrid g;
  g.matrices = {"cant",     "pwtk",     "cop20k_A", "webbase-1M",
                "rail4284", "scircuit", "dense2",   "a_matrix_of_a_very_long_name"};
  g.columns = {"CSR scalar", "CSR vector", "CSR merge", "ELL", "HYB", "SELL-C-sigma"};
  g.conditions = "f64, H200, warm";
  Dice dice{11};
  for (std::size_t m = 0; m < g.matrices.size(); ++m)
    for (std::size_t c = 0; c < g.columns.size(); ++c) {
      RunGrid::Cell cell;
      cell.is = RunGrid::Is::ok;
      cell.run = m * g.columns.size() + c + 1;
      const auto slower = static_cast<double>(dice.below(c == 0 ? 1100 : 250)) / 100;
      cell.us = 10 * static_cast<double>(m + 1) * (1 + slower);
      cell.gflops = 900 / (1 + slower);
      cell.share = 0.93 / (1 + slower);
      cell.params = c == 1 ? "coop 16" : "";
      cell.reads_csr = c < 3;
      cell.preparation_us = 40 * static_cast<double>(c * (m + 1));
      if (c == 3 && (m == 3 || m == 4))
        cell = {RunGrid::Is::failed, 0, 0, {}, {}, "the format would take 94 GB", 0, ""};
      if (c == 5 && m > 5) cell = {};
      g.cells.push_back(cell);
    }
  return g;
}

std::vector<std::shared_ptr<const RunRecord>> solved_runs() {
  const struct {
    Solver solver;
    const char* label;
    Preconditioner preconditioner;
    double us, falls, floor;
    std::size_t iterations;
    Provenance from;
  } all[] = {{Solver::cg, "CG", Preconditioner::none, 31, 0.93, 0, 300, Provenance::measured},
             {Solver::cg, "CG", Preconditioner::block_jacobi, 44, 0.88, 0, 170, Provenance::measured},
             {Solver::bicgstab, "BiCGStab", Preconditioner::none, 66, 0.86, 3e-6, 200, Provenance::modelled}};
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (const auto& k : all) {
    auto r = std::make_shared<RunRecord>(*run(runs.size() + 1, "csr_vector", {}, k.us, 50e6, 60e6, 90e6, k.from));
    r->kernel_label = std::string(k.label) + " with CSR vector", r->matrix_name = "cant";
    r->request.solver = k.solver, r->request.preconditioner = k.preconditioner;
    SolveResult s{.end = k.floor > 0 ? SolveEnd::stagnated : SolveEnd::converged,
                  .why = "said here",
                  .iterations = k.iterations,
                  .residuals = {},
                  .true_residual = 0,
                  .solution_norm = 1,
                  .numbers_from = "a sample"};
    for (std::size_t i = 0; i <= k.iterations; ++i)
      s.residuals.push_back(std::max(k.floor, std::pow(k.falls, static_cast<double>(i)) * (i % 7 == 3 ? 1.6 : 1)));
    s.true_residual = std::max(1.3 * s.residuals.back(), k.floor);
    r->solve = std::move(s);
    const double parts[] = {0.55, 0.1, 0.3, 0.05};
    const char* ids[] = {"iteration_product", "iteration_dots", "iteration_updates", "iteration_gaps"};
    for (std::size_t p = 0; p < 4; ++p) r->details.push_back({ids[p], ids[p], {parts[p] * k.us, "us", k.from}});
    // An older record, the second, does not tell its launches.
    const std::pair<const char*, double> launches[] = {
        {"product", 0.55}, {"updates", 0.2}, {"dots", 0.1}, {"updates", 0.1}};
    int number = 0;
    for (const auto& [part, share] : launches)
      if (runs.size() != 1) r->details.push_back(detail_of(SolveLaunch{++number, part, share * k.us}, k.from));
    runs.push_back(std::move(r));
  }
  return runs;
}

std::vector<std::shared_ptr<const RunRecord>> divided_runs() {
  const struct {
    std::uint64_t parts;
    Split split;
    index_t halo;  // numbers of x that a part in the middle gets
  } all[] = {{1, Split::rows, 0},
             {2, Split::rows, 4000},
             {4, Split::rows, 4000},
             {8, Split::rows, 4000},
             {4, Split::metis, 1500}};
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (const auto& of : all) {
    auto r = std::make_shared<RunRecord>(*run(runs.size() + 1, "csr_vector", {}, 60, 50e6, 60e6, 90e6));
    r->kernel_label = "CSR vector";
    r->request.parts = of.parts, r->request.split = of.split;
    const auto n = static_cast<double>(of.parts);
    for (std::uint64_t k = 0; of.parts > 1 && k < of.parts; ++k) {
      const bool end = k == 0 || k + 1 == of.parts;
      PartResult p;
      p.rows = r->rows / static_cast<index_t>(of.parts), p.entries = r->nnz / static_cast<index_t>(of.parts);
      p.messages = p.sent = end ? 1 : 2;
      p.halo_in = p.halo_out = of.halo * p.messages / 2, p.boundary_rows = p.halo_in;
      p.local_us = 58 / n * (1 + 0.04 * static_cast<double>(k % 3));
      p.link_us = 1.8 * static_cast<double>(p.messages) + 0.004 * static_cast<double>(p.halo_in);
      p.waiting_us = std::max(0.0, p.link_us - p.local_us);
      p.halo_us = 1 + 0.0005 * static_cast<double>(p.halo_in);
      p.time_us = p.local_us + p.waiting_us + p.halo_us;
      r->parts.push_back(p);
    }
    if (!r->parts.empty()) r->time.value = 0;
    for (const PartResult& p : r->parts) r->time.value = std::max(r->time.value, p.time_us);
    runs.push_back(std::move(r));
  }
  return runs;
}

BestRun best_for(ProductCount products) {
  const struct {
    const char *kernel, *label, *format;
    double conversion, setup, us;
    Provenance from = Provenance::measured;
  } all[] = {{"csr_vector", "CSR vector", "csr", 900, 0, 41},  {"csr_scalar", "CSR scalar", "csr", 900, 0, 260},
             {"csr_even", "Even CSR", "csr", 900, 1400, 31},   {"ell", "ELLPACK", "ell", 9000, 0, 55},
             {"sell", "SELL-C-sigma", "sell", 14000, 0, 27.5}, {"sell8", "SELL, 8-bit columns", "sell", 96000, 0, 19},
             {"hyb", "Hybrid ELL/COO", "hyb", -1, 0, 33}};
  Catalog catalog;
  for (const char* id : {"csr", "ell", "sell", "hyb"}) catalog.formats.push_back({id, id, "", ""});
  catalog.formats.front().intermediate = true;
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (const auto& k : all) {
    auto r = std::make_shared<RunRecord>(*run(runs.size() + 1, k.kernel, {}, k.us, 50e6, 60e6, 90e6, k.from));
    r->kernel_label = k.label, r->format = k.format, r->matrix_name = "cant";
    if (k.conversion >= 0) r->details.push_back({"conversion", "", {k.conversion, "us", Provenance::measured}});
    if (k.setup > 0) r->details.push_back({"setup", "", {k.setup, "us", Provenance::measured}});
    runs.push_back(std::move(r));
  }
  return best_runs(runs, catalog, {}, products).front();
}

RunLines turned_runs() {
  RunLines all;
  all.x = "coop", all.x_label = "Threads per row", all.conditions = "f32, NVIDIA H200, warm", all.doubling = true;
  std::uint64_t id = 0;
  for (const char* matrix : {"cant", "cop20k_A", "webbase-1M"})
    for (const char* kernel : {"CSR vector", "CSR vector (rows sorted)", "CSR stream", "Merge-based CSR"}) {
      RunLines::Curve c{std::string(kernel) + ", " + matrix, {}};
      const double best = 900.0 / static_cast<double>(all.curves.size() + 1);
      for (int k = 0; k < 6; ++k) {
        const double x = 1 << k, away = k - 2.5, gflops = best / (1 + 0.2 * away * away);
        c.points.push_back({.x = x, .gflops = gflops, .us = 1e4 / gflops, .run = ++id});
      }
      all.curves.push_back(std::move(c));
    }
  return all;
}

Plot lengths(const Theme& theme) {
  std::vector<LengthsOf> of;
  for (const auto& [name, m] : {std::pair{"a stencil of five points", stencil()}, std::pair{"webbase-1M", power_law()}})
    of.push_back({name, std::make_shared<const Matrix>(m), std::make_shared<const MatrixFacts>(facts_of(*m.csr))});
  return lengths_figure(of, theme);
}

Plot spy(const Theme& theme) {
  const Matrix m = power_law();
  return spy_figure(m, count_grid(*m.csr, whole(*m.csr), 200, 200), {}, theme);
}

Plot histogram(const Theme& theme, HistogramStyle style) {
  const Matrix m = power_law();
  return histogram_figure(m, row_stats(*m.csr), style, theme);
}

Plot roofline(const Theme& theme) {
  RooflineStyle style;
  style.selected = 3;
  return roofline_figure(h200_roofs(), "NVIDIA H200", five_runs(), style, theme);
}

Plot roofline_many(const Theme& theme) {
  constexpr const char* names[] = {"cant", "consph", "cop20k_A", "pdb1HYS", "rma10", "webbase-1M", "memplus"};
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (int k = 0; k < 7; ++k) {
    const double dram = k == 6 ? 5e3 : 30e6 + 14e6 * k;
    auto r = std::make_shared<RunRecord>(*run(static_cast<std::uint64_t>(k + 1), "csr_vector", {}, 14.0 + 9 * k * k,
                                              dram, 60e6 + 12e6 * k, 90e6 + 16e6 * k));
    r->matrix_name = names[k];
    runs.push_back(std::move(r));
  }
  RooflineStyle style;
  style.color = RooflineStyle::ColorBy::matrix;
  style.selected = 2;
  return roofline_figure(h200_roofs(), "NVIDIA H200", runs, style, theme);
}

Plot compared(const Theme& theme) {
  RooflineStyle style;
  style.selected = 3;
  style.compared = {1, 3, 5};
  return roofline_figure(h200_roofs(), "NVIDIA H200", five_runs(), style, theme);
}

StudyReport study() {
  auto s = std::make_shared<Study>();
  s->id = "made-up", s->title = "Three kernels on three matrices",
  s->source = {"Nobody 2026", "", "Table 1", "5", "", 7};
  s->matrices["A"].kind = s->matrices["B"].kind = StudyMatrix::Kind::generator;
  s->matrices["C"].kind = StudyMatrix::Kind::stand_in;
  StudyReport r;
  Readings readings;
  const double printed[] = {4, 9.5, 16, 2.2, 7, 12, 0.8, 3, 11}, made[] = {4.3, 8.9, 15, 1.2, 5, 20, 1.1, 9, 8};
  const char* const texts[] = {"4.0", "9.5", "16.0", "2.2", "7.0", "12.0", "0.8", "3.0", "11.0"};
  std::size_t k = 0;
  for (const char* matrix : {"A", "B", "C"})
    for (const char* kernel : {"scalar", "vector", "hyb"}) {
      StudyCell c;
      c.row = matrix, c.column = kernel, c.unit = "GFLOP/s", c.quantity = "run.gflops";
      c.value = printed[k], c.printed = texts[k], c.half_digit = 0.05;
      c.side = {matrix, {kernel}};
      readings[{matrix, kernel, c.quantity}] = {made[k++], {}, Provenance::modelled};
      s->setups[kernel].kernel = kernel;
      s->cells.push_back(std::move(c));
    }
  r.modelled = judge(*s, readings, true);
  r.study = std::move(s);
  r.made_by = "Warpspy 1";
  return r;
}

}  // namespace warpspy::plot::samples
