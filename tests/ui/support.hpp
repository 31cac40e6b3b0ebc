// A window without a window: frames with fed events, a catalog of its own, and an engine that computes real products.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "core/run/engine.hpp"
#include "core/run/run_name.hpp"
#include "core/run/source_page.hpp"
#include "tests/ui/toy_parts.hpp"
#include "tests/ui/toy_warp.hpp"
#include "ui/commands/commands.hpp"
#include "ui/platform/compat.hpp"
#include "ui/platform/context.hpp"
#include "ui/platform/input.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/window/shell.hpp"

namespace warpspy::ui {

// While a job of a test waits to be let go: it leaves the processor to the frames.
inline void doze() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

inline Catalog test_catalog() {
  Catalog c;
  c.formats = {{"csr", "CSR", "compressed rows", "", {}}};
  c.formats[0].intermediate = true;
  ParamSpec coop{"coop", "Threads per row", "help", ParamSpec::Type::power_of_two, 1, 32, 8};
  ParamSpec block{"block", "Block size", "help", ParamSpec::Type::integer, 32, 1024, 128};
  ParamSpec policy{"policy", "Cache policy", "help", ParamSpec::Type::choice, 0, 1, 0, {"plain", "read-only"}};
  c.kernels = {{"csr_scalar", "CSR scalar", "one thread per row", "source", "csr", {block}},
               {"csr_vector", "CSR vector", "threads share a row", "source", "csr", {coop, block, policy}}};
  c.kernels[0].tags = Tag::thread_per_row, c.kernels[1].tags = Tag::threads_per_row;
  c.metrics = {{"dram_bytes", "DRAM bytes", "B", "help", Level::dram},
               {"l2_bytes", "L2 bytes", "B", "help", Level::l2}};
  GpuSpec g;
  g.id = "toy";
  g.name = "Toy GPU";
  g.architecture = "Toy";
  g.year = 2020;
  g.dram_gbs = 1000;
  g.l2_bytes = 1e6;
  g.l2_gbs = 3000;
  g.peak_f32_gflops = 10000;
  g.peak_f64_gflops = 5000;
  c.devices = {{"sim:toy", "Toy GPU", true, true, "", "modelled counters", g},
               {"cuda:0", "CUDA", false, false, "no driver; kernels run in the emulator", "", {}}};
  c.strategies = {{"fixed_rule", "Fixed rule", "one set", "source"},
                  {"run_time", "Run-time", "a walk", "source"},
                  {"exhaustive", "Exhaustive", "all", "source"}};
  const auto file = [](const std::string& name, int lines, const std::string& word) {
    std::string text;
    for (int k = 1; k <= lines; ++k) text += "  " + word + std::to_string(k) + ";\n";
    return SourceFile{name, text};
  };
  c.sources = {file("csr_vector.hpp", 60, "vector_line_"), file("toy.hpp", 40, "toy_line_")};
  c.notices = {"No driver: kernels run in the emulator."};
  return c;
}

// y = A x in double, timed by the bytes it moves on the toy GPU; fails when told to.
class TestEngine final : public Engine {
 public:
  std::atomic<bool> fails{false};
  std::atomic<int> runs{0};
  using Engine::run;
  std::atomic<bool> waits{false};         // run() waits until it is let go, or cancelled
  std::atomic<int> answers{1 << 30};      // so many times run() answers, then it waits to be cancelled
  std::atomic<bool> tells_bounds{false};  // as the model does: what its time is made of
  std::atomic<bool> tells_more{false};    // a third array and bound; parameters matter: coop 16 is the best
  std::atomic<bool> counts{false};        // as a real GPU does: the time first, counters later
  RunRecord run(const RunRequest& request, const Matrix& m, Progress& progress, const OnTimed& on_timed) override {
    ++runs;
    const Csr& a = *m.csr;
    RunRecord r;
    r.started = "2026-01-01T00:00:00Z";
    r.request = request;
    r.matrix_name = m.source.name;
    r.rows = a.rows();
    r.cols = a.cols();
    r.nnz = a.nnz();
    r.kernel_label = request.kernel == "csr_vector" ? "CSR vector" : "CSR scalar";
    r.format = "csr";
    r.device = request.device;
    r.device_name = "Toy GPU";
    while ((waits || runs > answers || (holds && request.seed == 777)) && !progress.cancelled()) doze();
    if (progress.cancelled()) {
      r.status = RunStatus::cancelled, r.error = "cancelled";
      return r;
    }
    if (fails) {
      r.error = "out of bounds: x[12] of 10 in csr_vector.hpp:41";
      return r;
    }
    std::vector<double> y(static_cast<std::size_t>(a.rows()));
    for (index_t row = 0; row < a.rows(); ++row) {
      progress.check();
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k)
        y[static_cast<std::size_t>(row)] += a.real_value(k, request.view) * static_cast<double>(a.columns()[k] % 7);
    }
    r.status = RunStatus::ok;
    const double bytes =
        static_cast<double>(a.nnz()) * (4 + bytes_of(request.precision)) + 8.0 * static_cast<double>(a.rows());
    r.time = {std::max(1.0, bytes / 1000e3), "us", Provenance::modelled};
    r.time_how = "model: bytes / bandwidth";
    r.gflops = {2e-3 * static_cast<double>(a.nnz()) / r.time.value, "GFLOP/s", Provenance::modelled};
    r.minimum_bytes = {bytes, "B", Provenance::modelled};
    r.check = ErrorCheck{0, 0, a.rows(), -1, true};
    if (request.solver != Solver::none) {
      // CSR scalar is prepared in the time of four of its iterations, each of which takes half as long.
      const bool prepares = request.kernel == "csr_scalar";
      if (prepares) r.time.value /= 2;
      r.solve = SolveResult{.end = SolveEnd::converged,
                            .why = "the residual is below the tolerance",
                            .iterations = 3,
                            .residuals = {1, 0.1, 0.01, 1e-9},
                            .true_residual = 2e-9,
                            .solution_norm = 1,
                            .numbers_from = "the toy"};
      r.kernel_label = std::string(solver_info(request.solver).label) + " with " + r.kernel_label;
      r.details = {{"iteration_product", "product", {r.time.value / 2, "us", Provenance::modelled}},
                   {"iteration_updates", "updates", {r.time.value / 2, "us", Provenance::modelled}},
                   {"conversion", "conversion", {0, "us", Provenance::measured}},
                   {"setup", "setup", {prepares ? 4 * r.time.value : 0, "us", Provenance::measured}},
                   {"solve", "all iterations", {3 * r.time.value, "us", Provenance::modelled}}};
    }
    if (request.solver != Solver::none && request.matrix.starts_with("gen:bratu"))
      r.newton =
          NewtonResult{SolveEnd::converged,
                       "|F| is small enough",
                       {{0.517, 3, 2e-9, 1, 1230, 0, 3000, 2000}, {0.258, 340, 2e-9, 0.125, 1230, 0, 5000, 2000}},
                       1e-9};
    if (a.is_complex()) r.notes.push_back(std::string(kComplexNote) + "real parts");
    if (counts) {
      r.traffic_source = TrafficSource::timing;
      if (on_timed) on_timed(r);
      r.traffic_source = TrafficSource::counters;
      r.details.push_back({"counter_latency", "reading of counters", {46.0 + runs, "ms", Provenance::measured}});
    }
    r.counters = {{"dram_bytes", bytes, "B", Provenance::modelled, "", ""},
                  {"l2_bytes", bytes * 1.5, "B", Provenance::modelled, "", ""},
                  {"l1_bytes", std::nullopt, "B", Provenance::modelled, "not modelled", "none"}};
    if (tells_bounds) {
      // Waiting for loads, which CSR vector does half as long.
      const double times = request.kernel == "csr_vector" ? 4 : 8, us = r.time.value * times;
      r.time.value = us, r.gflops.value /= times;
      r.details.push_back({"bound_dram", "DRAM alone", {us / 10, "us", Provenance::modelled}});
      r.details.push_back({"bound_latency", "latency alone", {us, "us", Provenance::modelled}});
      r.counters.push_back({"warps_per_sm", 12, "1", Provenance::modelled, "", ""});
    }
    if (request.parts > 1) divide_toy_run(r, a, progress);
    r.arrays = {{"values", 10, 40, 1280, 32, Provenance::modelled, 320}, {"x", 10, 200, 1280, 30}};
    if (tells_more) {
      r.arrays.push_back({"columns", 10, 40, 1280, 32, Provenance::modelled, 320});
      r.details.push_back({"bound_l2", "L2 alone", {r.time.value / 5, "us", Provenance::modelled}});
      const auto coop = request.params.find("coop");
      if (coop != request.params.end()) r.time.value *= 1 + std::abs(std::log2(coop->second / 16));
    }
    r.lines = {{"csr_vector.hpp:41", 20, 240, 2560, 31}};
    r.lines[0].arrays = {"values", "x"};
    r.source = source_mark(test_catalog().sources, r.lines);
    return r;
  }

