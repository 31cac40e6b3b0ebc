#include "profiling/engine/warp_tracing.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/matrix/memory_guard.hpp"
#include "kernels/table/sources.hpp"
#include "profiling/engine/prepared_run.hpp"
#include "profiling/engine/tracing.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/sm_schedule.hpp"
#include "profiling/simulated/warp_finder.hpp"
#include "profiling/simulated/warp_steps.hpp"
#include "profiling/simulated/warp_watch.hpp"

namespace warpspy {
namespace {

std::string number_of(const WarpPlace& p) {
  return "warp " + std::to_string(p.warp) + " of block " + std::to_string(p.block) +
         (p.launch > 0 ? " of launch " + std::to_string(p.launch) : "");
}

void require_place(const WarpPlace& p, const EmulatedProduct& product) {
  const std::vector<LaunchShape>& launches = product.launches();
  const bool there = p.launch >= 0 && p.launch < static_cast<int>(launches.size());
  if (!there)
    throw Error("there is no launch " + std::to_string(p.launch), {},
                "this product has " + std::to_string(launches.size()) + ", counted from 0");
  const LaunchShape& shape = launches[static_cast<std::size_t>(p.launch)];
  const int warps = (shape.block + simt::warp_size - 1) / simt::warp_size;
  if (p.block < 0 || p.block >= shape.grid || p.warp < 0 || p.warp >= warps)
    throw Error("there is no " + number_of(p), {},
                "the launch has " + std::to_string(shape.grid) + " blocks of " + std::to_string(warps) +
                    " warps, counted from 0");
}

// Of the warps that ran, picks the worst or the median. Warps without requests do not count.
WarpPlace pick(std::vector<WarpCost> warps, const WarpWanted& wanted, const GpuSpec& gpu) {
  std::erase_if(warps, [](const WarpCost& w) { return w.requests == 0; });
  if (warps.empty()) throw Error("no warp of this run asks for memory", {}, "choose another kernel or matrix");
  const auto worse = [&](const WarpCost& a, const WarpCost& b) {
    const double by_a = a.by(wanted.measure, gpu), by_b = b.by(wanted.measure, gpu);
    return by_a != by_b ? by_a > by_b : a.place < b.place;
  };
  const auto at =
      warps.begin() + static_cast<std::ptrdiff_t>(wanted.by == WarpWanted::By::worst ? 0 : warps.size() / 2);
  std::nth_element(warps.begin(), at, warps.end(), worse);
  return at->place;
}

class WarpRun {
 public:
  WarpRun(const PreparedRun& run, const WarpWanted& wanted, Progress& progress)
      : run_(run), wanted_(wanted), progress_(progress), product_(run.kernel.emulate(run.inputs())) {}

  void into(WarpTrace& to) {
    if (product_->launches().empty()) throw Error("this product launches nothing", {}, "choose a matrix with entries");
    choose(to);
    to.alone = wanted_.alone;
    WarpWatch watch;
    watch.launch = to.place.launch;
    watch.block = to.place.block;
    watch_lines(watch);
    run(watch, to);
    const BlockRun* block = watch.find(to.place.launch, to.place.block);
    if (!block) throw Error(number_of(to.place) + " did not run", {}, "choose another warp");
    const LaunchShape& shape = product_->launches()[static_cast<std::size_t>(to.place.launch)];
    to.launches = static_cast<int>(product_->launches().size());
    to.blocks = shape.grid;
    to.warps_of_block = (shape.block + simt::warp_size - 1) / simt::warp_size;
    if (const WarpCost* cost = watch.cost_of(to.place)) to.waited_ns = waited_ns(cost->waits, run_.device.spec);
    to.axis = schedule_of(watch.lines.sm, run_.device.spec, shape, to.place);
    progress_.stage("finding the entries");
    tell_steps(*block, watch.lines, traced(), run_.device.spec, most_warp_steps, to, progress_);
    for (WarpTrace::Site& site : to.sites) site.text = kernel_source_line(site.file, site.line);
    note(watch.besides, to);
  }

 private:
  TracedProduct traced() const { return {*product_, *run_.format, *run_.matrix, run_.kernel.info.operation}; }

  Simulation simulated(WarpWatch& watch) {
    SimulateOptions options;
    options.budget = budget_of(run_.request.depth);
    options.cache_state = run_.request.cache_state;
    options.watch = &watch;
    return simulate(*product_, run_.device.spec, options, progress_);
  }

