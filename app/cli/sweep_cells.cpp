#include "app/cli/sweep_cells.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/cli/command.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/sweep_output.hpp"
#include "app/cli/terminal.hpp"
#include "core/experiment/sweep_run.hpp"
#include "core/io/io.hpp"

namespace warpspy::cli {
namespace {

// Progress on standard error: one changing line on a terminal, else a line from time to time.
class Meter {
 public:
  ~Meter() { clear(); }
  void tell(const Sweep& sweep, const std::string& now) {
    using Clock = std::chrono::steady_clock;
    const double quiet = std::chrono::duration<double>(Clock::now() - told_).count();
    if (quiet < (terminal_ ? 0.1 : 10)) return;
    told_ = Clock::now();
    std::string text = progress_text(sweep.counts());
    if (const auto eta = sweep.eta_s()) text += "; " + duration_text(*eta) + " left";
    if (terminal_)
      show_progress(text + ": " + now);
    else
      std::fprintf(stderr, "warpspy: %s\n", text.c_str());
  }
  void clear() const {
    if (terminal_) clear_progress();
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

// Opens one matrix at a time.
class Opener {
 public:
  explicit Opener(const SweepPlan& plan)
      : has_view_(std::any_of(plan.options.begin(), plan.options.end(),
                              [](const SweepPlan::Axis& a) { return a.id == "view"; })) {}
  const Matrix& operator()(const std::string& source, Progress& progress) {
    matrix_ = {};
    matrix_ = open_matrix(source, progress);
    if (matrix_.csr->is_complex() && !has_view_)
      throw Error("the matrix is complex: say which real numbers to take, \"view\": \"real\" or \"modulus\"");
    return matrix_;
  }

 private:
  bool has_view_;
  Matrix matrix_;
};

}  // namespace

void run_cells(Sweep& sweep, StoredSweep& stored, const Services& services, const ExecutorOptions& options,
               Progress& whole, const std::function<void(std::size_t cell, const CaseResult&)>& keep) {
  Executor executor(*services.engine, services.catalog, options);
  Opener opener(sweep.plan());
  Meter meter;
  const auto begins = [&](std::size_t k) {
    const SweepCell& c = sweep.cells()[k];
    meter.tell(sweep, c.request.kernel + " on " + c.matrix_name);
  };
  std::size_t last = 0;
  const auto ended = [&](std::size_t k, const CaseResult& r) {
    last = k;
    if (options.history) tell_problems(*options.history);
    if (!r.opened) return;
    stored.by[k] = maker_of(options.here, r.asked.request.device, services.catalog);
    stored.records[k] = r.record;
    if (keep) keep(k, r);
  };
  if (run_sweep(sweep, executor, std::ref(opener), whole, begins, ended) != PlanEnd::device_lost) return;
  const SweepCell& c = sweep.cells()[last];
  throw Error(stored.records[last]->error, c.request.kernel + " on " + c.matrix_name,
              "the same command goes on with the other products");
}

}  // namespace warpspy::cli