  std::atomic<int> traces{0};
  // A thread per row, blocks of 32; the last block did not run.
  EntryTrace trace_entries(const RunRequest& request, const Matrix& m, index_t begin, index_t end,
                           Progress& progress) override {
    ++traces;
    while (holds) progress.check();
    if (fails) throw Error("csr_vector reads what is not there", {}, "choose another kernel");
    EntryTrace t;
    t.kernel = request.kernel == "csr_vector" ? "CSR vector" : "CSR scalar", t.format = "CSR", t.gpu = "Toy GPU";
    t.row_begin = begin, t.row_end = end, t.warps_per_block = 1, t.share = 0.9;
    t.parts = {{"CSR", "", {0}}};
    t.notes = {"90 % of the blocks ran"};
    for (index_t row = begin; row < end; ++row)
      for (index_t k = m.csr->row_ptr()[row]; k < m.csr->row_ptr()[row + 1]; ++k) {
        EntryRead e;
        e.position = k;
        if ((row / 32 + 1) * 32 < m.csr->rows()) {
          e.block = row / 32, e.lane = static_cast<std::uint8_t>(row % 32);
          e.value_sectors = 32, e.value_lanes = 32, e.x_sectors = 27, e.x_lanes = 32, e.x = XSource::l2;
        }
        t.entries.push_back(e);
      }
    return t;
  }

