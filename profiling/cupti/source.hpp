// The source of hardware counters for the engine, and the ladder: when a set of counters fails, the next smaller set is
// tried.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/run/record.hpp"
#include "profiling/cupti/failure.hpp"
#include "profiling/timing/counter_run.hpp"

namespace warpspy {

struct CounterReading {
  std::vector<Counter> counters;  // of this set and the sets before it, each with a value or a reason
  int passes = 0;
  double ms = 0;  // the whole reading took
};

// A reading of the traffic of each source line.
struct LineReading {
  std::vector<Traffic> lines;      // traffic by file and line
  std::vector<std::string> notes;  // sentences: which traffic has no line
  double ms = 0;                   // the whole reading took
};

class CounterSource {
 public:
  virtual ~CounterSource() = default;
  // Reads counters of this thread's current CUDA device. Throws CounterFailure, DeviceLost and Cancelled.
  virtual CounterReading read(int ordinal, const std::string& set, const CounterRun& run, const Progress& progress) = 0;
  // Reads the traffic of each source line of the kernels, on the same device. It releases the device's counters first,
  // since CUPTI cannot count in both ways at once. Throws as read() does.
  virtual LineReading read_lines(int ordinal, const CounterRun& run, const Progress& progress) = 0;
  // Releases the device's counters, which a reading keeps for the next one. Times are measured after this.
  virtual void release() = 0;
};

// A source that reads counters by CUPTI's range profiler. Without CUPTI every reading fails with the reason.
std::unique_ptr<CounterSource> cupti_source();

// The counters of a run, and what went wrong with them.
struct CounterOutcome {
  std::vector<Counter> counters;
  TrafficSource traffic_source = TrafficSource::timing;
  std::string set;  // the set that was read; "" if none was
  int passes = 0;
  double ms = 0;
  std::vector<std::string> notes;  // sentences: which set failed, why, what was read instead
  std::string lost;                // why the device was lost while counters were read; "" if it was not
};
// Reads `set`, or the largest smaller one that works. Counters of `set` that were not read are unavailable, with the
// reason. Throws Cancelled, and Error for an unknown set; a failure of the counters does not throw. "none" reads
// nothing.
CounterOutcome collect_counters(CounterSource& source, int ordinal, const std::string& set, const CounterRun& run,
                                const Progress& progress);
// The outcome if no counter can be read: all counters of `set` are unavailable for this reason.
CounterOutcome closed_counters(const std::string& set, const std::string& reason, const std::string& remedy);

// The source lines of a run, or why there are none.
struct LineOutcome {
  std::vector<Traffic> lines;
  std::string reason;              // why there are none, and what to do
  std::vector<std::string> notes;  // sentences
  double ms = 0;
  std::string lost;  // as above
};
// Reads the traffic of each source line. A failure does not throw, but gives the reason. Throws Cancelled.
LineOutcome collect_lines(CounterSource& source, int ordinal, const CounterRun& run, const Progress& progress);

}  // namespace warpspy
