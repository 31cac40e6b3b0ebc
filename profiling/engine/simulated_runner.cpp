#include "profiling/engine/simulated_runner.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/formats/format.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/run/check_words.hpp"
#include "profiling/metrics/metrics.hpp"
#include "profiling/simulated/calibration.hpp"
#include "profiling/simulated/interval.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

// Notes how much of a product ran, and if no row is checked, why.
void note_sample(const Simulation& s, bool some_rows_checked, std::vector<std::string>& notes) {
  char text[300];
  std::snprintf(text, sizeof text, "%.3g %% of the blocks ran", 100 * s.share);
  std::string note = text;
  const char* unchecked = "several blocks complete a row, and not all of them ran";
  for (const LaunchSimulation& launch : s.launches) {
    if (!launch.own_sm) continue;
    const int warps = (launch.shape.block + simt::warp_size - 1) / simt::warp_size;
    std::snprintf(text, sizeof text, "; those of launch %td take so long that %zu ran, far apart, each alone on its SM",
                  &launch - s.launches.data() + 1, launch.costs.size());
    note += text;
    if (launch.warps_of_block == 0) continue;
    std::snprintf(text, sizeof text, ", and only %d of their %d warps: the share is of warps", launch.warps_of_block,
                  warps);
    note += text;
    unchecked = "blocks did not run whole";
  }
  note += "; counts are scaled to all of them, ";
  notes.push_back(note + (some_rows_checked ? "only their rows are checked" : "and no row is checked"));
  if (!some_rows_checked) notes.push_back(std::string(not_checked_note) + unchecked);
}

// The number of registers comes from machine code. A kernel without machine code has no register limit of its
// occupancy.
void note_registers(const Simulation& s, const GpuSpec& gpu, std::vector<std::string>& notes) {
  const bool told = std::all_of(s.launches.begin(), s.launches.end(), [&](const LaunchSimulation& l) {
    return l.shape.registers > 0 || l.shape.grid <= gpu.sm_count;  // each has an SM of its own
  });
  if (gpu.compute_capability >= 70 && !told)
    notes.push_back("the registers of this code are not known: they limit no occupancy");
}

// Notes where this GPU works differently from the kernel's code.
void note_emulated(const Simulation& s, const PreparedRun& run, std::vector<std::string>& notes) {
  const GpuSpec& gpu = run.device.spec;
  const bool swaps =
      std::any_of(s.launches.begin(), s.launches.end(), [](const LaunchSimulation& l) { return l.swaps_in_a_row > 0; });
  if (swaps && !adds_natively(gpu.compute_capability, bytes_of(run.request.precision)))
    notes.push_back(gpu.name + " has no atomic addition of " + name_of(run.request.precision) +
                    ": it adds by compare-and-swap, which waits for every answer and tries again");
  if (gpu.compute_capability < 35 && run.common().x() == simt::CachePolicy::read_only)
    notes.push_back("read-only loads are from compute capability 3.5 on: x is fetched as a texture");
}

}  // namespace

void note_model(const Simulation& s, const PreparedRun& run, RunRecord& r) {
  const GpuSpec& gpu = run.device.spec;
  if (gpu.compute_capability < 90 && run.common().overlap == 1)
    r.notes.push_back("products overlap from compute capability 9.0 on: modelled one after another");
  note_unheard(run, gpu.compute_capability, r);
  note_registers(s, gpu, r.notes);
  note_emulated(s, run, r.notes);
}

void tell_padding(const Format& format, std::vector<Traffic>& arrays) {
  for (const ArrayView& a : format.arrays()) {
    const index_t padding = a.part < 0 ? 0 : format.padding_of(a.part);
    if (padding <= 0) continue;
    const double entries = static_cast<double>(a.bytes()) - static_cast<double>(padding) * a.element_bytes();
    for (Traffic& t : arrays)
      if (t.name == a.name) t.bytes_padding = std::max(0.0, t.bytes_used - entries);
  }
}