  std::atomic<int> warps{0};
  WarpTrace trace_warp(const RunRequest& request, const Matrix&, const WarpWanted& wanted,
                       Progress& progress) override {
    ++warps;
    while (holds) progress.check();
    if (fails)
      throw Error("row " + std::to_string(wanted.row + wanted.first) + " has no entries", {}, "choose another row");
    return toy_warp(request.kernel, wanted);
  }

  using Engine::tell_lost;

  OnDevices tells_devices;          // who hears of other machines' devices
  std::vector<std::string> others;  // the commands of their engines
  void on_devices(OnDevices listener) override { tells_devices = std::move(listener); }
  void use_others(const std::vector<std::string>& commands) override { others = commands; }

  std::atomic<int> measured{0};
  MeasuredRoofs measure_roofs(const std::string& device, Progress& progress) override {
    progress.check();
    ++measured;
    MeasuredRoofs m{device, "GPU-1", "13.0", "2026-01-01T00:00:00Z", 0, 0, {}, {}};
    m.figures = {{"dram_read", 900, 0, "reads"}};
    return m;
  }

  std::atomic<bool> holds{false};  // a search waits after its first walk until it is let go, or cancelled
  std::unique_ptr<SearchPlan> search(const TuneRequest& request, const Matrix& m);
};