  void run(WarpWatch& watch, WarpTrace& to) {
    if (wanted_.alone) return watch_alone(*product_, run_.device.spec, to.place, watch, progress_);
    const Simulation s = simulated(watch);
    to.warm = s.warm;
    to.share = s.share;
  }

  // Watches the lines that the block requests, since some may be evicted before it runs.
  void watch_lines(WarpWatch& watch) const {
    const simt::BlockTrace trace = try_block(*product_, watch.launch, watch.block);
    for (const LineTouch& touch : coalesce(trace, run_.device.spec).touches) watch.lines.lines[touch.line];
  }

  void choose(WarpTrace& to) {
    using By = WarpWanted::By;
    if (wanted_.by == By::place) {
      require_place(wanted_.place, *product_);
      to.place = wanted_.place;
      to.why = "was asked for by its number";
    } else if (wanted_.by == By::row || wanted_.by == By::entry) {
      progress_.stage("finding the warp");
      const FoundWarp found = find_warp(traced(), wanted_, budget_of(Depth::full), progress_);
      to.place = found.place;
      to.why = found.why;
    } else {
      WarpWatch watch;
      simulated(watch);
      to.place = pick(watch.warps, wanted_, run_.device.spec);
      constexpr const char* of[] = {"sectors per request", "idle lanes", "time"};
      to.why = std::string(wanted_.by == By::worst ? "the worst by " : "the median by ") +
               of[static_cast<int>(wanted_.measure)] + ", of " + std::to_string(watch.warps.size()) + " warps that ran";
      // The product keeps what its blocks have stored, so the run around the warp uses a new one.
      product_ = run_.kernel.emulate(run_.inputs());
    }
  }

  void note(bool besides, WarpTrace& to) const {
    char text[200];
    if (to.share < 1) {
      std::snprintf(text, sizeof text, "%.3g %% of the blocks ran: the caches see these alone%s", 100 * to.share,
                    to.warm ? ", so what the product before left in L2 is drawn as from DRAM" : "");
      to.notes.emplace_back(text);
    }
    if (besides)
      to.notes.emplace_back(
          "its block was left out of the sample: it ran besides, with the blocks that share its SM, in "
          "caches that were empty");
    if (to.cut()) {
      std::snprintf(text, sizeof text, "the first %zu of %llu steps are told; sums are of all of them", to.steps.size(),
                    static_cast<unsigned long long>(to.steps_in_all));
      to.notes.emplace_back(text);
    }
    if (to.alone)
      to.notes.emplace_back(
          "alone, as was asked: in caches that were empty, without the other warps of the run; it is no part of what "
          "the run counts");
    if (to.axis.cut)
      to.notes.emplace_back("the axis of time tells the beginning: the warps of its SM ask for more than it holds");
  }

  const PreparedRun& run_;
  const WarpWanted& wanted_;
  Progress& progress_;
  std::unique_ptr<EmulatedProduct> product_;
};

}  // namespace

WarpTrace trace_warp_by_emulator(const EngineParts& parts, Preparation& preparation, const RunRequest& request,
                                 const Matrix& matrix, const WarpWanted& wanted, Progress& progress) {
  if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
  const KernelRow& kernel = parts.kernel(request.kernel);
  if (kernel.info.format.empty())
    throw Error("kernel " + kernel.info.id + " reads no matrix", {}, "choose one that does");
  if (!kernel.emulate)
    throw Error("kernel " + kernel.info.id + " is " + kernel.info.library + "'s, whose warps cannot be seen", {},
                "choose one of ours");
  const DeviceInfo& device = modelled_device(request.device, parts.devices);
  require_memory(static_cast<double>(most_warp_steps) * 32 * (sizeof(LaneAccess) + sizeof(WarpLine)) +
                     static_cast<double>(matrix.csr->rows() + matrix.csr->cols()) *
                         (bytes_of(request.precision) + sizeof(std::uint64_t)),
                 "the steps of a warp");
  const PreparedRun run{request,
                        matrix.csr,
                        kernel,
                        device,
                        checked_params(kernel.info.params, request.params),
                        preparation.format(matrix, kernel.info.format, request, device, progress),
                        preparation.vectors(matrix.csr, kernel.info, request),
                        nullptr,
                        parts.model.get()};
  WarpTrace to;
  to.kernel = kernel.info.id;
  to.kernel_label = kernel.info.label;
  to.format = format_row(kernel.info.format).info.label;
  to.gpu = device.name;
  to.rows = matrix.csr->rows(), to.cols = matrix.csr->cols();
  to.first = wanted.first;
  WarpRun(run, wanted, progress).into(to);
  return to;
}

}  // namespace warpspy