namespace {

// Writes the bounds of the time into the record, for the diagnosis (core/diagnosis/causes.hpp).
void tell_bounds(const Simulation& s, const TimeEstimate& t, const GpuSpec& gpu, RunRecord& r) {
  const struct {
    const char *id, *label;
    double us;
  } bounds[] = {{"bound_dram", "DRAM alone", t.dram},
                {"bound_l2", "L2 alone", t.l2},
                {"bound_requests", "L2 requests alone", t.requests},
                {"bound_l1", "L1 alone", t.l1},
                {"bound_issue", "issue alone", t.issue},
                {"bound_compute", "arithmetic alone", t.compute},
                {"bound_latency", "latency alone", t.latency},
                {"bound_atomics", "atomics alone", t.atomics},
                {"bound_launch", "launches", t.launch},
                {"bound_total", "all together", t.total},
                {"bound_even", "all, with even blocks", t.even}};
  for (const auto& b : bounds) r.details.push_back({b.id, b.label, {b.us, "us", Provenance::modelled}});
  if (t.factor != 1)
    r.details.push_back({"calibration", "times, as products like it took", {t.factor, "1", Provenance::modelled}});
  r.details.push_back({"block_wait", "a block waits", {t.block_wait, "us", Provenance::modelled}});
  r.details.push_back({"longest_wait", "a block waits at most", {t.longest_wait, "us", Provenance::modelled}});
  r.details.push_back({"blocks", "blocks", {static_cast<double>(s.shape.grid), "1", Provenance::modelled}});
  r.details.push_back({"waves", "waves", {t.waves, "1", Provenance::modelled}});
  double dram = 0, l2 = 0, all = 0;
  for (const LaunchSimulation& launch : s.launches)
    for (const BlockCost& b : launch.costs) {
      Waits of_dram{}, of_l2{};
      of_dram.dram = b.waits.dram, of_l2.l2 = b.waits.l2;
      dram += waited_ns(of_dram, gpu) * b.times;
      l2 += waited_ns(of_l2, gpu) * b.times;
      all += waited_ns(b.waits, gpu) * b.times;
    }
  if (!(all > 0)) return;
  r.details.push_back({"waits_dram", "waits for DRAM", {100 * dram / all, "%", Provenance::modelled}});
  r.details.push_back({"waits_l2", "waits for L2", {100 * l2 / all, "%", Provenance::modelled}});
}

void run_at_depth(const PreparedRun& run, Depth depth, RunRecord& r, Progress& progress) {
  const auto product = run.kernel.emulate(run.inputs());
  SimulateOptions options;
  options.budget = budget_of(depth);
  options.cache_state = run.request.cache_state;
  const auto asked = std::chrono::steady_clock::now();
  const Simulation s = simulate(*product, run.device.spec, options, progress);
  const std::chrono::duration<double> answered = std::chrono::steady_clock::now() - asked;
  const Calibration* calibration = run.model ? run.model->of(run.device.spec.id) : nullptr;
  const TimeEstimate time =
      estimate_time(s, run.device.spec, run.request.precision, run.flops(), run.request.kernel, calibration);
  set_time(r, run.flops(), time.total, Provenance::modelled, time.how);
  const RunRequest& asked_for = run.request;
  tell_interval_of(
      {asked_for.kernel, run.kernel.info.label, asked_for.params, asked_for.precision, asked_for.cache_state},
      calibration, run.device.spec.name, time, s.share < 1 && depth < Depth::full, r);
  tell_bounds(s, time, run.device.spec, r);
  r.details.push_back({"answered", "model answered in", {answered.count(), "s", Provenance::measured}});
  if (product->setup_us() > 0)
    r.details.push_back({"setup", "setup, once", {product->setup_us(), "us", Provenance::measured}});
  add_total(run, r);
  note_model(s, run, r);
  r.sampled_share = s.share;
  r.counters = modelled_counters(s, run.device.spec);
  r.arrays = s.arrays;
  if (run.format) tell_padding(*run.format, r.arrays);
  r.lines = s.lines;

  std::vector<RowRange> rows;
  if (s.share == 1) rows.push_back({0, static_cast<index_t>(run.reference->y.size())});
  for (const std::int64_t block : s.blocks)
    if (const auto range = product->rows_of_block(block)) rows.push_back(*range);
  if (s.share < 1) note_sample(s, !rows.empty(), r.notes);
  check(run, r, product->y(), rows);
}

}  // namespace

void require_emulated(const PreparedRun& run) {
  if (!run.kernel.emulate)
    throw Error("kernel " + run.kernel.info.id + " is " + run.kernel.info.library + "'s, whose code cannot be emulated",
                {}, "run it on a CUDA device (--device cuda)");
  const GpuSpec& gpu = run.device.spec;
  if (run.request.precision == Precision::f64 && gpu.peak_f64_gflops <= 0)
    throw Error(gpu.name + " has no double precision", {}, "run it in f32, or on another GPU");
}

void run_simulated(const PreparedRun& run, RunRecord& r, Progress& progress, const OnTimed& on_timed) {
  require_emulated(run);
  // The kernel's own x and y, and what is recorded for each element of y.
  require_memory(static_cast<double>(run.vectors.x->size()) * bytes_of(run.request.precision) +
                     static_cast<double>(run.reference->y.size()) *
                         static_cast<double>(bytes_of(run.request.precision) + sizeof(std::uint64_t)),
                 "the emulator");
  if (on_timed && run.request.depth != Depth::quick) {
    RunRecord quick = r;
    quick.request.depth = Depth::quick;
    run_at_depth(run, Depth::quick, quick, progress);
    quick.status = RunStatus::ok;
    if (!quick.may_be_refined()) {
      quick.request = RunRequest(r.request);  // all blocks ran, so a greater depth would give the same
      r = std::move(quick);
      return;
    }
    on_timed(quick);
  }
  run_at_depth(run, run.request.depth, r, progress);
}

}  // namespace warpspy