// A walk over coop, whose best is 16; 32 fails. Then the same as an exhaustive search. Where "predict" is asked for,
// that walk alone.
class ToySearch final : public SearchPlan {
 public:
  ToySearch(const TuneRequest& request, const Matrix& m) {
    begun_.request = request;
    begun_.matrix_name = m.source.name;
    begun_.device = request.run.device;
    begun_.device_name = "Toy GPU";
    const auto step = [&](const char* strategy, int product, double coop) {
      TuneStep s;
      s.strategy = strategy, s.product = product, s.kernel = request.run.kernel;
      s.params = {{"coop", coop}, {"block", 128}, {"policy", 0}};
      steps_.push_back(s);
    };
    step("default", 1, 8);
    const std::string asked = request.strategies.empty() ? "" : request.strategies[0];
    for (const char* strategy : {"run_time", "exhaustive", "predict"}) {
      if (asked.empty() ? strategy == std::string("predict") : asked != strategy) continue;
      strategies_.emplace_back(strategy);
      for (int k = 0; k < kWalk; ++k) step(strategy, k + 1, std::exp2(k));
    }
  }
  std::string name() const override { return "tune " + begun_.request.run.kernel; }
  std::size_t expected(const Results&) const override { return steps_.size(); }
  // The first walk, and then the rest: between them it is held.
  std::vector<Case> next(const Results& so_far) const override {
    const std::size_t first = 1 + kWalk;
    std::vector<Case> cases;
    for (std::size_t k = so_far.size(); k < (so_far.size() < first ? first : steps_.size()); ++k) {
      Case c{begun_.request.run, "walking", Purpose::trial};
      c.request.params = steps_[k].params;
      c.request.seed = k < first ? 1 : kHeld;
      cases.push_back(std::move(c));
    }
    if (cases.empty() && so_far.size() == first) {  // one walk alone: held before its end
      Case c{begun_.request.run, "walking", Purpose::trial};
      c.request.params = steps_.back().params;
      c.request.seed = kHeld;
      cases.push_back(std::move(c));
    }
    return cases;
  }
  TuneRecord record(const Results& so_far) const override {
    TuneRecord r = begun_;
    bool found = false;
    for (std::size_t k = 0; k < std::min(so_far.size(), steps_.size()); ++k) {
      const RunRecord& run = *so_far[k].record;
      TuneStep s = steps_[k];
      const double coop = s.params.at("coop");
      if (run.status == RunStatus::ok && coop < 32)
        s.us = 10 + std::fabs(std::log2(coop) - 4), found = true;
      else
        s.failure = run.error.empty() ? "too many threads" : run.error;
      r.steps.push_back(s);
    }
    if (so_far.size() < std::max<std::size_t>(steps_.size(), 2 + kWalk)) return r;
    for (const std::string& strategy : strategies_) {
      TuneOutcome o;
      o.strategy = strategy, o.kernel = begun_.request.run.kernel, o.products = kWalk, o.cost_us = 60;
      if (found) o.us = 10, o.params = {{"coop", 16}, {"block", 128}, {"policy", 0}};
      if (!found) o.notes = {"every product failed"};
      judge(o, found ? std::optional<double>(11) : std::nullopt, found ? std::optional<double>(10) : std::nullopt);
      r.outcomes.push_back(o);
    }
    r.status = found ? RunStatus::ok : RunStatus::failed;
    if (!found) r.error = r.steps[0].failure;
    return r;
  }
  static constexpr std::uint64_t kHeld = 777;  // seed of products that wait while the engine holds

 private:
  static constexpr int kWalk = 6;
  TuneRecord begun_;
  std::vector<TuneStep> steps_;
  std::vector<std::string> strategies_;
};

// Tries both kernels, then takes the two in turn: CSR vector is the best.
class ToyBest final : public Plan {
 public:
  explicit ToyBest(const BestRequest& asked) {
    RunRequest r;
    r.matrix = asked.source, r.device = asked.device.id;
    r.precision = asked.precisions.front(), r.cache_state = asked.caches;
    for (const char* kernel : {"csr_scalar", "csr_vector"}) {
      r.kernel = kernel;
      cases_.push_back({r, std::string("searching: ") + kernel, Purpose::trial});
    }
    for (const char* kernel : {"csr_vector", "csr_scalar"}) {
      r.kernel = kernel;
      cases_.push_back({r, std::string("in turn: ") + kernel, Purpose::final});
    }
  }
  std::string name() const override { return "best"; }
  std::size_t expected(const Results&) const override { return cases_.size(); }
  std::vector<Case> next(const Results& so_far) const override {
    return so_far.size() < cases_.size() ? std::vector<Case>{cases_[so_far.size()]} : std::vector<Case>{};
  }

 private:
  std::vector<Case> cases_;
};

inline std::unique_ptr<SearchPlan> TestEngine::search(const TuneRequest& request, const Matrix& m) {
  return std::make_unique<ToySearch>(request, m);
}

class Harness {
 public:
  explicit Harness(float width = 1280, float height = 800, float scale = 1, SessionOptions options = quiet())
      : catalog(test_catalog()),
        backend(width * scale, height * scale),
        session(catalog, engine, with_search(std::move(options))),
        shell(std::make_unique<Shell>(session, textures)) {
    shell->set_scale(scale, 1);
    shell->set_tip_delay(0);  // explanations show, and are drawn, at once
    look.tip_delay = 0;
    look.shown = &shown;
    shell->take_down(&shown);
  }
  SessionOptions with_search(SessionOptions o) {
    o.best = [](const Matrix&, const BestRequest& r, History*) { return std::make_unique<ToyBest>(r); };
    o.search = [this](const TuneRequest& r, const Matrix& m, const std::vector<DeviceInfo>&) {
      return engine.search(r, m);
    };
    return o;
  }
  static SessionOptions quiet() {
    SessionOptions o;
    o.run_on_open = false;
    return o;
  }

