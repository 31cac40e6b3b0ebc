#include "core/experiment/search.hpp"

#include <chrono>
#include <map>
#include <utility>

#include "core/base/memory_reserve.hpp"
#include "core/base/utc.hpp"

namespace warpspy {
namespace {

using Clock = std::chrono::steady_clock;

// Reports the steps of a record that were not reported before. A report is computed from all results, so with many
// results it is made less often. Reporting takes at most a tenth of the time.
class Teller {
 public:
  Teller(const SearchPlan& plan, const Results& results, const OnTuneStep& on_step)
      : plan_(plan), results_(results), on_step_(on_step) {}

  void came() {
    // The meaning of a step depends on all steps before it. With few results every step is reported, since the next
    // product may take long.
    constexpr std::size_t few = 200;
    const Clock::time_point now = Clock::now();
    if (results_.size() > few && now - last_ < 10 * took_) return;
    tell(plan_.record(results_));
    last_ = Clock::now(), took_ = last_ - now;
  }
  void tell(const TuneRecord& record) {
    if (!on_step_) return;
    for (; of_run_ < results_.size(); ++of_run_) {
      const CaseResult& r = results_[of_run_];
      runs_[{r.asked.request.kernel, r.asked.request.params}] = r.record;
    }
    for (; told_ < record.steps.size(); ++told_) {
      const TuneStep& step = record.steps[told_];
      on_step_(step, *runs_.at({step.kernel, step.params}));
    }
  }

 private:
  const SearchPlan& plan_;
  const Results& results_;
  const OnTuneStep& on_step_;
  std::map<std::pair<std::string, ParamSet>, std::shared_ptr<const RunRecord>> runs_;
  std::size_t of_run_ = 0, told_ = 0;
  Clock::time_point last_ = {};
  Clock::duration took_ = {};
};

TuneRecord searched(const SearchPlan& plan, Executor& executor, const Matrix& matrix, Progress& progress,
                    const OnTuneStep& on_step) {
  Results results;
  Teller teller(plan, results, on_step);
  PlanEvents events;
  events.ended = [&](const CaseResult&) { teller.came(); };
  const MatrixOf same = [&](const std::string&, Progress&) -> const Matrix& { return matrix; };
  std::string failure;
  PlanEnd end = PlanEnd::done;
  try {
    end = executor.run(plan, same, progress, results, events);
  } catch (const Error& e) {  // A result could not be saved; the earlier ones are kept.
    failure = e.what();
  }
  TuneRecord record = plan.record(results);
  teller.tell(record);
  if (end == PlanEnd::cancelled) record.status = RunStatus::cancelled, record.error = "cancelled";
  if (!failure.empty()) record.status = RunStatus::failed, record.error = failure;
  return record;
}

}  // namespace

TuneRecord run_search(const TuneRequest& request, const MakeSearch& make, Executor& executor,
                      const std::vector<DeviceInfo>& devices, const Matrix& matrix, Progress& progress,
                      const OnTuneStep& on_step) {
  const std::string started = utc_now_ms();
  TuneRecord r;
  r.request = request;
  try {
    if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
    r = searched(*make(request, matrix, devices), executor, matrix, progress, on_step);
  } catch (const Cancelled&) {
    r.status = RunStatus::cancelled;
    r.error = "cancelled";
  } catch (const std::exception& e) {
    r.error = memory_ran_out() ? "out of memory: this machine has no room for the search" : e.what();
    hold_memory_reserve();
  }
  r.started = started;
  return r;
}

}  // namespace warpspy