  // Frames of the whole window; returns their actions.
  std::vector<Action> frames(int n = 1) {
    std::vector<Action> all;
    for (int k = 0; k < n; ++k) {
      shown.clear();
      backend.begin_frame();
      shell->frame(&all);
      backend.end_frame();
    }
    return all;
  }
  // Until every job is done and its result taken in. Jobs always end; no time limit decides a test. Between two frames
  // jobs have the processor for a while: frames are what costs.
  void settle() {
    for (int times = 0; times < 2; ++times) {
      frames(3);
      while (!session.idle()) {
        for (int k = 0; k < 20 && !session.idle(); ++k) doze(), session.update();
        frames(1);
      }
    }
  }
  // A frame of one panel that fills the window; actions are applied and returned.
  std::vector<Action> panel(const std::function<void(Ui&)>& draw) {
    session.update();
    look.palette = &palette_of(session.state().theme);
    shown.clear();
    Ui ui{look_of(), sink, shell->tiles(), images, window, commands(), takes_keys};
    backend.begin_frame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    draw(ui);
    end_window();
    backend.end_frame();
    shell->tiles().end_frame();
    auto actions = sink.take();
    for (const auto& a : actions) session.apply(a);
    return actions;
  }
  const AppState& state() const { return session.state(); }

  // What the last frame showed.
  bool shows(const std::string& words, Shown::Kind kind = Shown::Kind::text) const {
    return std::any_of(shown.begin(), shown.end(),
                       [&](const Shown& s) { return s.kind == kind && s.words.find(words) != std::string::npos; });
  }
  // Everything of that name that can be pointed at, from the top.
  std::vector<Shown> items(const std::string& name) const {
    std::vector<Shown> found;
    for (const Shown& s : shown)
      if (s.kind == Shown::Kind::item && s.words == name) found.push_back(s);
    std::stable_sort(found.begin(), found.end(), [](const Shown& a, const Shown& b) { return a.y < b.y; });
    return found;
  }
  // The first of them, else a text that holds the words; an empty place where there is none.
  Shown find(const std::string& words) const {
    if (const auto found = items(words); !found.empty()) return found.front();
    for (const Shown& s : shown)
      if (s.kind == Shown::Kind::text && s.words.find(words) != std::string::npos) return s;
    ADD_FAILURE() << "nothing on the screen is called " << words;
    return {};
  }
  void open(const std::string& source) {
    session.apply(OpenSource{source});
    settle();
  }

  Catalog catalog;
  TestEngine engine;
  NullBackend backend;
  NullTextures textures;
  struct NoLeak {
    const NullTextures& textures;
    ~NoLeak() { EXPECT_EQ(textures.alive(), 0) << "textures leak"; }
  } no_leak{textures};  // goes after all that have some
  Session session;
  std::unique_ptr<Shell> shell;
  ActionSink sink;
  ImageCache images{textures};
  Look look;
  std::optional<Window> window;
  bool takes_keys = false;
  std::vector<Shown> shown;  // by the last frame

 private:
  const Look& look_of() {
    look.fonts = shell->look().fonts;
    look.scale = shell->look().scale;
    return look;
  }
};

// The mouse onto a place, `along` of its width from the left.
inline void point_at(const Shown& s, float along = 0.5f) { feed_mouse(s.x + along * s.w, s.y + s.h / 2); }
// A click there, in frames that the caller draws.
template <class Frame>
void click_at(const Shown& s, Frame&& frame, float along = 0.5f) {
  point_at(s, along);
  frame(), frame();
  feed_button(0, true);
  frame();
  feed_button(0, false);
  frame(), frame();
}
// The mouse over everything: tooltips and hover states are drawn too.
inline void sweep(Harness& h, int columns = 16, int rows = 16) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  for (int y = 1; y < rows; ++y)
    for (int x = 1; x < columns; ++x) {
      feed_mouse(screen.x * static_cast<float>(x) / static_cast<float>(columns),
                 screen.y * static_cast<float>(y) / static_cast<float>(rows));
      h.frames(1);
    }
}

template <class T>
const T* find_action(const std::vector<Action>& all) {
  for (const auto& a : all)
    if (const auto* x = a.as<T>()) return x;
  return nullptr;
}

}  // namespace warpspy::ui
